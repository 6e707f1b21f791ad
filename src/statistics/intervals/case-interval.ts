import { clopperPearsonInterval } from './clopper-pearson.ts'
import type { Interval } from './interval.ts'
import { findMajorityValue, sameScoreTolerance, weightedMoments } from '../numbers/weighted-moments.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { tInterval } from './t-interval.ts'
import { unseenMassInterval } from './unseen-mass-interval.ts'

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
  if (findMajorityValue(scores, relativeWeights(n, weights)) === undefined) return student
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

/**
 * The mean of the cluster means, with their 95 % interval. Values within a cluster are correlated, so only clusters
 * count as independent (Miller, Adding Error Bars to Evals, 2024).
 */
export function clusterMeanInterval(valuesByCluster: number[][]): Interval & { mean: number } {
  const means = valuesByCluster.map((values) => weightedMoments(values).mean)
  return { ...caseInterval(means), mean: weightedMoments(means).mean }
}
