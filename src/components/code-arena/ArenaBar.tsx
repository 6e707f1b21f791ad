import type { CodeArenaRequestInput } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { StartBar } from '../arena/StartBar.tsx'
import { describeRequest } from './make-arena-request.ts'

/** What the run would do, or why it cannot start, and the button that starts it. */
export function ArenaBar({ request, problems }: { request: CodeArenaRequestInput | undefined; problems: string[] }) {
  return (
    <StartBar
      action="Run Code Arena"
      isBlocked={request === undefined}
      start={(repeat) => readReply(api.codeArena.$post({ json: { ...request!, repeat } }))}
      addressOf={(runId) => `/code-arena/${encodeURIComponent(runId)}`}
      lists={['code-arena', 'runs']}
    >
      {request ? (
        <div className="break-words tabular-nums">{describeRequest(request)}</div>
      ) : (
        problems.map((problem) => (
          <div key={problem} className="break-words text-muted">
            {problem}
          </div>
        ))
      )}
    </StartBar>
  )
}
