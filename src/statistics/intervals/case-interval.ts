import { clopperPearsonInterval } from './clopper-pearson.ts'
import type { Interval } from './interval.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { tInterval } from './t-interval.ts'
import { sameScoreTolerance } from '../numbers/tolerance.ts'
import { unseenMassInterval } from './unseen-mass-interval.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

/**
 * The 95 % interval of a mean score over test cases, with scores in [0, 1].
 *
 * If all scores are 0 or 1: Clopper-Pearson with the effective size. Otherwise Student's t with n − 1 degrees of
 * freedom. If one value has more than half of the weight, the hull of that and the unseen-mass bound, because a sample
 * that has missed rare scores shows too little spread. If all scores are equal, or there is only one: the unseen-mass
 * bound.
 */
export function caseInterval(scores: ArrayLike<number>, weights?: ArrayLike<number>): Interval {
  const { n, mean, stdErr, effectiveSize, min, max } = weightedMoments(scores, weights)
  if (min < 0 || max > 1) throw new RangeError(`scores range from ${min} to ${max}: they must be between 0 and 1.`)
  if (areAllZeroOrOne(scores)) return clopperPearsonInterval(mean * effectiveSize, effectiveSize)

  const unseen = unseenMassInterval(mean, effectiveSize)
  if (max - min <= sameScoreTolerance) return unseen

  const student = tInterval({ mean, stdErr, degreesOfFreedom: n - 1, bounds: [0, 1] })
  if (!hasMajorityValue(scores, relativeWeights(n, weights))) return student
  return {
    low: Math.min(student.low, unseen.low),
    high: Math.max(student.high, unseen.high),
    method: 't-and-unseen-mass',
  }
}

function areAllZeroOrOne(scores: ArrayLike<number>): boolean {
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!
    if (score > sameScoreTolerance && score < 1 - sameScoreTolerance) return false
  }
  return true
}

/** Returns true if one value has more than half of the weight: Boyer & Moore's majority vote (1981), then a count. */
function hasMajorityValue(scores: ArrayLike<number>, weights: Float64Array): boolean {
  let candidate = 0
  let lead = 0
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!
    const weight = weights[i]!
    if (Math.abs(score - candidate) <= sameScoreTolerance) lead += weight
    else if (lead >= weight) lead -= weight
    else {
      candidate = score
      lead = weight - lead
    }
  }
  let held = 0
  let total = 0
  for (let i = 0; i < scores.length; i++) {
    total += weights[i]!
    if (Math.abs(scores[i]! - candidate) <= sameScoreTolerance) held += weights[i]!
  }
  // Exactly half is not a majority, and rounding of fractional weights must not make it one.
  return held > total * (0.5 + 1e-12)
}
