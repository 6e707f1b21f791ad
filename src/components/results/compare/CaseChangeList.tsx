import { Loaded } from '../../ui/Loaded.tsx'
import type { ChangedCases } from '../../../server/results/compare/changed-cases.ts'
import type { ComparedModels } from '../../../server/results/compare/compare-view.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, useAddress } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import type { ChangeFilter } from '../../../report/comparing/case-changes.ts'
import { changeTable } from '../../../report/tables/comparing.ts'
import { describeCaseChange, formatCount } from '../../../report/words/index.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { comparedCaseAddress, readCompareQuery } from './compare-address.ts'

const PAGE_SIZE = 50

function countNotCompared({ notCompared }: ComparedModels): number {
  return Object.values(notCompared).reduce((sum, count) => sum + count, 0)
}

function Filters({ pair, filter }: { pair: ComparedModels; filter: ChangeFilter }) {
  const [, changeQuery] = useAddress()
  const missing = countNotCompared(pair)
  const filters: { name: ChangeFilter; label: string; count: number }[] = [
    { name: 'all', label: 'All', count: pair.better + pair.worse + pair.same + missing },
    { name: 'worse', label: 'Worse', count: pair.worse },
    { name: 'better', label: 'Better', count: pair.better },
    { name: 'same', label: 'The same', count: pair.same },
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

function Rows({ pair, cases }: { pair: ComparedModels; cases: ChangedCases['cases'] }) {
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
              to={comparedCaseAddress(address, { id: change.id, modelA: pair.modelA, modelB: pair.modelB })}
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
export function CaseChangeList({ pair, isCurrent }: { pair: ComparedModels; isCurrent: boolean }) {
  const [address, changeQuery] = useAddress()
  const { a, b, filter, offset, changed } = readCompareQuery(address)
  const { modelA, modelB } = pair
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
              <div className="flex items-center gap-2">
                <Button
                  disabled={offset === 0}
                  onClick={() => changeQuery({ offset: String(Math.max(0, offset - PAGE_SIZE)) })}
                >
                  Previous
                </Button>
                <span className="text-muted tabular-nums">
                  {formatCount(offset + 1)}–{formatCount(offset + cases.length)} of {formatCount(total)}
                </span>
                <Button
                  disabled={offset + cases.length >= total}
                  onClick={() => changeQuery({ offset: String(offset + cases.length) })}
                >
                  Next
                </Button>
              </div>
            )}
          </div>
        )}
      </Loaded>
    </div>
  )
}
