import type { MissingSummary } from '../../statistics/index.ts'
import { describeInterval, formatCount } from './numbers.ts'

/** `2 × timeout, 1 × judge-unreadable`, in the order of the alphabet. */
function describeReasons(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, times]) => `${formatCount(times)} × ${reason}`)
    .join(', ')
}

/** What a model's cells without a score come to: how many, why, and how far they could move its mean. */
export function describeMissing({
  cells,
  unscored,
  errors,
  reasons,
  boundsWithMissing: [low, high],
}: MissingSummary): string {
  const gone = unscored + errors
  const why = describeReasons(reasons)
  if (gone === cells) return `none of its ${formatCount(cells, 'cell')} has a score (${why})`
  const bounds = `its mean would be ${describeInterval({ low, high })} were they all 0 or all 100`
  return `${formatCount(gone)} of ${formatCount(cells, 'cell')} without a score (${why}); ${bounds}`
}
