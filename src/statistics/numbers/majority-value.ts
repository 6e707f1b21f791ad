import { sameScoreTolerance } from './tolerance.ts'

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
