import { twoSidedTPValue } from '../numbers/distributions.ts'
import { compareSamples } from './two-samples.ts'

export interface PooledTTest {
  difference: number
  stdErr: number
  tStatistic: number
  degreesOfFreedom: number
  pValue: number
  effectSize: number
}

/**
 * Student's two-sample t test with pooled variance: s² = Σ(n−1)s²/(n₁+n₂−2), SE = s·√(1/n₁+1/n₂); the effect size is
 * Cohen's d = difference/s (Cohen, Statistical Power Analysis, 1988, ch. 2). NaN if neither sample varies.
 */
export function pooledTTest(a: number[], b: number[]): PooledTTest {
  const { first, second, difference, neitherVaries } = compareSamples(a, b)
  const degreesOfFreedom = first.n + second.n - 2
  if (neitherVaries) {
    return { difference, stdErr: 0, tStatistic: NaN, degreesOfFreedom, pValue: NaN, effectSize: NaN }
  }
  const squares = (first.n - 1) * first.stdDev ** 2 + (second.n - 1) * second.stdDev ** 2
  const pooledStdDev = Math.sqrt(squares / degreesOfFreedom)
  const stdErr = pooledStdDev * Math.sqrt(1 / first.n + 1 / second.n)
  const tStatistic = difference / stdErr
  const pValue = twoSidedTPValue(tStatistic, degreesOfFreedom)
  return { difference, stdErr, tStatistic, degreesOfFreedom, pValue, effectSize: difference / pooledStdDev }
}
