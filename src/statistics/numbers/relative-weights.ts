import { checkSameLength } from './check-arguments.ts'

/** Below this share of the largest weight, squares and products would underflow to 0 and give 0/0. */
const minRelativeWeight = 1e-200

/** The weights divided by the largest, so that their scale does not matter; all 1 without weights. */
export function relativeWeights(length: number, weights?: ArrayLike<number>): Float64Array {
  const relative = new Float64Array(length)
  if (!weights) return relative.fill(1)
  checkSameLength(relative, weights, 'values and weights')
  let heaviest = 0
  for (let i = 0; i < length; i++) {
    const weight = weights[i]!
    if (!(Number.isFinite(weight) && weight > 0)) {
      throw new RangeError(`weights[${i}] is ${weight}: every weight must be a finite number above 0.`)
    }
    if (weight > heaviest) heaviest = weight
  }
  for (let i = 0; i < length; i++) relative[i] = Math.max(weights[i]! / heaviest, minRelativeWeight)
  return relative
}
