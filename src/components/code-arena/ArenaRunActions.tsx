import { canResume, isLive, type ArenaView } from '../../contract/index.ts'
import { ResumeButton, StopButton } from '../arena/RunButtons.tsx'
import { navigate } from '../router.tsx'
import { countDone } from './arena-words.ts'
import { ShareMenu } from './share/ShareMenu.tsx'

interface ArenaRunActionsProps {
  view: ArenaView
  areNamesShown: boolean
  onResumed: () => void
  onFailure: (failure: unknown) => void
}

/** Stop, resume and share. */
export function ArenaRunActions({ view, areNamesShown, onResumed, onFailure }: ArenaRunActionsProps) {
  return (
    <>
      {isLive(view) && <StopButton runId={view.runId} onFailure={onFailure} />}
      {canResume(view, countDone(view).errors) && (
        <ResumeButton
          runId={view.runId}
          title="Runs the remaining pages and retries those that failed"
          usedUpBudget={view.progress?.usedUpBudget ?? view.usedUpBudget}
          workedOnBy={view.workedOnBy}
          onFailure={onFailure}
          onResumed={(runId) =>
            runId === view.runId ? onResumed() : navigate(`/code-arena/${encodeURIComponent(runId)}`, { replace: true })
          }
        />
      )}
      {!isLive(view) && <ShareMenu runId={view.runId} areNamesShown={areNamesShown} />}
    </>
  )
}
