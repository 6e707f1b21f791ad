import { Loaded } from '../ui/Loaded.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { LoadedRankings } from '../../server/rankings/routes.ts'
import type { HeadToHead, PartialRanking, RankedModel, WeighSuites } from '../../statistics/index.ts'
import {
  describeHeadToHead,
  formatCount,
  formatScore,
  listRankingNotes,
  RATED_APART,
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

interface RatedParts {
  parts: readonly PartialRanking[]
  models: readonly string[]
}

/** Ratings over parts of the cases or of the time, a column each, for each group of models. */
function PartsSection({ title, groups }: { title: string; groups: readonly RatedParts[] }) {
  const shown = groups.filter(({ parts }) => parts.length > 1)
  if (shown.length === 0) return null
  return (
    <Section title={title} aside="in each column 1,000 is the mean of its models">
      {shown.map(({ parts, models }) => (
        <DataTable
          key={models[0]}
          label={title}
          columns={partsTable(parts)}
          rows={models}
          keyOf={(modelId) => modelId}
        />
      ))}
    </Section>
  )
}

/** Every model against every other: its share of points, a tie half. */
function HeadToHeadTable({ pairs, models }: { pairs: readonly HeadToHead[]; models: readonly string[] }) {
  const find = (row: string, column: string) => findMeeting(pairs, row, column)
  return (
    <DataTable
      label="Head to head"
      columns={meetingTable(pairs, models)}
      rows={models}
      keyOf={(modelId) => modelId}
      models={{
        draw(row, column) {
          const pair = find(row, column)
          if (!pair?.share) return undefined
          const { wins, ties, losses, share } = pair
          return (
            <>
              <div className="font-medium">{formatScore(share.mean)} %</div>
              <div className="text-xs text-muted">
                {formatCount(wins)}–{formatCount(ties)}–{formatCount(losses)}
              </div>
            </>
          )
        },
        hint(row, column) {
          const pair = find(row, column)
          return pair?.share && describeHeadToHead(pair)
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

/** The models of each group with a rating, best first. */
function listGroups({ groups, models }: LoadedRankings): RankedModel[][] {
  return groups
    .map((group) => models.filter(({ modelId }) => group.includes(modelId)))
    .filter((group) => group.length > 0)
}

function RankingsView({ rankings, weigh }: { rankings: LoadedRankings; weigh: WeighSuites }) {
  const groups = listGroups(rankings)
  const namesOf = (group: readonly RankedModel[]) => group.map(({ modelId }) => modelId)
  const partsOf = (parts: readonly PartialRanking[], names: readonly string[]) =>
    parts.filter(({ models }) => models.some(({ modelId }) => names.includes(modelId)))
  return (
    <>
      <Section title="Ratings" id="ratings" aside={groups.length > 1 ? RATED_APART : 'Dot: rating. Line: 95 % CI.'}>
        {groups.map((group) => (
          <RatingTable key={group[0]!.modelId} models={group} />
        ))}
        <details className="text-xs text-muted">
          <summary className="w-fit">How to read these ratings</summary>
          <ul className="mt-1 flex max-w-4xl flex-col gap-1">
            {listRankingNotes(rankings, weigh).map((note) => (
              <li key={note} className="break-words">
                {note}
              </li>
            ))}
          </ul>
        </details>
      </Section>
      <Verdicts rankings={rankings} />
      <Section title="Head to head" id="head-to-head" aside="share of points; won–tied–lost by the model of the row">
        {groups.map((group) => (
          <HeadToHeadTable key={group[0]!.modelId} pairs={rankings.pairs} models={namesOf(group)} />
        ))}
      </Section>
      {[
        { title: 'By category', parts: rankings.categories },
        { title: 'By month', parts: rankings.months },
      ].map(({ title, parts }) => (
        <PartsSection
          key={title}
          title={title}
          groups={groups.map(namesOf).map((models) => ({ models, parts: partsOf(parts, models) }))}
        />
      ))}
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
        rankings.data.models.length > 0 &&
        `${formatCount(rankings.data.models.length, 'model')} over ${formatCount(rankings.data.suites.length, 'suite')}`
      }
      actions={
        <Link to="/results" className={buttonClass()}>
          Results
        </Link>
      }
    >
      {/* One suite leaves nothing to choose or to weigh. */}
      {(names.length > 1 || suite !== '') && (
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
          {suite === '' && (
            <SelectField
              label="Weight"
              className="w-60 max-w-full"
              value={weigh}
              onChange={(value) => setAddress({ weigh: value === 'cases' ? 'cases' : '' })}
            >
              <option value="suites">Equal weight per suite</option>
              <option value="cases">By number of cases</option>
            </SelectField>
          )}
        </div>
      )}
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
