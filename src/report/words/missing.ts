import type { MissingSummary } from '../../statistics/index.ts'
import { describeInterval, formatCost, formatCount } from './numbers.ts'

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

interface ModelCost {
  cost: { total: number; unknown: number }
  errors: number
  missing?: { cells: number }
}

/** What a model's answers cost. A model that never answered may have cost something or nothing: nobody said. */
export function formatModelCost({ cost, errors, missing }: ModelCost): string {
  const isAnswered = missing === undefined || errors < missing.cells
  return isAnswered || cost.total > 0 ? formatCost(cost.total, cost.unknown) : 'unknown'
}
