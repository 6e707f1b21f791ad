import { NO_SCORING } from '../../contract/index.ts'
import { countWithoutScore, type MissingSummary } from '../../statistics/index.ts'
import { describeInterval, formatCount } from './numbers.ts'

/** `1 × judge-unreadable, 40 not asked, 2 × timeout`, in alphabetical order. */
function describeReasons(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, times]) =>
      reason === 'not-asked' ? `${formatCount(times)} not asked` : `${formatCount(times)} × ${reason}`,
    )
    .join(', ')
}

/** A model's cells without a score: how many, why, and how far they could move its mean. */
export function describeMissing(summary: MissingSummary): string {
  const {
    cells,
    reasons,
    boundsWithMissing: [low, high],
  } = summary
  const missing = countWithoutScore(summary)
  const collected = reasons[NO_SCORING] ?? 0
  if (collected === missing)
    return `${formatCount(collected)} of ${formatCount(cells, 'cell')} not scored, as the suite says`
  const why = describeReasons(reasons)
  if (missing === cells) return `none of its ${formatCount(cells, 'cell')} has a score (${why})`
  const bounds = `its mean would be ${describeInterval({ low, high })} if they all scored 0 or 100`
  return `${formatCount(missing)} of ${formatCount(cells, 'cell')} without a score (${why}); ${bounds}`
}
