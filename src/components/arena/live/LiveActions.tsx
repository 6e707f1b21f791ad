import type { LiveProgress } from '../../../contract/index.ts'
import type { LiveRunFacts } from '../../../stores/liveRunStore.ts'
import { Link, navigate } from '../../router.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { ResumeButton, StopButton } from '../RunButtons.tsx'
import type { RunPhase } from './run-words.ts'

/** A series is looked at as a whole. */
function resultsAddress({ runId, seriesId }: { runId: string; seriesId?: string | undefined }): string {
  return `/results/${encodeURIComponent(seriesId === undefined ? runId : `series:${seriesId}`)}`
}

interface LiveActionsProps {
  facts: LiveRunFacts
  progress: LiveProgress
  phase: RunPhase
  onResumed: () => void
  onFailure: (failure: unknown) => void
}

/** Stop, resume, see results. */
export function LiveActions({ facts, progress, phase, onResumed, onFailure }: LiveActionsProps) {
  const isGoing = phase === 'running' || phase === 'between'
  const open = progress.total - progress.done
  const canResume =
    phase === 'stopped' ||
    phase === 'interrupted' ||
    phase === 'failed' ||
    (phase === 'completed' && progress.errors > 0)
  return (
    <>
      {isGoing && <StopButton runId={facts.runId} onFailure={onFailure} />}
      {canResume && (
        <ResumeButton
          runId={facts.runId}
          title={
            open > 0
              ? `Asks the ${formatCount(open, 'cell')} that are open, and those that ended in error again`
              : 'Asks those that ended in error again'
          }
          usedUpBudget={progress.usedUpBudget}
          onFailure={onFailure}
          onResumed={(runId) =>
            runId === facts.runId ? onResumed() : navigate(`/arena/run/${encodeURIComponent(runId)}`, { replace: true })
          }
        />
      )}
      <Link to={resultsAddress(facts)} className={buttonClass(isGoing ? 'plain' : 'primary')}>
        See results
      </Link>
    </>
  )
}
