import { checkNumbers } from '../numbers/check-arguments.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

export interface VarianceComponents {
  caseVariance: number
  /** Null if every case has only one value: then run and case variance cannot be separated. */
  runVariance: number | null
}

/**
 * One-way random-effects analysis of variance by the method of moments, also for groups of unequal size: runVariance =
 * MSW, caseVariance = (MSB − MSW)/n₀ with n₀ = (N − Σnᵢ²/N)/(a−1), at least 0 (Searle, Casella & McCulloch, Variance
 * Components, 1992). Without repeats, caseVariance is the total variance. With weights of the cases, all sums are
 * weighted by them, and the expected values of the sums of squares accordingly.
 */
export function splitVariance(differencesByCase: number[][], weights?: readonly number[]): VarianceComponents {
  const caseCount = differencesByCase.length
  if (caseCount < 2) throw new RangeError(`There are ${caseCount} cases: a variance between cases needs at least 2.`)
  differencesByCase.forEach((values, index) => checkNumbers(values, `differencesByCase[${index}]`))

  const relative = relativeWeights(caseCount, weights)
  const cases = differencesByCase.map((values, index) => {
    const { n, mean, stdDev } = weightedMoments(values)
    return { n, mean, stdDev, weight: relative[index]! }
  })
  const means = cases.map(({ mean }) => mean)
  if (cases.every(({ n }) => n === 1))
    return { caseVariance: weightedMoments(means, weights).stdDev ** 2, runVariance: null }

  const sum = (term: (one: (typeof cases)[number]) => number) => cases.reduce((total, one) => total + term(one), 0)
  const total = sum(({ n, weight }) => weight * n)
  const grandMean = weightedMoments(
    means,
    cases.map(({ n, weight }) => weight * n),
  ).mean
  const betweenSquares = sum(({ n, mean, weight }) => weight * n * (mean - grandMean) ** 2)
  const runVariance =
    sum(({ n, stdDev, weight }) => weight * (n - 1) * stdDev ** 2) / sum(({ n, weight }) => weight * (n - 1))
  const freedom = sum(({ weight }) => weight) - sum(({ n, weight }) => weight ** 2 * n) / total
  const typicalSize = (total - sum(({ n, weight }) => (weight * n) ** 2) / total) / freedom
  const caseVariance = Math.max(0, (betweenSquares / freedom - runVariance) / typicalSize)
  return { caseVariance, runVariance }
}
