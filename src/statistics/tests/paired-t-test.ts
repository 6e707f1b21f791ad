import { twoSidedTPValue } from '../numbers/distributions.ts'
import { hedgesCorrection } from './effect-size.ts'
import {
  findMajorityValue,
  sameScoreTolerance,
  weightedMoments,
  type WeightedMoments,
} from '../numbers/weighted-moments.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { tInterval } from '../intervals/t-interval.ts'
import { unseenMassInterval } from '../intervals/unseen-mass-interval.ts'

export interface PairedTTest {
  n: number
  meanDiff: number
  stdDev: number
  stdErr: number
  tStatistic: number
  degreesOfFreedom: number
  pValue: number
  confidence95: [number, number]
  effectSize: number
}

/**
 * The paired t test on differences, optionally weighted: t = m/SE with n − 1 degrees of freedom. The effect size is
 * Hedges' g of the differences, m/s·J(n−1) (Hedges 1981), NaN at n = 2, where J does not exist.
 *
 * With one difference, or if all are equal, there is no test, and the interval is the unseen-mass bound for values in
 * [−1, 1] (NaN for differences outside, whose range is unknown). If one same difference other than 0 has more than half
 * of the weight, the interval is the hull of Student's t and that bound: if A always scores .95 and B is right 95 % of
 * the time, most samples miss the rare large differences, and t alone would exclude the true difference of 0.
 */
export function pairedTTest(differences: number[], weights?: number[]): PairedTTest {
  const moments = weightedMoments(differences, weights)
  const { n, mean: meanDiff, stdDev, stdErr, min, max } = moments
  const degreesOfFreedom = n - 1
  const isBounded = min >= -1 && max <= 1
  if (max - min <= sameScoreTolerance) {
    return {
      n,
      meanDiff,
      stdDev: 0,
      stdErr: 0,
      tStatistic: NaN,
      degreesOfFreedom,
      pValue: NaN,
      confidence95: isBounded ? boundUnseenDifferences(moments) : [NaN, NaN],
      effectSize: Math.abs(meanDiff) <= sameScoreTolerance ? 0 : NaN,
    }
  }
  const tStatistic = meanDiff / stdErr
  const bounds: [number, number] | undefined = isBounded ? [-1, 1] : undefined
  const student = tInterval({ mean: meanDiff, stdErr, degreesOfFreedom, ...(bounds && { bounds }) })
  const majority = isBounded ? findMajorityValue(differences, relativeWeights(n, weights)) : undefined
  const hasMajority = majority !== undefined && Math.abs(majority) > sameScoreTolerance
  const unseen = hasMajority ? boundUnseenDifferences(moments) : [student.low, student.high]
  return {
    n,
    meanDiff,
    stdDev,
    stdErr,
    tStatistic,
    degreesOfFreedom,
    pValue: twoSidedTPValue(tStatistic, degreesOfFreedom),
    confidence95: [Math.min(student.low, unseen[0]!), Math.max(student.high, unseen[1]!)],
    effectSize: (meanDiff / stdDev) * hedgesCorrection(degreesOfFreedom),
  }
}

/** Maps [−1, 1] to [0, 1], where the unseen-mass bound is defined, and back. */
function boundUnseenDifferences({ mean, effectiveSize }: WeightedMoments): [number, number] {
  const { low, high } = unseenMassInterval((mean + 1) / 2, effectiveSize)
  return [2 * low - 1, 2 * high - 1]
}
