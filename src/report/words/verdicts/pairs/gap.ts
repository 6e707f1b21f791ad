import { writeNumber } from '../../../../contract/index.ts'
import type { ModelComparison, PairedComparison } from '../../../../statistics/index.ts'
import { formatGapPoints } from '../../numbers.ts'

/** How far one model is ahead of another, 0 to 1, with the ends of its interval. */
export interface Gap {
  mean: number
  low: number
  high: number
}

/** The interval beside a verdict: of an undecided pair with a margin the careful one, by which its words are chosen. */
export function intervalOf({
  isSignificant,
  equivalence,
  shownInterval,
}: Pick<PairedComparison, 'isSignificant' | 'equivalence' | 'shownInterval'>): [low: number, high: number] {
  return equivalence && !isSignificant ? [equivalence.low, equivalence.high] : shownInterval
}

/** The difference of a pair, seen from one of its models: positive if that is ahead. */
export function seeGap(
  modelId: string,
  { modelA, paired }: Pick<ModelComparison, 'modelA'> & { paired: PairedComparison },
): Gap {
  const [low, high] = intervalOf(paired)
  const mean = paired.meanDiff
  return modelA === modelId ? { mean, low, high } : { mean: 0 - mean, low: 0 - high, high: 0 - low }
}

/** Tenths are worth showing only where the gap is small and nearly as well known. */
const SMALL_GAP = 0.02
const SMALL_END = 0.05

const digitsOf = ({ mean, low, high }: Gap) =>
  Math.abs(mean) < SMALL_GAP - 1e-9 && Math.max(-low, high) < SMALL_END ? 1 : 0

/** An end that is not 0 or 100 is never shown as that: 0.4 stays 0.4, and 99.6 is 99. */
function writeEnd(end: number, digits: number): string {
  const points = end * 100
  if (Math.abs(points) < 1e-9) return '0'
  const text = writeNumber(points, digits)
  if (!/[1-9]/.test(text)) return digits < 2 ? writeEnd(end, digits + 1) : `${points < 0 ? '−' : ''}0.01`
  const isRoundedUp = Math.abs(points) < 100 - 1e-9 && /^−?100/.test(text)
  return isRoundedUp ? writeNumber(Math.trunc(points), 0) : text
}

/** `12`, or `1.4` of a small one. */
export function formatGap(gap: Gap): string {
  return writeEnd(Math.abs(gap.mean), digitsOf(gap))
}

/** `12 points` */
export function describeGap(gap: Gap): string {
  return formatGapPoints(formatGap(gap))
}

/** `3 to 21`, or `up to 29` if one end is open. */
export function describeGapEnds(gap: Gap): string {
  const [low, high] = [gap.low, gap.high].map((end) => writeEnd(end, digitsOf(gap)))
  if (!Number.isFinite(gap.low)) return `up to ${high}`
  return Number.isFinite(gap.high) ? `${low} to ${high}` : `${low} or more`
}

/** `62–99`: an interval of scores in whole points. */
export function formatScoreRange({ low, high }: { low: number; high: number }): string {
  return `${writeEnd(low, 0)}–${writeEnd(high, 0)}`
}

/** `b +3`, the model that would be ahead at this end; `even` at 0. */
export function nameEnd({ ahead, behind }: { ahead: string; behind: string }, gap: Gap, end: number): string {
  const points = writeEnd(Math.abs(end), digitsOf(gap))
  return points === '0' ? 'even' : `${end > 0 ? ahead : behind} +${points}`
}
