import { Loaded } from '../../ui/Loaded.tsx'
import type { ArenaRanking as ArenaRankingReply, RankedModel } from '../../../report/model/arena/arena-ranking.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { api } from '../../api.ts'
import { apiAddress, readReply } from '../../api-request.ts'
import { Link, useAddress } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Field.tsx'
import { Menu, MenuLink } from '../../ui/Menu.tsx'
import { arenaTable, equalTable, partsTable, placeModels } from '../../../report/tables/rankings.ts'
import { describeArenaLead, formatCount, type ArenaGames } from '../../../report/words/index.ts'
import { describeArenaStyle, describeKinds } from '../../../report/words/code-arena.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { ratingChart } from '../../ui/charts/rating-chart.tsx'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Page.tsx'
import { makeRatingAxis, type RatingAxis } from '../../../report/charts/rating-axis.ts'

function RatingTable({ label, models, axis }: { label: string; models: RankedModel[]; axis: RatingAxis }) {
  return (
    <DataTable
      label={label}
      columns={arenaTable}
      rows={placeModels(models)}
      keyOf={({ modelId }) => modelId}
      draw={{ model: ({ modelId }) => <ModelName id={modelId} withBadge={false} /> }}
      chart={ratingChart(axis)}
    />
  )
}

/** The ratings with their lead, then what they would be at equal length of code, and those of each kind of task. */
function Ratings({ ranking, games, axis }: { ranking: ArenaRankingReply; games: ArenaGames; axis: RatingAxis }) {
  const models = ranking[games]
  const style = ranking.style[games]
  const kinds = ranking.kinds[games]
  const parts = kinds.filter((kind) => kind.models.length > 0)
  return (
    <>
      <p>{describeArenaLead(models, games)}</p>
      <RatingTable label={`Ranking by ${games}`} models={models} axis={axis} />
      {style && (
        <>
          <h3 className="mt-2 font-medium">At equal length of code</h3>
          <p className="max-w-3xl">{describeArenaStyle(style, games)}</p>
        </>
      )}
      {style?.state === 'rated' && (
        <DataTable
          label={`Ranking by ${games} at equal length of code`}
          columns={equalTable}
          rows={style.models}
          keyOf={({ modelId }) => modelId}
          draw={{ model: ({ modelId }) => <ModelName id={modelId} withBadge={false} /> }}
        />
      )}
      {kinds.length > 0 && (
        <>
          <h3 className="mt-2 font-medium">By kind of task, the tags of runs</h3>
          {describeKinds(kinds, games).map((line) => (
            <p key={line} className="max-w-3xl break-words">
              {line}
            </p>
          ))}
        </>
      )}
      {parts.length > 0 && (
        <DataTable
          label={`Ranking by ${games}, by kind of task`}
          columns={partsTable(parts)}
          rows={models.map(({ modelId }) => modelId)}
          keyOf={(modelId) => modelId}
        />
      )}
    </>
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
        loses. The line is the 95 % CI; if two lines overlap, the order of the two may be due to chance. Ties and “both
        bad” count half for each.
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
          <Ratings ranking={ranking} games="votes" axis={axis} />
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
          <Ratings ranking={ranking} games="judgements" axis={axis} />
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
