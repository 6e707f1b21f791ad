import { clamp } from '../../contract/index.ts'
import { checkSameLength } from '../numbers/check-arguments.ts'
import { sameScoreTolerance, weightedMoments, type WeightedMoments } from '../numbers/weighted-moments.ts'

/** Pearson's r = Σ(x−x̄)(y−ȳ) / √(Σ(x−x̄)²·Σ(y−ȳ)²) (Pearson, 1895). NaN if either is constant. */
export function pearsonCorrelation(x: ArrayLike<number>, y: ArrayLike<number>): number {
  checkSameLength(x, y, 'x and y')
  const first = weightedMoments(x)
  const second = weightedMoments(y)
  if (isConstant(first) || isConstant(second)) return NaN
  let sum = 0
  for (let i = 0; i < first.n; i++) {
    sum += ((x[i]! - first.mean) / first.stdDev) * ((y[i]! - second.mean) / second.stdDev)
  }
  return clamp(sum / (first.n - 1), -1)
}

/** Relative to the size of the values: the rounding errors of a constant would correlate at random. */
function isConstant({ min, max }: WeightedMoments): boolean {
  return max - min <= sameScoreTolerance * Math.max(Math.abs(min), Math.abs(max))
}
