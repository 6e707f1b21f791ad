import { Loaded } from '../ui/Loaded.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { LoadedRankings } from '../../server/rankings/routes.ts'
import type { HeadToHead, PartialRanking, RankedModel, WeighSuites } from '../../statistics/index.ts'
import {
  describeInterval,
  formatCount,
  formatScore,
  listRankingNotes,
  listRankingVerdicts,
  summariseRankingVerdicts,
} from '../../report/words/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link, useAddress } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { SelectField, SelectOptions } from '../ui/form/Field.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { findMeeting, meetingTable, partsTable, ratingTable } from '../../report/tables/rankings.ts'
import { makeRatingAxis } from '../../report/charts/rating-axis.ts'
import { ratingChart } from '../ui/charts/rating-chart.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'
import { ModelName } from '../ui/names/ModelName.tsx'

/** Ratings with their intervals on one shared axis. */
function RatingTable({ models }: { models: readonly RankedModel[] }) {
  return (
    <DataTable
      label="Ratings"
      columns={ratingTable}
      rows={models}
      keyOf={({ modelId }) => modelId}
      draw={{ model: ({ modelId }) => <ModelName id={modelId} withBadge={false} /> }}
      chart={{
        ...ratingChart(makeRatingAxis(models)),
        className: 'w-[40%] min-w-40 max-lg:hidden',
      }}
    />
  )
}

/** Ratings over parts of the cases or of the time, a column each. */
function PartsTable({
  title,
  parts,
  models,
}: {
  title: string
  parts: readonly PartialRanking[]
  models: readonly string[]
}) {
  if (parts.length < 2) return null
  return (
    <Section title={title} aside="in each column 1,000 is the mean of its models">
      <DataTable label={title} columns={partsTable(parts)} rows={models} keyOf={(modelId) => modelId} />
    </Section>
  )
}

/** Every model against every other: its share of points, a tie half. */
function HeadToHeadTable({ pairs, models }: { pairs: readonly HeadToHead[]; models: readonly string[] }) {
  return (
    <DataTable
      label="Head to head"
      columns={meetingTable(pairs, models)}
      rows={models}
      keyOf={(modelId) => modelId}
      models={{
        draw(row, column) {
          const pair = findMeeting(pairs, row, column)
          if (!pair?.share) return undefined
          const { wins, ties, losses, n, share } = pair
          return (
            <>
              <div>
                <span className="font-medium">{formatScore(share.mean)} %</span>{' '}
                <span className="text-muted">({describeInterval(share)})</span>
              </div>
              <div className="text-xs text-muted">
                {formatCount(wins)}–{formatCount(ties)}–{formatCount(losses)} of {formatCount(n, 'case')}
              </div>
            </>
          )
        },
      }}
    />
  )
}

/** More than these are folded: their number grows with the square of the models. */
const MAX_VERDICTS = 6

function Verdicts({ rankings }: { rankings: LoadedRankings }) {
  const lines = listRankingVerdicts(rankings)
  if (lines.length === 0) return null
  const list = (
    <ul className="flex list-disc flex-col gap-1 pl-5">
      {lines.map((line) => (
        <li key={line} className="break-words">
          {line}
        </li>
      ))}
    </ul>
  )
  return (
    <Section title="Which differences are real" id="verdicts">
      {lines.length <= MAX_VERDICTS ? (
        list
      ) : (
        <>
          <p>{summariseRankingVerdicts(rankings)}</p>
          <details>
            <summary className="w-fit text-muted">All {formatCount(lines.length, 'comparison')}</summary>
            <div className="mt-2">{list}</div>
          </details>
        </>
      )}
      <p className="text-xs text-muted">Paired by case over all suites, Holm-corrected.</p>
    </Section>
  )
}

function RankingsView({ rankings, weigh }: { rankings: LoadedRankings; weigh: WeighSuites }) {
  const order = rankings.models.map(({ modelId }: RankedModel) => modelId)
  return (
    <>
      <Section title="Ratings" id="ratings" aside="Dot: rating. Line: 95 % CI.">
        <RatingTable models={rankings.models} />
        <ul className="text-xs text-muted">
          {listRankingNotes(rankings, weigh).map((note) => (
            <li key={note} className="break-words">
              {note}
            </li>
          ))}
        </ul>
      </Section>
      <Verdicts rankings={rankings} />
      <Section title="Head to head" id="head-to-head" aside="won–tied–lost by the model of the row">
        <HeadToHeadTable pairs={rankings.pairs} models={order} />
      </Section>
      <PartsTable title="By category" parts={rankings.categories} models={order} />
      <PartsTable title="By month" parts={rankings.months} models={order} />
    </>
  )
}

/** `/rankings`: models over the runs of all suites, or of one. */
export function Rankings() {
  const [address, setAddress] = useAddress()
  const weigh: WeighSuites = address.get('weigh') === 'cases' ? 'cases' : 'suites'
  const suite = address.get('suite') ?? ''
  const all = useQuery({
    queryKey: ['runs', 'rankings', '', 'suites'],
    queryFn: () => readReply(api.rankings.$get({ query: {} })),
  })
  const rankings = useQuery({
    queryKey: ['runs', 'rankings', suite, weigh],
    queryFn: () => readReply(api.rankings.$get({ query: { weigh, ...(suite !== '' && { suite }) } })),
    placeholderData: keepPreviousData,
  })
  const names = [...new Set([...(all.data?.suites.map(({ name }) => name) ?? []), ...(suite === '' ? [] : [suite])])]
  return (
    <Page
      title="Rankings"
      subtitle={
        rankings.data &&
        `${formatCount(rankings.data.models.length, 'model')} over ${formatCount(rankings.data.suites.length, 'suite')}`
      }
      actions={
        <Link to="/results" className={buttonClass()}>
          Results
        </Link>
      }
    >
      <div className="flex flex-wrap gap-3">
        <SelectField
          label="Suite"
          className="w-64 max-w-full"
          value={suite}
          onChange={(value) => setAddress({ suite: value })}
        >
          <option value="">All suites</option>
          <SelectOptions of={names} />
        </SelectField>
        <SelectField
          label="Weight"
          className="w-60 max-w-full"
          value={weigh}
          onChange={(value) => setAddress({ weigh: value === 'cases' ? 'cases' : '' })}
        >
          <option value="suites">Equal weight per suite</option>
          <option value="cases">By number of cases</option>
        </SelectField>
      </div>
      <Loaded
        query={rankings}
        what="the ranking"
        rows={8}
        isEmpty={({ models }) => models.length === 0}
        empty={
          <EmptyState
            title="Nothing to rank yet: no two models have a score on the same case."
            action={
              <Link to="/arena" className={buttonClass('primary')}>
                Run a suite
              </Link>
            }
          />
        }
      >
        {(loaded) => <RankingsView rankings={loaded} weigh={weigh} />}
      </Loaded>
    </Page>
  )
}
