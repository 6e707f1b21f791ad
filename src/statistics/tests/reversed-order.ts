import { checkFraction } from '../numbers/check-arguments.ts'

/** One model on one case: whether it passed, and how often it passes other cases. */
export interface RatedPass {
  passed: boolean
  /** Between 0 and 1, both excluded. */
  rate: number
}

/** The sum over all subsets of `size` of the product of their weights: elementary symmetric polynomials. */
function sumOfProducts(weights: readonly number[], size: number): number {
  const sums = [1, ...weights.map(() => 0)]
  for (const weight of weights) for (let k = weights.length; k > 0; k -= 1) sums[k]! += sums[k - 1]! * weight
  return sums[size]!
}

/** More models than this would take too many subsets; the largest and smallest rates decide anyway. */
const MAX_MODELS = 16

function* subsets(count: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let first = from; first <= count - size; first += 1)
    for (const rest of subsets(count, size - 1, first + 1)) yield [first, ...rest]
}

/** The smallest p that so many passes can have: the weakest models are the ones that pass. */
export function smallestReversedP(models: readonly RatedPass[]): number {
  const size = models.filter(({ passed }) => passed).length
  const weakest = models.toSorted((a, b) => a.rate - b.rate)
  return reversedOrderP(weakest.map(({ rate }, index) => ({ rate, passed: index < size })))
}

/**
 * How likely it is that a case is passed by models at least as weak as these, given how many pass it: an exact test in the
 * Rasch model, where the number of passes says all about the difficulty of the case (Andersen 1973). Small if the weak
 * models pass what the strong ones fail. 1 if all or none pass.
 */
export function reversedOrderP(models: readonly RatedPass[]): number {
  for (const { rate } of models) checkFraction(rate, 'rate')
  const chosen = models.length <= MAX_MODELS ? models : models.toSorted((a, b) => a.rate - b.rate)
  const used = chosen === models ? models : [...chosen.slice(0, MAX_MODELS / 2), ...chosen.slice(-MAX_MODELS / 2)]
  const odds = used.map(({ rate }) => rate / (1 - rate))
  const size = used.filter(({ passed }) => passed).length
  if (size === 0 || size === used.length) return 1
  const strengthOf = (indices: readonly number[]) => indices.reduce((sum, index) => sum + Math.log(odds[index]!), 0)
  const observed = strengthOf(used.flatMap(({ passed }, index) => (passed ? [index] : [])))
  let tail = 0
  for (const indices of subsets(used.length, size)) {
    const strength = strengthOf(indices)
    if (strength <= observed + 1e-9) tail += Math.exp(strength)
  }
  return tail / sumOfProducts(odds, size)
}
