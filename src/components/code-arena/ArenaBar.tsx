import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, Play } from 'lucide-react'
import type { CodeArenaRequestInput } from '../../contract/index.ts'
import { api, ApiFailure } from '../api-client.ts'
import { describeRepeat } from '../arena/run-words.ts'
import { navigate } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { describeRequest } from './make-arena-request.ts'

const repeats = [3, 5, 10]

function explain(failure: Error): string[] {
  return failure instanceof ApiFailure && failure.problems.length > 0 ? failure.problems.map(({ message }) => message) : [failure.message]
}

/** What it would do, what keeps it from starting, and the one action; always in sight. */
export function ArenaBar({ request, problems }: { request: CodeArenaRequestInput | undefined; problems: string[] }) {
  const queries = useQueryClient()
  const start = useMutation({
    mutationFn: (repeat: number) => api.startCodeArena({ ...request!, repeat }),
    onSuccess: ({ runId }) => {
      void queries.invalidateQueries({ queryKey: ['code-arena'] })
      void queries.invalidateQueries({ queryKey: ['runs'] })
      navigate(`/code-arena/${encodeURIComponent(runId)}`)
    },
  })
  const isBlocked = request === undefined || start.isPending
  return (
    <div className="sticky bottom-0 z-20 -mx-4 mt-auto -mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-surface px-4 py-3 md:-mx-6 md:px-6">
      <div className="min-w-0 flex-1 basis-60" role="status">
        {request ? (
          <div className="break-words tabular-nums">{describeRequest(request)}</div>
        ) : (
          problems.map((problem) => (
            <div key={problem} className="break-words text-muted">
              {problem}
            </div>
          ))
        )}
        {start.error &&
          explain(start.error).map((reason) => (
            <div key={reason} role="alert" className="break-words text-danger">
              Not started: {reason}
            </div>
          ))}
      </div>
      <div className="flex">
        <Button kind="primary" className="rounded-r-none" disabled={isBlocked} onClick={() => start.mutate(1)}>
          <Play size={14} aria-hidden />
          {start.isPending ? 'Starting …' : 'Run Code Arena'}
        </Button>
        <Menu
          trigger={
            <button type="button" aria-label="Run several times" title="Run several times" disabled={isBlocked} className={buttonClass('primary', 'rounded-l-none border-l border-on-accent/40 px-2!')}>
              <ChevronDown size={16} aria-hidden />
            </button>
          }
        >
          {repeats.map((times) => (
            <MenuItem key={times} onSelect={() => start.mutate(times)}>
              <span className="flex flex-col">
                <span>Run {times} times</span>
                <span className="text-xs text-muted">{describeRepeat(times, undefined)}</span>
              </span>
            </MenuItem>
          ))}
        </Menu>
      </div>
    </div>
  )
}
