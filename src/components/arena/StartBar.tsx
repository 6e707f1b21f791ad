import { problemsOf } from '../api-request.ts'
import type { StartedRun } from '../../server/runs/run-manager.ts'
import type { RunEstimate } from '../../server/runs/estimate.ts'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { navigate } from '../router.tsx'
import { useSingleMutation } from '../use-single-mutation.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { useRunKey } from '../ui/keys.ts'
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { describeRepeat, describeRepeatedCost, describeRunsNeeded } from '../../report/words/index.ts'
import { classes } from '../ui/classes.ts'

const repeats = [3, 5, 10]

interface StartBarProps {
  action: string
  /** The last line of a card, or of the page, where it stays visible. */
  place?: 'card' | 'page'
  isBlocked: boolean
  estimate?: RunEstimate | undefined
  start: (repeat: number) => Promise<StartedRun>
  addressOf: (run: StartedRun) => string
  /** Query keys of the lists that a new run changes. */
  lists: string[]
  /** The estimate, or the reasons why it cannot start. */
  children: ReactNode
}

const frames = {
  card: 'rounded-b-lg bg-sunken px-4 py-3 md:px-5',
  page: '-mx-4 mt-auto -mb-4 border-t border-line bg-surface px-4 py-3 md:-mx-6 md:px-6',
}

/** Always visible: the estimate of the next run and the button that starts it. */
export function StartBar({ action, place = 'page', isBlocked, estimate, ...props }: StartBarProps) {
  const { start: startRun, addressOf, lists, children } = props
  const queries = useQueryClient()
  const start = useSingleMutation({
    mutationFn: startRun,
    onSuccess: (started) => {
      for (const list of lists) void queries.invalidateQueries({ queryKey: [list] })
      navigate(addressOf(started))
    },
  })
  const isDisabled = isBlocked || start.isPending
  useRunKey(() => {
    if (!isDisabled) start.mutate(1)
  })
  return (
    <div className={classes('sticky bottom-0 z-20 flex flex-wrap items-center gap-x-4 gap-y-2', frames[place])}>
      <div className="min-w-0 flex-1 basis-60" role="status">
        {children}
        {problemsOf(start.error).map((reason) => (
          <div key={reason} role="alert" className="break-words text-danger">
            Not started: {reason}
          </div>
        ))}
      </div>
      <div className="flex max-sm:w-full">
        <Button
          kind="primary"
          className="rounded-r-none max-sm:h-10 max-sm:flex-1"
          title="Ctrl+Enter"
          disabled={isDisabled}
          onClick={() => start.mutate(1)}
        >
          <Play size={14} aria-hidden />
          {start.isPending ? 'Starting…' : action}
        </Button>
        <Menu
          trigger={
            <button
              type="button"
              aria-label="Run several times"
              title="Run several times"
              disabled={isDisabled}
              className={buttonClass('primary', 'rounded-l-none border-l border-on-accent/40 px-2! max-sm:h-10')}
            >
              <ChevronDown size={16} aria-hidden />
            </button>
          }
        >
          {repeats.map((times) => (
            <MenuItem key={times} onSelect={() => start.mutate(times)}>
              <span className="flex w-72 max-w-full flex-col">
                <span className="flex flex-wrap justify-between gap-x-4">
                  <span className="font-medium">Run {times} times</span>
                  <span className="text-xs text-muted tabular-nums">
                    {estimate && describeRepeatedCost(times, estimate)}
                  </span>
                </span>
                <span className="text-xs text-muted">{describeRepeat(times)}</span>
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
      </div>
    </div>
  )
}
