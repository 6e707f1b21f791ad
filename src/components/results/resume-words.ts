import type { ResumeFacts } from '../../server/results/results-view.ts'
import { formatCount } from '../../report/words/index.ts'

/** What the button does: `Resume (240 cells left)`, `Retry 7 errors`, or both. */
export function describeResume({ notAsked, errors }: Pick<ResumeFacts, 'notAsked' | 'errors'>): string {
  if (notAsked === 0) return errors === 0 ? 'Resume' : `Retry ${formatCount(errors, 'error')}`
  return `Resume (${formatCount(notAsked, 'cell')} left)`
}
