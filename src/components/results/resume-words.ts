import type { ResumeFacts } from '../../server/results/results-view.ts'
import { formatCount } from '../../report/words/index.ts'

/** What the button does: `Resume (240 cells left)`, `Retry 7 errors`, or both. */
export function describeResume({ notRun, errors }: Pick<ResumeFacts, 'notRun' | 'errors'>): string {
  if (notRun === 0) return errors === 0 ? 'Resume' : `Retry ${formatCount(errors, 'error')}`
  return `Resume (${formatCount(notRun, 'cell')} left)`
}
