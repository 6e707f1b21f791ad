import { isLive } from '../../contract/index.ts'
import type { ResumeFacts } from '../../server/results/results-view.ts'
import { formatCount } from '../../report/words/index.ts'

/** True if cells remain or failed; a run that another process works on can be taken over. */
export function canResume(run: Parameters<typeof isLive>[0], errors = 0): boolean {
  if (run.state === 'pending' || isLive(run)) return false
  return run.state !== 'done' || errors > 0
}

/** What the button does: `Resume (240 cells left)`, `Retry 7 errors`, or both. */
export function describeResume({ notRun, errors }: Pick<ResumeFacts, 'notRun' | 'errors'>): string {
  if (notRun === 0) return errors === 0 ? 'Resume' : `Retry ${formatCount(errors, 'error')}`
  return `Resume (${formatCount(notRun, 'cell')} left)`
}
