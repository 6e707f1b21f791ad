import { Loaded } from '../../ui/Loaded.tsx'
import type { ArenaRanking as ArenaRankingReply, RankedModel } from '../../../report/model/arena-ranking.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { api } from '../../api.ts'
import { apiAddress, readReply } from '../../api-request.ts'
import { Link, useAddress } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Field.tsx'
import { Menu, MenuLink } from '../../ui/Menu.tsx'
import { arenaTable, placeModels } from '../../../report/tables/rankings.ts'
import { describeArenaLead, formatCount } from '../../../report/words/index.ts'
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
          <>
            <p>{describeArenaLead(votes, 'votes')}</p>
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
            <p>{describeArenaLead(judgements, 'runs')}</p>
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
