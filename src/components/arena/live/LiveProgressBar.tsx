import type { LiveProgress, RunState } from '../../../contract/index.ts'
import { Link } from '../../router.tsx'
import { capitalise, describeRunState, formatCount } from '../../../report/words/index.ts'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { announceProgress, countProgress, describePace, describeSpent } from '../../../report/words/runs/progress.ts'

interface LiveProgressBarProps {
  progress: LiveProgress
  state: RunState
  /** This page, filtered to cases with errors or unscored cells. */
  missingAddress: string
}

/** The bar with progress, rate, time left, cost, and a link to errors. */
export function LiveProgressBar({ progress, state, missingAddress }: LiveProgressBarProps) {
  const { errors, unscored, retries } = progress
  const { done, total } = countProgress(progress)
  // The rest could not change what was to be decided.
  const isRestLeftOut = done < total && progress.state === 'done' && progress.deciding !== undefined
  const rest = isRestLeftOut ? ', the others were not needed' : ''
  const facts = [
    capitalise(describeRunState({ ...progress, state })),
    `${formatCount(done)} of ${formatCount(total, 'cell')}${progress.series ? ' in the series' : ''}${rest}`,
    ...describePace(progress, state),
    describeSpent(progress),
  ]
  const missing = [errors > 0 && formatCount(errors, 'error'), unscored > 0 && `${formatCount(unscored)} unscored`]
    .filter(Boolean)
    .join(', ')
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar
        label={`${formatCount(done)} of ${formatCount(total, 'cell')} done`}
        value={done}
        max={isRestLeftOut ? done : total}
      />
      <div className="flex flex-wrap gap-x-2 tabular-nums">
        {facts.map((fact, index) => (
          <span key={fact} className={index === 0 ? 'font-medium' : 'text-muted'}>
            {index > 0 && <span aria-hidden>· </span>}
            {fact}
          </span>
        ))}
        {missing !== '' && (
          <span>
            <span aria-hidden className="text-muted">
              ·{' '}
            </span>
            <Link to={missingAddress} className="text-danger underline decoration-dotted">
              {missing}
              {progress.series && ' in this run'}
            </Link>
          </span>
        )}
        {retries > 0 && (
          <span className="text-muted">
            <span aria-hidden>· </span>
            {formatCount(retries, 'retry', 'retries')}
          </span>
        )}
      </div>
      <div className="sr-only" aria-live="polite">
        {announceProgress(progress, state)}
      </div>
    </div>
  )
}
