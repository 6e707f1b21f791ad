import type { RunRequestInput } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { explainFailure } from './explain-failure.ts'
import { describeEstimate } from './live/run-words.ts'
import { StartBar } from './StartBar.tsx'
import { useEstimate } from './use-estimate.ts'

/** What the run would take, what keeps it from starting, and the one action. */
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
  const known = request === undefined ? undefined : estimate.data
  // What was found wrong with the choices as they were says nothing about them as they are.
  const refusals = estimate.isSettled ? [...(known?.problems ?? []), ...explainFailure(estimate.error)] : []
  const reasons = [...problems, ...refusals]
  return (
    <StartBar
      action="Run Benchmark"
      isBlocked={request === undefined || refusals.length > 0}
      estimate={known}
      start={(repeat) => readReply(api.runs.$post({ json: { ...request!, repeat } }))}
      addressOf={(runId) => `/arena/run/${encodeURIComponent(runId)}`}
      lists={['runs', 'suites']}
    >
      {isLoading && <span className="text-muted">Getting suites and models …</span>}
      {!isLoading &&
        reasons.map((reason) => (
          <div key={reason} className="break-words text-danger">
            {reason}
          </div>
        ))}
      {reasons.length === 0 && known && (
        <div className={estimate.isSettled ? 'tabular-nums' : 'text-muted tabular-nums'}>{describeEstimate(known)}</div>
      )}
      {reasons.length === 0 && !isLoading && !known && (
        <span className="text-muted">Counting what this would take …</span>
      )}
    </StartBar>
  )
}
