import type { ArenaRanking as ArenaRankingReply } from '../../../server/code-arena/ranking.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import type { RankedModel } from '../../../report/model/arena-ranking.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { api } from '../../api.ts'
import { apiAddress, readReply } from '../../api-request.ts'
import { Link, useAddress } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Field.tsx'
import { Menu, MenuLink } from '../../ui/Menu.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { IntervalMark } from '../../ui/charts/IntervalMark.tsx'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { describeLead, formatRating, makeRatingAxis, type RatingAxis } from '../../../report/charts/rating-axis.ts'

const cell = 'px-3 py-1.5 text-right tabular-nums'

/** Fixed widths, so that the axes of both tables line up. */
const columns = [
  ['Rating', 'w-20'],
  ['95 % interval', 'w-32'],
  ['Games', 'w-20'],
  ['Won', 'w-16'],
  ['Tied', 'w-16'],
  ['Lost', 'w-16'],
] as const

function AxisHead({ ticks }: { ticks: number[] }) {
  return (
    <span aria-hidden className="relative block h-4">
      {ticks.map((tick, index) => (
        <span key={tick} className="absolute -translate-x-1/2" style={{ left: `${index * 25}%` }}>
          {formatRating(tick)}
        </span>
      ))}
    </span>
  )
}

function RatingTable({ label, models, axis }: { label: string; models: RankedModel[]; axis: RatingAxis }) {
  return (
    <Panel>
      <div tabIndex={0} role="region" aria-label={label} className="overflow-x-auto">
        <table className="w-full min-w-240 table-fixed">
          <thead>
            <tr className="border-b border-line text-xs text-muted">
              <th scope="col" className="w-10 px-3 py-1.5 text-right font-normal">
                #
              </th>
              <th scope="col" className="w-56 px-3 py-1.5 text-left font-normal xl:w-80">
                Model
              </th>
              <th scope="col" className="px-6 py-1.5 text-left font-normal">
                <span className="sr-only">Rating with its 95 % interval</span>
                <AxisHead ticks={axis.ticks} />
              </th>
              {columns.map(([name, width]) => (
                <th key={name} scope="col" className={`${width} px-3 py-1.5 text-right font-normal whitespace-nowrap`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map(({ modelId, rating, low, high, games, wins, ties, losses }, index) => (
              <tr key={modelId} className="border-b border-line last:border-b-0 hover:bg-hover">
                <td className={`${cell} text-muted`}>{index + 1}</td>
                <th scope="row" className="px-3 py-1.5 text-left font-medium">
                  <ModelName id={modelId} withBadge={false} />
                </th>
                <td className="px-6 py-1.5">
                  <IntervalMark
                    mean={rating}
                    low={low}
                    high={high}
                    domain={axis.domain}
                    label={`${formatRating(rating)}, from ${formatRating(low)} to ${formatRating(high)}`}
                  />
                </td>
                <td className={`${cell} font-medium`}>{formatRating(rating)}</td>
                <td className={`${cell} whitespace-nowrap text-muted`}>
                  {formatRating(low)} to {formatRating(high)}
                </td>
                <td className={cell}>{games}</td>
                <td className={cell}>{wins}</td>
                <td className={cell}>{ties}</td>
                <td className={cell}>{losses}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

/** One HTML file with the ranking and the runs behind it. */
function RankingExport({ counted }: { counted: 'all' | 'blind' }) {
  const addressOf = (sharing: { anonymous?: 'yes'; withoutTexts?: 'yes' }) =>
    apiAddress(api.codeArena.ranking.export.$path({ query: { votes: counted, ...sharing } }))
  return (
    <div className="-mb-4 self-end">
      <Menu
        trigger={
          <Button>
            <Download size={14} aria-hidden /> Export
          </Button>
        }
      >
        <MenuLink href={addressOf({})} download>
          HTML report
        </MenuLink>
        <MenuLink href={addressOf({ anonymous: 'yes' })} download>
          HTML report without model names
        </MenuLink>
        <MenuLink href={addressOf({ anonymous: 'yes', withoutTexts: 'yes' })} download>
          HTML report without names and prompts
        </MenuLink>
      </Menu>
    </div>
  )
}

function Rankings({ ranking }: { ranking: ArenaRankingReply }) {
  const [query, changeQuery] = useAddress()
  const counted = query.get('votes') === 'blind' ? 'blind' : 'all'
  const { votes, voteCount, notBlindCount, judgements, judgementCount } = ranking
  const axis = makeRatingAxis([...votes, ...judgements])
  return (
    <div className="flex flex-col gap-6">
      {voteCount + judgementCount > 0 && <RankingExport counted={counted} />}
      <p className="max-w-3xl text-muted">
        Ratings work as in chess: 1000 is the average, and a model with 400 points more wins ten games for each one it
        loses. The line is the 95 % interval; if two lines overlap, the order of the two may be due to chance. Ties and
        “both bad” count half for each.
      </p>
      <Section title="By votes" aside={voteCount > 0 ? `${formatCount(voteCount, 'vote')} by people` : undefined}>
        {notBlindCount > 0 && (
          <Checkbox
            className="w-fit"
            checked={counted === 'blind'}
            onChange={({ target }) => changeQuery({ votes: target.checked ? 'blind' : '' })}
            label={`Leave out ${formatCount(notBlindCount, 'vote')} by people who had seen the names`}
          />
        )}
        {voteCount === 0 ? (
          <EmptyState
            title="No votes yet."
            action={
              <Link to="/code-arena?tab=vote" className={buttonClass('primary')}>
                Vote blind
              </Link>
            }
          >
            Compare two anonymous pages and say which is better.
          </EmptyState>
        ) : (
          <>
            <p>{describeLead(votes, 'votes')}</p>
            <RatingTable label="Ranking by votes" models={votes} axis={axis} />
          </>
        )}
      </Section>
      <Section
        title="By judgements"
        aside={
          judgementCount > 0
            ? `${formatCount(judgementCount, 'pair')} of judged pages; in each pair the higher score wins`
            : undefined
        }
      >
        {judgementCount === 0 ? (
          <EmptyState
            title="No run has two judged pages yet."
            action={
              <Link to="/code-arena" className={buttonClass()}>
                Start a run
              </Link>
            }
          >
            Run two or more models with a judge.
          </EmptyState>
        ) : (
          <>
            <p>{describeLead(judgements, 'runs')}</p>
            <RatingTable label="Ranking by judgements" models={judgements} axis={axis} />
          </>
        )}
      </Section>
    </div>
  )
}

/** Two separate rankings on one axis: by people's votes and by judges' scores. */
export function ArenaRanking() {
  const [query] = useAddress()
  const counted = query.get('votes') === 'blind' ? 'blind' : 'all'
  const ranking = useQuery({
    queryKey: ['code-arena', 'ranking', counted],
    queryFn: () => readReply(api.codeArena.ranking.$get({ query: { votes: counted } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Loaded query={ranking} what="the ranking">
      {(loaded) => <Rankings ranking={loaded} />}
    </Loaded>
  )
}
