import { checkNumbers } from '../numbers/check-arguments.ts'
import { sameScoreTolerance } from '../numbers/weighted-moments.ts'

/**
 * Kendall's τ-b: 1 if two lists of values put their items in the same order, −1 if in the opposite one. Pairs that are
 * tied in one list count half against it (Kendall, Biometrika 33, 1945). NaN if all values of a list are the same.
 */
export function kendallTau(a: number[], b: number[]): number {
  checkNumbers(a, 'a')
  checkNumbers(b, 'b')
  if (a.length !== b.length) throw new RangeError(`a has ${a.length} values and b ${b.length}: they must be pairs.`)
  const sign = (difference: number) => (Math.abs(difference) <= sameScoreTolerance ? 0 : Math.sign(difference))
  let [sum, distinctA, distinctB] = [0, 0, 0]
  for (let i = 0; i < a.length; i++)
    for (let j = 0; j < i; j++) {
      const [signA, signB] = [sign(a[i]! - a[j]!), sign(b[i]! - b[j]!)]
      sum += signA * signB
      distinctA += Math.abs(signA)
      distinctB += Math.abs(signB)
    }
  return sum / Math.sqrt(distinctA * distinctB)
}
