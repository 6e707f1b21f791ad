import type { ArenaView } from '../../contract/index.ts'
import { ResumeButton, StopButton } from '../arena/RunButtons.tsx'
import { Link, navigate } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { canResume, countDone } from './arena-words.ts'
import { reuseRun } from './code-arena-choices.ts'

interface ArenaRunActionsProps {
  view: ArenaView
  onResumed: () => void
  onFailure: (failure: unknown) => void
}

/** Stop, resume, reuse and vote. */
export function ArenaRunActions({ view, onResumed, onFailure }: ArenaRunActionsProps) {
  const models = view.panels.map(({ modelId }) => modelId)
  const canVote = !view.isLive && models.length > 1
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
      <Button
        kind="quiet"
        onClick={() => {
          reuseRun({ prompt: view.prompt, isQuickJudge: view.isQuickJudge, models })
          navigate('/code-arena')
        }}
        title="Copies the prompt and the models to the form"
      >
        Reuse
      </Button>
      {view.seriesId !== undefined && (
        <Link to={`/results/${encodeURIComponent(`series:${view.seriesId}`)}`} className={buttonClass()}>
          Series results
        </Link>
      )}
      {canVote && (
        <Link to={`/code-arena?tab=vote&run=${encodeURIComponent(view.runId)}`} className={buttonClass('primary')}>
          Vote blind
        </Link>
      )}
    </>
  )
}
