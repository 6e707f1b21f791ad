import type { Clusters } from '../clusters/clustered-moments.ts'
import { twoSidedTPValue } from '../numbers/distributions.ts'
import { sameScoreTolerance } from '../numbers/weighted-moments.ts'
import { differenceInterval, measureDifferences, type DifferenceMoments } from './difference-interval.ts'
import { hedgesCorrection } from './effect-size.ts'

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
 * The paired t test on differences, optionally weighted and in clusters: t = m/SE, with n − 1 degrees of freedom or, with
 * clusters or unequal weights, the effective number of clusters less 1. The effect size is Hedges' g of the differences,
 * m/s·J(n−1) (Hedges 1981), NaN at n = 2, where J does not exist. With one difference, or if all are equal, there is no
 * test. `differenceInterval` says what the interval is.
 */
export function pairedTTest(
  differences: readonly number[],
  weights?: readonly number[],
  clusters?: Clusters,
): PairedTTest {
  return testDifferences(measureDifferences(differences, weights, clusters))
}

/** The same of differences that have been measured. */
export function testDifferences(moments: DifferenceMoments): PairedTTest {
  const { n, mean: meanDiff, stdDev, stdErr, effectiveClusters, isConstant } = moments
  const degreesOfFreedom = effectiveClusters - 1
  const confidence95 = differenceInterval(moments)
  if (isConstant)
    return {
      n,
      meanDiff,
      stdDev: 0,
      stdErr: 0,
      tStatistic: NaN,
      degreesOfFreedom,
      pValue: NaN,
      confidence95,
      effectSize: Math.abs(meanDiff) <= sameScoreTolerance ? 0 : NaN,
    }
  const tStatistic = meanDiff / stdErr
  return {
    n,
    meanDiff,
    stdDev,
    stdErr,
    tStatistic,
    degreesOfFreedom,
    pValue: twoSidedTPValue(tStatistic, moments.degreesOfFreedom),
    confidence95,
    effectSize: (meanDiff / stdDev) * hedgesCorrection(n - 1),
  }
}
