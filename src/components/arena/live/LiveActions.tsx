import { canResume, isLive, type LiveProgress, type RunState } from '../../../contract/index.ts'
import type { LiveRunFacts } from '../../../stores/liveRunStore.ts'
import { Link, navigate } from '../../router.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { describeResume, formatCount } from '../../../report/words/index.ts'
import { ResumeButton, StopButton } from '../RunButtons.tsx'
import { EndNoticeButton } from './EndNoticeButton.tsx'
import type { LiveConnection } from './live-connection.ts'
import { countProgress } from './run-words.ts'

/** Results show a series as a whole. */
function resultsAddress({ runId, seriesId }: { runId: string; seriesId?: string | undefined }): string {
  return `/results/${encodeURIComponent(seriesId === undefined ? runId : `series:${seriesId}`)}`
}

interface LiveActionsProps {
  connection: LiveConnection
  facts: LiveRunFacts
  progress: LiveProgress
  state: RunState
  onResumed: () => void
  onFailure: (failure: unknown) => void
}

/** Stop, resume, see results. */
export function LiveActions({ connection, facts, progress, state, onResumed, onFailure }: LiveActionsProps) {
  const run = { ...progress, state }
  const isActive = isLive(run)
  const { done, total } = countProgress(progress)
  const remaining = state === 'done' ? 0 : total - done
  return (
    <>
      {isActive && <EndNoticeButton connection={connection} seriesKey={facts.seriesId ?? facts.runId} />}
      {isActive && <StopButton runId={facts.runId} onFailure={onFailure} />}
      {canResume(run, progress.errors) && (
        <ResumeButton
          runId={facts.runId}
          label={describeResume({ notRun: remaining, errors: progress.errors })}
          title={
            remaining > 0
              ? `Runs the ${formatCount(remaining, 'remaining cell')} and retries those that failed`
              : 'Retries the cells that failed'
          }
          usedUpBudget={progress.usedUpBudget}
          workedOnBy={progress.workedOnBy}
          onFailure={onFailure}
          onResumed={(runId) =>
            runId === facts.runId ? onResumed() : navigate(`/arena/run/${encodeURIComponent(runId)}`, { replace: true })
          }
        />
      )}
      <Link to={resultsAddress(facts)} className={buttonClass(isActive ? 'plain' : 'primary')}>
        See results
      </Link>
    </>
  )
}
