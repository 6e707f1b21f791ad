import type { ServedPair, RunsComparison } from '../../../server/results/compare/compare-view.ts'
import {
  advisePlans,
  describeChanges,
  describeEvidence,
  describeInterval,
  describeNotCompared,
  describePassChanges,
  describePairOutcome,
  formatDifference,
  formatPassed,
  formatScore,
  describeCaseChange,
  formatCount,
} from '../../../report/words/index.ts'
import { Panel } from '../../ui/Page.tsx'
import { Pager } from '../../ui/table/Pager.tsx'
import { labelPair, comparedCaseAddress, readCompareQuery } from './compare-address.ts'
import { DifferenceMark } from './DifferenceMark.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import type { ChangedCases } from '../../../server/results/compare/changed-cases.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, useAddress } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import type { ChangeFilter } from '../../../report/comparing/case-changes.ts'
import { changeTable } from '../../../report/tables/comparing.ts'
import { listConditions } from '../../../report/words/verdicts/pairs/conditions.ts'
import { intervalOf } from '../../../report/words/verdicts/pairs/gap.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'

const PAGE_SIZE = 50

function countNotCompared({ notCompared }: ServedPair['changes']): number {
  return Object.values(notCompared).reduce((sum, count) => sum + count, 0)
}

function Filters({ pair, filter }: { pair: ServedPair; filter: ChangeFilter }) {
  const [, changeQuery] = useAddress()
  const { better, worse, same } = pair.changes
  const missing = countNotCompared(pair.changes)
  const filters: { name: ChangeFilter; label: string; count: number }[] = [
    { name: 'all', label: 'All', count: better + worse + same + missing },
    { name: 'worse', label: 'Worse', count: worse },
    { name: 'better', label: 'Better', count: better },
    { name: 'same', label: 'The same', count: same },
    { name: 'not compared', label: 'Not compared', count: missing },
  ]
  return (
    <div role="group" aria-label="Which cases" className="flex flex-wrap gap-y-1">
      {filters.map(({ name, label, count }) => (
        <button
          key={name}
          type="button"
          aria-pressed={filter === name}
          onClick={() => changeQuery({ filter: name === 'all' ? undefined : name, offset: undefined })}
          className={classes(
            '-ml-px h-8 border border-line px-3 text-[13px] tabular-nums first:ml-0 first:rounded-l-md last:rounded-r-md',
            filter === name ? 'bg-accent-soft font-medium text-accent-ink' : 'bg-surface hover:bg-hover',
          )}
        >
          {label} {formatCount(count)}
        </button>
      ))}
    </div>
  )
}

function Rows({ pair, cases }: { pair: ServedPair; cases: ChangedCases['cases'] }) {
  const [address] = useAddress()
  return (
    <DataTable
      label="Cases in A and B; a link shows both answers"
      columns={changeTable.filter(({ key }) => key !== 'kind')}
      rows={cases}
      keyOf={({ id }) => id}
      draw={{
        case: (change) => (
          <>
            <Link
              to={comparedCaseAddress(address, { id: change.id, modelA: pair.before, modelB: pair.after })}
              className="flex items-baseline gap-3 font-normal hover:underline"
              title={change.title}
            >
              <span className="max-w-full shrink-0 truncate text-accent-ink">{change.id}</span>
              <span className="min-w-0 truncate text-muted max-md:hidden">{change.title}</span>
            </Link>
            <div className="text-xs font-normal text-muted sm:hidden">{describeCaseChange(change)}</div>
          </>
        ),
      }}
    />
  )
}

/** The cases of a pair: what passed before and does not now comes first, then by the size of the change. */
function CaseChangeList({ pair, isCurrent }: { pair: ServedPair; isCurrent: boolean }) {
  const [address, changeQuery] = useAddress()
  const { a, b, filter, offset, changed } = readCompareQuery(address)
  const { before: modelA, after: modelB } = pair
  const page = useQuery({
    queryKey: ['changedCases', a, b, modelA, modelB, filter, offset, changed],
    queryFn: () =>
      readReply(
        api.compare.cases.$get({
          query: { a, b, modelA, modelB, filter, changed, offset: String(offset), limit: String(PAGE_SIZE) },
        }),
      ),
    placeholderData: keepPreviousData,
    // The pair may be one of the runs that were compared before.
    enabled: isCurrent,
  })
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Filters pair={pair} filter={filter} />
      <Loaded query={page} what="the cases" rows={4}>
        {({ cases, total }) => (
          <div className={classes('flex flex-col gap-2', page.isPlaceholderData && 'opacity-60')}>
            {cases.length === 0 ? <p className="text-muted">No cases.</p> : <Rows pair={pair} cases={cases} />}
            {total > cases.length && (
              <Pager
                offset={offset}
                count={cases.length}
                size={PAGE_SIZE}
                total={total}
                onOffset={(next) => changeQuery({ offset: String(next) })}
              />
            )}
          </div>
        )}
      </Loaded>
    </div>
  )
}

/** One pair of models: the verdict, the counts, and the cases that changed. */
export function ComparedPair({
  comparison,
  pair,
  reach,
  isCurrent,
}: {
  comparison: RunsComparison
  pair: ServedPair
  reach: number
  /** False while another comparison is loading. */
  isCurrent: boolean
}) {
  const { before, after, means, passed, changes, comparison: compared } = pair
  const [labelA, labelB] = labelPair(comparison, pair)
  const paired = compared?.paired
  // B is what is asked about: what changed is seen from it. The line above says which A and B are.
  const [nameA, nameB] = before === after ? ['A', 'B'] : [before, after]
  const named = compared && { ...compared, modelA: nameB, modelB: nameA }
  const advice = compared && advisePlans([compared])
  const counts = [
    describeChanges(changes, before === after ? undefined : { after: labelB }),
    describePassChanges(changes),
    describeNotCompared(changes.notCompared),
  ].filter((text) => text !== undefined)
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 className="max-w-full min-w-0 font-semibold break-words">
          A: {labelA} → B: {labelB}
        </h2>
        {means && (
          <span className="text-muted tabular-nums">
            {formatScore(means.a)} → {formatScore(means.b)}, passed {formatPassed(passed.a)} → {formatPassed(passed.b)}{' '}
            on the cases compared
          </span>
        )}
      </div>
      <div className="min-w-0 break-words">
        <p className="text-lg leading-[26px] font-semibold text-pretty">
          {named ? describePairOutcome(named) : `${labelA} or ${labelB} has no score.`}
        </p>
      </div>
      {paired && (
        <div className="grid items-center gap-x-4 gap-y-1 lg:grid-cols-[minmax(10rem,22rem)_1fr]">
          <div>
            <DifferenceMark
              mean={paired.meanDiff}
              low={intervalOf(paired)[0]}
              high={intervalOf(paired)[1]}
              reach={reach}
              label={`B minus A: ${formatDifference(paired.meanDiff)}, 95 % CI ${describeInterval(intervalOf(paired))}`}
            />
            <div className="flex justify-between text-[11px] text-muted" aria-hidden>
              <span>B worse</span>
              <span>0</span>
              <span>B better</span>
            </div>
          </div>
          <p className="text-[13px] text-muted tabular-nums">
            <span className="font-medium text-ink">{formatDifference(paired.meanDiff)}</span> points, 95 % CI{' '}
            {describeInterval(intervalOf(paired))}
          </p>
        </div>
      )}
      <div className="flex flex-col" aria-live="polite">
        <p className="font-medium break-words">{counts[0]}</p>
        {counts.slice(1).map((text) => (
          <p key={text} className="text-muted">
            {text}
          </p>
        ))}
      </div>
      {paired && (
        <details className="text-[13px] text-muted">
          <summary className="w-fit">Method</summary>
          <p className="mt-1 break-words tabular-nums">
            {[...listConditions(named), `${describeEvidence(paired)}.`, advice].join(' ')}
          </p>
        </details>
      )}
      <CaseChangeList pair={pair} isCurrent={isCurrent} />
    </Panel>
  )
}
