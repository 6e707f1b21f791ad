import { checkNumbers } from '../numbers/check-arguments.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

export interface VarianceComponents {
  caseVariance: number
  /** Null if every case has only one value: then run and case variance cannot be separated. */
  runVariance: number | null
}

/**
 * One-way random-effects analysis of variance by the method of moments, also for groups of unequal size: runVariance =
 * MSW, caseVariance = (MSB − MSW)/n₀ with n₀ = (N − Σnᵢ²/N)/(a−1), at least 0 (Searle, Casella & McCulloch, Variance
 * Components, 1992). Without repeats, caseVariance is the total variance.
 */
export function splitVariance(differencesByCase: number[][]): VarianceComponents {
  const caseCount = differencesByCase.length
  if (caseCount < 2) throw new RangeError(`There are ${caseCount} cases: a variance between cases needs at least 2.`)
  differencesByCase.forEach((values, index) => checkNumbers(values, `differencesByCase[${index}]`))

  const cases = differencesByCase.map((values) => weightedMoments(values))
  const sizes = cases.map(({ n }) => n)
  const total = sizes.reduce((sum, n) => sum + n, 0)
  const means = cases.map(({ mean }) => mean)
  if (total === caseCount) return { caseVariance: weightedMoments(means).stdDev ** 2, runVariance: null }

  const grandMean = weightedMoments(means, sizes).mean
  const betweenSquares = cases.reduce((sum, { n, mean }) => sum + n * (mean - grandMean) ** 2, 0)
  const withinSquares = cases.reduce((sum, { n, stdDev }) => sum + (n - 1) * stdDev ** 2, 0)
  const runVariance = withinSquares / (total - caseCount)
  const typicalSize = (total - sizes.reduce((sum, n) => sum + n * n, 0) / total) / (caseCount - 1)
  const caseVariance = Math.max(0, (betweenSquares / (caseCount - 1) - runVariance) / typicalSize)
  return { caseVariance, runVariance }
}
