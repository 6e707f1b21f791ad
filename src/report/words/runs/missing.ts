import { NO_SCORING } from '../../../contract/index.ts'
import { countWithoutScore, type MissingSummary } from '../../../statistics/index.ts'
import { describeInterval, formatCount } from '../numbers.ts'
import { cellStates } from './states.ts'

/** `3 not run, 1 × judge-unreadable, 2 × timeout`, in alphabetical order. */
export function describeReasons(reasons: Readonly<Record<string, number>>): string {
  const { 'not-run': notRun, ...others } = reasons
  const failures = Object.entries(others)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([reason, times]) => `${formatCount(times)} × ${reason}`)
  return [...(notRun === undefined ? [] : [`${formatCount(notRun)} ${cellStates.skipped.word}`]), ...failures].join(
    ', ',
  )
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
  const isOnlyNotRun = reasons['not-run'] === missing
  if (missing === cells && isOnlyNotRun) return `none of its ${formatCount(cells, 'cell')} was run`
  if (missing === cells) return `none of its ${formatCount(cells, 'cell')} has a score (${why})`
  const bounds = `its mean would be ${describeInterval({ low, high })} if they all scored 0 or 100`
  const open = `${formatCount(missing)} of ${formatCount(cells, 'cell')}`
  return isOnlyNotRun ? `${open} ${cellStates.skipped.word}; ${bounds}` : `${open} without a score (${why}); ${bounds}`
}
