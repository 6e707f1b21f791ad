import { clamp } from '../../contract/index.ts'
import { clusteredMoments, type ClusteredMoments, type Clusters } from '../clusters/clustered-moments.ts'
import { tQuantile } from '../numbers/distributions.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { findMajorityValue, sameScoreTolerance } from '../numbers/weighted-moments.ts'
import { unseenMassInterval } from '../intervals/unseen-mass-interval.ts'

/** A − B on each case. */
export interface DifferenceSample {
  differences: readonly number[]
  weights?: readonly number[] | undefined
  clusters?: Clusters | undefined
  /** Every score is 0 or 1, so that the differences are 1, 0 and −1. */
  isPassFail?: boolean | undefined
}

/** What the interval and the test of a mean difference rest on. */
export interface DifferenceMoments extends ClusteredMoments {
  /** Every difference is from −1 to 1, as that of two scores. */
  isBounded: boolean
  /** All differences are the same: there is no t test. */
  isConstant: boolean
  /** More than half of the weight is on one same difference. */
  hasMajority: boolean
  /** That difference is not 0, so that a sample may have missed the rare others that make up for it. */
  needsUnseenMass: boolean
}

/** How much the judges of a panel differ on how far two models are apart. */
export interface JudgeSpread {
  judges: number
  /** The variance of their mean. */
  variance: number
}

export function measureDifferences(
  differences: readonly number[],
  weights?: readonly number[],
  clusters?: Clusters,
): DifferenceMoments {
  const moments = clusteredMoments(differences, weights, clusters)
  const isBounded = moments.min >= -1 && moments.max <= 1
  const isConstant = moments.max - moments.min <= sameScoreTolerance
  const majority =
    isBounded && !isConstant ? findMajorityValue(differences, relativeWeights(moments.n, weights)) : undefined
  return {
    ...moments,
    // With one cluster t is infinite, and what rounding leaves of the spread would count in full.
    stdErr: isConstant ? 0 : moments.stdErr,
    isBounded,
    isConstant,
    hasMajority: isConstant || majority !== undefined,
    needsUnseenMass: isConstant || (majority !== undefined && Math.abs(majority) > sameScoreTolerance),
  }
}

/** Half of the width of the interval of a mean by t, with judges drawn at random too: t²·V of cases plus t²·V of judges. */
export function halfWidth(
  { stdErr, degreesOfFreedom }: Pick<ClusteredMoments, 'stdErr' | 'degreesOfFreedom'>,
  level: number,
  panel?: JudgeSpread,
): number {
  const tail = (1 - level) / 2
  const ofCases = stdErr === 0 ? 0 : -tQuantile(tail, degreesOfFreedom) * stdErr
  if (!panel || panel.variance === 0) return ofCases
  return Math.hypot(ofCases, -tQuantile(tail, panel.judges - 1) * Math.sqrt(panel.variance))
}

/** Maps [−1, 1] to [0, 1], where the unseen-mass bound is defined, and back. */
export function boundUnseenDifferences(mean: number, effectiveSize: number, level: number): [number, number] {
  const { low, high } = unseenMassInterval((mean + 1) / 2, effectiveSize, level)
  return [2 * low - 1, 2 * high - 1]
}

/**
 * The interval of a mean difference: Student's t; if all differences are the same, the unseen-mass bound for values in
 * [−1, 1] (NaN for differences outside, whose range is unknown); if one same difference other than 0 has more than half
 * of the weight, the hull of both. If A always scores .95 and B is right 95 % of the time, most samples miss the rare
 * large differences, and t alone would exclude the true difference of 0.
 */
export function differenceInterval(moments: DifferenceMoments, level = 0.95, panel?: JudgeSpread): [number, number] {
  const { mean, effectiveClusters, isBounded, isConstant, needsUnseenMass } = moments
  if (isConstant && !isBounded) return [NaN, NaN]
  const [least, most] = isBounded ? [-1, 1] : [-Infinity, Infinity]
  const reach = halfWidth(moments, level, panel)
  const student: [number, number] = [Math.max(least, mean - reach), Math.min(most, mean + reach)]
  if (!needsUnseenMass) return student
  const unseen = boundUnseenDifferences(mean, effectiveClusters, level)
  return [Math.min(student[0], unseen[0]), Math.max(student[1], unseen[1])]
}

/** The p that belongs to the unseen-mass bound: the smallest α at which it excludes 0; 0 where it does not apply. */
export function unseenMassP({ mean, effectiveClusters, needsUnseenMass }: DifferenceMoments): number {
  return needsUnseenMass ? (1 + Math.abs(mean)) ** -effectiveClusters : 0
}

/** Of differences of scores: rounding must not put one outside. */
export const clipDifference = (difference: number): number => clamp(difference, -1)

/** Holm decides at a higher level than the interval has: cut at 0 for a verdict, widened to 0 for none. */
export function fitToVerdict(
  [low, high]: [number, number],
  { mean, isDecided }: { mean: number; isDecided: boolean },
): [number, number] {
  if (!isDecided) return [Math.min(0, low), Math.max(0, high)]
  return mean > 0 ? [Math.max(0, low), high] : [low, Math.min(0, high)]
}
