import { checkSameLength } from '../numbers/check-arguments.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

/**
 * Krippendorff's α = 1 − observed/expected disagreement, over raters × units with null for no rating (Krippendorff,
 * Content Analysis, 2004, ch. 11). Units with a single rating are ignored. NaN if none can be paired, or if all ratings
 * are equal: then chance agreement is total and α undefined.
 */
export function krippendorffAlpha(ratings: (number | null)[][], metric: 'nominal' | 'interval'): number {
  const units = collectUnits(ratings).filter((unit) => unit.length >= 2)
  const all = units.flat()
  if (all.length === 0) return NaN
  const sumDifferences = metric === 'nominal' ? countUnequalPairs : sumSquaredDifferences
  const expected = sumDifferences(all) / (all.length - 1)
  if (expected === 0) return NaN
  const observed = units.reduce((sum, unit) => sum + sumDifferences(unit) / (unit.length - 1), 0)
  return 1 - observed / expected
}

function collectUnits(ratings: (number | null)[][]): number[][] {
  const units = (ratings[0] ?? []).map((): number[] => [])
  for (const row of ratings) {
    checkSameLength(units, row, 'the rows of two raters')
    for (const [unit, rating] of row.entries()) {
      if (rating === null) continue
      if (!Number.isFinite(rating)) throw new RangeError(`A rating is ${rating}: it must be a finite number or null.`)
      units[unit]!.push(rating)
    }
  }
  return units
}

/** The number of ordered pairs of unequal values: m² − Σc², where c is the count of each value. */
function countUnequalPairs(values: number[]): number {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let equal = 0
  for (const count of counts.values()) equal += count * count
  return values.length ** 2 - equal
}

/** Σ(x−y)² over ordered pairs: 2m·Σ(x−mean)². */
function sumSquaredDifferences(values: number[]): number {
  const { n, stdDev } = weightedMoments(values)
  return 2 * n * (n - 1) * stdDev ** 2
}
