import { announceProgress, countProgress, describePace, describeSpent } from '../../../report/words/runs/progress.ts'
import { capitalise, describeRunState, formatCount } from '../../../report/words/index.ts'
import { describeOpenCells } from '../../../report/words/runs/states.ts'
import { Link } from '../../router.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { LiveView } from './use-live-run.ts'

interface LiveProgressProps {
  live: LiveView
  /** Of all runs that are shown. */
  errors: number
  unscored: number
  /** The cases with errors, or unscored ones. */
  address: string
}

/** How far a run is: the bar of the whole series, its rate, the time left, the cost, and a link to its errors. */
export function LiveProgress({ live, errors, unscored, address }: LiveProgressProps) {
  const { progress, state, isLost } = live
  const { done, total } = countProgress(progress)
  const facts = [
    ...(state === 'running' && !progress.workedOnBy ? [] : [capitalise(describeRunState({ ...progress, state }))]),
    ...describePace(progress, state),
    describeSpent(progress),
    ...(progress.retries > 0 ? [formatCount(progress.retries, 'retry', 'retries')] : []),
  ]
  return (
    <div className="flex w-full min-w-0 flex-col gap-2">
      <ProgressBar label={`${formatCount(done)} of ${formatCount(total, 'answer')}`} value={done} max={total} />
      <div className="flex min-h-5 flex-wrap gap-x-4 gap-y-0.5 text-[13px] text-muted tabular-nums">
        {facts.map((fact) => (
          <span key={fact} className="break-words">
            {fact}
          </span>
        ))}
        {errors + unscored > 0 && (
          <Link to={address} className="text-danger underline decoration-dotted">
            {describeOpenCells({ errors, unscored, notRun: 0 })}
          </Link>
        )}
      </div>
      {isLost && (
        <p className="text-[13px] text-warning">
          The connection to Benchmaker was lost. Reconnecting… The run continues as long as Benchmaker is running.
        </p>
      )}
      <div className="sr-only" aria-live="polite">
        {announceProgress(progress, state)}
      </div>
    </div>
  )
}
