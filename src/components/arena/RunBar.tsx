import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { RunRequestInput } from '../../contract/index.ts'
import { capitalise, describeBudget, describeEstimatedCost, describeEstimatedWork } from '../../report/words/index.ts'
import type { RunEstimate } from '../../server/runs/estimate.ts'
import { api } from '../api.ts'
import { problemsOf, readReply } from '../api-request.ts'
import { useSettled } from '../ui/use-settled.ts'
import { runAddress } from '../results/addresses.ts'
import { classes } from '../ui/classes.ts'
import { StartBar } from './StartBar.tsx'

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

function Estimate({ estimate, isSettled }: { estimate: RunEstimate; isSettled: boolean }) {
  const budget = describeBudget(estimate)
  return (
    <div {...(!isSettled && { 'aria-busy': true, className: 'text-muted' })}>
      <div className="text-[15px] font-semibold break-words tabular-nums">
        {capitalise(describeEstimatedCost(estimate))}
      </div>
      <div className="text-[13px] text-muted tabular-nums">{describeEstimatedWork(estimate)}</div>
      {budget !== undefined && !estimate.problems.includes(budget) && (
        <div className="text-[13px] break-words text-warning">{budget}</div>
      )}
    </div>
  )
}

interface RunBarProps {
  request: RunRequestInput | undefined
  problems: string[]
  isLoading: boolean
}

/** The estimate of the run, the reasons why it cannot start, and the button that starts it. */
export function RunBar({ request, problems, isLoading }: RunBarProps) {
  const estimate = useEstimate(request)
  const estimated = request === undefined ? undefined : estimate.data
  // Problems of an earlier estimate say nothing about the current choices.
  const refusals = estimate.isSettled ? [...(estimated?.problems ?? []), ...problemsOf(estimate.error)] : []
  const reasons = [...problems, ...refusals]
  return (
    <StartBar
      action="Run Benchmark"
      place="card"
      isBlocked={request === undefined || !estimate.isSettled || reasons.length > 0}
      estimate={estimated}
      start={(repeat) => readReply(api.runs.$post({ json: { ...request!, repeat } }))}
      addressOf={runAddress}
      lists={['runs', 'suites']}
    >
      {isLoading && <span className="text-muted">Loading suites and models…</span>}
      {!isLoading &&
        reasons.map((reason) => (
          // What is still to be chosen is no error.
          <div
            key={reason}
            className={classes('break-words', refusals.includes(reason) ? 'text-danger' : 'text-muted')}
          >
            {reason}
          </div>
        ))}
      {reasons.length === 0 && estimated && <Estimate estimate={estimated} isSettled={estimate.isSettled} />}
      {reasons.length === 0 && !isLoading && !estimated && <span className="text-muted">Estimating…</span>}
    </StartBar>
  )
}
