import { checkNumbers } from './check-arguments.ts'
import { relativeWeights } from './relative-weights.ts'

/** Scores closer than this are equal: 0.1 + 0.2 and 0.3 must not count as variation. */
export const sameScoreTolerance = 1e-12

export interface WeightedMoments {
  n: number
  mean: number
  stdDev: number
  stdErr: number
  totalWeight: number
  effectiveSize: number
  min: number
  max: number
}

/**
 * Mean, standard deviation and standard error of weighted values.
 *
 * m = Σwx/Σw; s = √(Σw(x−m)² / (V1 − V2/V1)) with V1 = Σw, V2 = Σw², which is the n−1 formula at equal weights;
 * standard error s·√V2/V1; effective size V1²/V2 (Kish, Survey Sampling, 1965). Corrected two-pass sums
 * (Chan, Golub & LeVeque, The American Statistician 37, 1983).
 */
export function weightedMoments(values: ArrayLike<number>, weights?: ArrayLike<number>): WeightedMoments {
  checkNumbers(values, 'values')
  const n = values.length
  const relative = relativeWeights(n, weights)
  const heaviest = weights ? relative.indexOf(1) : 0
  const anchor = values[heaviest]!

  let totalWeight = 0
  let others = 0
  let squares = 1
  let anchoredSum = 0
  let min = anchor
  let max = anchor
  for (let i = 0; i < n; i++) {
    const value = values[i]!
    const weight = relative[i]!
    totalWeight += weights ? weights[i]! : 1
    if (value < min) min = value
    if (value > max) max = value
    if (i === heaviest) continue
    others += weight
    squares += weight * weight
    anchoredSum += weight * (value - anchor)
  }
  const total = others + 1
  const effectiveSize = Math.min(n, Math.max(1, (total * total) / squares))
  const sizes = { n, totalWeight, effectiveSize, min, max }
  if (min === max) return { ...sizes, mean: min, stdDev: 0, stdErr: 0 }

  const centre = anchor + anchoredSum / total
  let deviations = 0
  let squaredDeviations = 0
  // V1² − V2 as Σw(V1 − w), with V1 − w of the largest weight summed separately: the plain difference cancels to 0.
  let weightPairs = others
  for (let i = 0; i < n; i++) {
    const weight = relative[i]!
    const deviation = values[i]! - centre
    deviations += weight * deviation
    squaredDeviations += weight * deviation * deviation
    if (i !== heaviest) weightPairs += weight * (total - weight)
  }
  const mean = Math.min(max, Math.max(min, centre + deviations / total))
  const sumOfSquares = Math.max(0, squaredDeviations - (deviations * deviations) / total)
  const stdDev = Math.sqrt((sumOfSquares * total) / weightPairs)
  return { ...sizes, mean, stdDev, stdErr: (stdDev * Math.sqrt(squares)) / total }
}

/**
 * The value that has more than half of the weight, if there is one: Boyer & Moore's majority vote (1981), then a count.
 */
export function findMajorityValue(values: ArrayLike<number>, weights: Float64Array): number | undefined {
  let candidate = 0
  let lead = 0
  for (let i = 0; i < values.length; i++) {
    const weight = weights[i]!
    if (Math.abs(values[i]! - candidate) <= sameScoreTolerance) lead += weight
    else if (lead >= weight) lead -= weight
    else {
      candidate = values[i]!
      lead = weight - lead
    }
  }
  let held = 0
  let total = 0
  for (let i = 0; i < values.length; i++) {
    total += weights[i]!
    if (Math.abs(values[i]! - candidate) <= sameScoreTolerance) held += weights[i]!
  }
  // Exactly half is not a majority, and rounding of fractional weights must not make it one.
  return held > total * (0.5 + 1e-12) ? candidate : undefined
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
