import { tQuantile, twoSidedTPValue } from '../numbers/distributions.ts'
import { compareSamples } from './two-samples.ts'

export interface WelchTTest {
  difference: number
  stdErr: number
  tStatistic: number
  degreesOfFreedom: number
  pValue: number
  confidence95: [number, number]
}

/**
 * Welch's t test of two means with unequal variances (Welch, Biometrika 34, 1947), with the degrees of freedom of
 * Satterthwaite (1946): (v₁+v₂)² / (v₁²/(n₁−1) + v₂²/(n₂−1)), v = s²/n. NaN if neither sample varies.
 */
export function welchTTest(a: number[], b: number[]): WelchTTest {
  const { first, second, difference, neitherVaries } = compareSamples(a, b)
  if (neitherVaries) {
    const undefinedTest = { tStatistic: NaN, degreesOfFreedom: NaN, pValue: NaN }
    return { difference, stdErr: 0, ...undefinedTest, confidence95: [NaN, NaN] }
  }
  const stdErr = Math.hypot(first.stdErr, second.stdErr)
  // As shares of the sum, the squared variances cannot underflow.
  const firstShare = (first.stdErr / stdErr) ** 2
  const secondShare = (second.stdErr / stdErr) ** 2
  const degreesOfFreedom = 1 / (firstShare ** 2 / (first.n - 1) + secondShare ** 2 / (second.n - 1))
  const tStatistic = difference / stdErr
  const reach = -tQuantile(0.025, degreesOfFreedom) * stdErr
  return {
    difference,
    stdErr,
    tStatistic,
    degreesOfFreedom,
    pValue: twoSidedTPValue(tStatistic, degreesOfFreedom),
    confidence95: [difference - reach, difference + reach],
  }
}
