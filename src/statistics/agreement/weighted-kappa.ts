import { checkSameLength } from '../numbers/check-arguments.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

/**
 * Cohen's kappa with quadratic weights (Cohen, Psychological Bulletin 70, 1968): 1 − Σ(xᵢ−yᵢ)² / (ΣᵢΣⱼ(xᵢ−yⱼ)²/n),
 * the denominator as Σ(x−x̄)² + Σ(y−ȳ)² + n(x̄−ȳ)². NaN if the expected disagreement is 0.
 */
export function quadraticWeightedKappa(a: number[], b: number[]): number {
  checkSameLength(a, b, 'the ratings of the two raters')
  const first = weightedMoments(a)
  const second = weightedMoments(b)
  const varied = (first.n - 1) * (first.stdDev ** 2 + second.stdDev ** 2)
  const expected = varied + first.n * (first.mean - second.mean) ** 2
  if (expected === 0) return NaN
  const observed = a.reduce((sum, x, i) => sum + (x - b[i]!) ** 2, 0)
  return 1 - observed / expected
}
