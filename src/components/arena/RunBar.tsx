import type { RunEstimate } from '../../server/runs/estimate.ts'
import type { RunRequestInput } from '../../contract/index.ts'
import { describeBudget } from '../../report/words/index.ts'
import { api } from '../api.ts'
import { problemsOf, readReply } from '../api-request.ts'
import { describeEstimate } from './live/run-words.ts'
import { StartBar } from './StartBar.tsx'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useSettled } from '../ui/use-settled.ts'

/** Waits for a pause in typing before asking the server. */
const DELAY_MS = 250

/** The estimate of a run; the previous one stays until the next arrives. */
function useEstimate(request: RunRequestInput | undefined): UseQueryResult<RunEstimate> & { isSettled: boolean } {
  const text = request === undefined ? undefined : JSON.stringify(request)
  const settled = useSettled(text, DELAY_MS)
  const estimate = useQuery({
    queryKey: ['estimate', settled],
    queryFn: () => readReply(api.estimate.$post({ json: request! })),
    enabled: settled !== undefined && settled === text,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return { ...estimate, isSettled: settled === text && !estimate.isFetching }
}

/** A budget that may stop the run early. */
function BudgetNote({ estimate }: { estimate: RunEstimate }) {
  const note = describeBudget(estimate)
  return note === undefined ? null : <div className="break-words text-warning">{note}</div>
}

/** The estimate of the run, the reasons why it cannot start, and the button that starts it. */
export function RunBar({
  request,
  problems,
  isLoading,
}: {
  request: RunRequestInput | undefined
  problems: string[]
  isLoading: boolean
}) {
  const estimate = useEstimate(request)
  const estimated = request === undefined ? undefined : estimate.data
  // Problems of an earlier estimate say nothing about the current choices.
  const refusals = estimate.isSettled ? [...(estimated?.problems ?? []), ...problemsOf(estimate.error)] : []
  const reasons = [...problems, ...refusals]
  return (
    <StartBar
      action="Run Benchmark"
      isBlocked={request === undefined || refusals.length > 0}
      estimate={estimated}
      start={(repeat) => readReply(api.runs.$post({ json: { ...request!, repeat } }))}
      addressOf={(runId) => `/arena/run/${encodeURIComponent(runId)}`}
      lists={['runs', 'suites']}
    >
      {isLoading && <span className="text-muted">Loading suites and models…</span>}
      {!isLoading &&
        reasons.map((reason) => (
          <div key={reason} className="break-words text-danger">
            {reason}
          </div>
        ))}
      {reasons.length === 0 && estimated && (
        <div className={estimate.isSettled ? 'tabular-nums' : 'text-muted tabular-nums'}>
          {describeEstimate(estimated)}
        </div>
      )}
      {reasons.length === 0 && estimated && <BudgetNote estimate={estimated} />}
      {reasons.length === 0 && !isLoading && !estimated && <span className="text-muted">Estimating…</span>}
    </StartBar>
  )
}
