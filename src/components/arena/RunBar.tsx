import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, Play } from 'lucide-react'
import type { RunRequestInput } from '../../contract/index.ts'
import type { RunEstimate } from '../../server/api.ts'
import { api, ApiFailure } from '../api-client.ts'
import { navigate } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { describeEstimate, describeRepeat, describeRunsNeeded } from './run-words.ts'
import { useEstimate } from './use-estimate.ts'

const repeats = [3, 5, 10]

function RepeatMenu({ estimate, disabled, onRun }: { estimate: RunEstimate | undefined; disabled: boolean; onRun: (repeat: number) => void }) {
  return (
    <Menu
      trigger={
        <button type="button" aria-label="Run several times" title="Run several times" disabled={disabled} className={buttonClass('primary', 'rounded-l-none border-l border-on-accent/40 px-2!')}>
          <ChevronDown size={16} aria-hidden />
        </button>
      }
    >
      {repeats.map((times) => (
        <MenuItem key={times} onSelect={() => onRun(times)}>
          <span className="flex flex-col">
            <span>Run {times} times</span>
            <span className="text-xs text-muted">{describeRepeat(times, estimate)}</span>
          </span>
        </MenuItem>
      ))}
      {estimate && (
        <>
          <MenuLine />
          <div className="max-w-72 px-2 py-1 text-xs text-muted">{describeRunsNeeded(estimate.runsNeeded)}</div>
        </>
      )}
    </Menu>
  )
}

function explainFailure(failure: unknown): string[] {
  if (failure === null || failure === undefined) return []
  if (failure instanceof ApiFailure && failure.problems.length > 0) return failure.problems.map(({ message }) => message)
  return [failure instanceof Error ? failure.message : String(failure)]
}

/** What it would take, what keeps it from starting, and the one action; always in sight. */
export function RunBar({ request, problems, isLoading }: { request: RunRequestInput | undefined; problems: string[]; isLoading: boolean }) {
  const queries = useQueryClient()
  const estimate = useEstimate(request)
  const start = useMutation({
    mutationFn: (repeat: number) => api.startRun({ ...request!, repeat }),
    onSuccess: ({ runId }) => {
      void queries.invalidateQueries({ queryKey: ['runs'] })
      void queries.invalidateQueries({ queryKey: ['suites'] })
      navigate(`/arena/run/${encodeURIComponent(runId)}`)
    },
  })
  const known = request === undefined ? undefined : estimate.data
  // What was found wrong with the choices as they were says nothing about them as they are.
  const refusals = estimate.isSettled ? [...(known?.problems ?? []), ...explainFailure(estimate.error)] : []
  const reasons = [...problems, ...refusals]
  const isBlocked = request === undefined || refusals.length > 0 || start.isPending
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-auto -mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-surface px-4 py-3 md:-mx-6 md:px-6">
      <div className="min-w-0 flex-1 basis-60" role="status">
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
        {reasons.length === 0 && !isLoading && !known && <span className="text-muted">Counting what this would take …</span>}
        {start.error && explainFailure(start.error).map((reason) => (
          <div key={reason} role="alert" className="break-words text-danger">
            Not started: {reason}
          </div>
        ))}
      </div>
      <div className="flex">
        <Button kind="primary" className="rounded-r-none" disabled={isBlocked} onClick={() => start.mutate(1)}>
          <Play size={14} aria-hidden />
          {start.isPending ? 'Starting …' : 'Run Benchmark'}
        </Button>
        <RepeatMenu estimate={known} disabled={isBlocked} onRun={(repeat) => start.mutate(repeat)} />
      </div>
    </div>
  )
}
