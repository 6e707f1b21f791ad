import type { ArenaView } from '../../contract/index.ts'
import { ResumeButton, StopButton } from '../arena/RunButtons.tsx'
import { navigate } from '../router.tsx'
import { canResume, countDone } from './arena-words.ts'

interface ArenaRunActionsProps {
  view: ArenaView
  onResumed: () => void
  onFailure: (failure: unknown) => void
}

/** Stop and resume. */
export function ArenaRunActions({ view, onResumed, onFailure }: ArenaRunActionsProps) {
  return (
    <>
      {view.isLive && <StopButton runId={view.runId} onFailure={onFailure} />}
      {canResume(view, countDone(view).errors) && (
        <ResumeButton
          runId={view.runId}
          title="Runs the remaining pages and retries those that failed"
          usedUpBudget={view.progress?.usedUpBudget}
          workedOnBy={view.workedOnBy}
          onFailure={onFailure}
          onResumed={(runId) =>
            runId === view.runId ? onResumed() : navigate(`/code-arena/${encodeURIComponent(runId)}`, { replace: true })
          }
        />
      )}
    </>
  )
}
