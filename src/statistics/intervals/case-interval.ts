import { clusteredMoments, type ClusteredMoments, type Clusters } from '../clusters/clustered-moments.ts'
import { clopperPearsonInterval } from './clopper-pearson.ts'
import type { Interval } from './interval.ts'
import { findMajorityValue, sameScoreTolerance, weightedMoments } from '../numbers/weighted-moments.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { tQuantile } from '../numbers/distributions.ts'
import { tInterval } from './t-interval.ts'
import { unseenMassInterval } from './unseen-mass-interval.ts'

/**
 * The 95 % interval of a mean score over test cases, with scores in [0, 1].
 *
 * If all scores are 0 or 1: Clopper-Pearson with the effective size. Otherwise Student's t with one degree of freedom
 * less than there are cases, or clusters of cases and cases of unequal weight by their effective number. If one value has
 * more than half of the weight, the hull of that and the unseen-mass bound, because a sample that has missed rare scores
 * shows too little spread. If all scores are equal, or there is only one: the unseen-mass bound.
 */
export function caseInterval(scores: ArrayLike<number>, weights?: ArrayLike<number>, clusters?: Clusters): Interval {
  const moments = clusteredMoments(scores, weights, clusters)
  const { n, mean, stdErr, degreesOfFreedom, effectiveClusters, min, max } = moments
  if (min < 0 || max > 1) throw new RangeError(`scores range from ${min} to ${max}: they must be between 0 and 1.`)
  if (areAllZeroOrOne(scores)) {
    const size = effectiveTrials(moments)
    return clopperPearsonInterval(mean * size, size)
  }

  const unseen = unseenMassInterval(mean, effectiveClusters)
  if (max - min <= sameScoreTolerance) return unseen

  const student = tInterval({ mean, stdErr, degreesOfFreedom, bounds: [0, 1] })
  if (findMajorityValue(scores, relativeWeights(n, weights)) === undefined) return student
  return {
    low: Math.min(student.low, unseen.low),
    high: Math.max(student.high, unseen.high),
    method: 't-and-unseen-mass',
  }
}

/** A rate of 1 in 10⁹ trials and one of no trials have the same interval: all of [0, 1]. */
const LEAST_TRIALS = 1e-9

/**
 * How many independent trials a share of cases is worth: the effective size of Korn & Graubard (Survey Methodology 24,
 * 1998), with the ratio of Student's quantiles for the few clusters that estimate their variance.
 */
export function effectiveTrials({
  n,
  mean,
  effectiveSize,
  isClustered,
  clusterVariance,
  effectiveClusters,
  degreesOfFreedom,
}: ClusteredMoments): number {
  if (!isClustered) return effectiveSize
  if (clusterVariance === 0) return effectiveClusters
  const ratio = tQuantile(0.025, n - 1) / tQuantile(0.025, degreesOfFreedom)
  return Math.max(LEAST_TRIALS, Math.min(effectiveSize, ((mean * (1 - mean)) / clusterVariance) * ratio ** 2))
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
