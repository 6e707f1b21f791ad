import { confidenceSequence } from './confidence-sequence.ts'
import type { CaseOrder } from './drawn-order.ts'
import { createRunningTest } from './bets.ts'

interface CaseDifference {
  testCaseId: string
  difference: number
  weight: number
}

interface OrderedComparison {
  /** 1/(the most evidence at any look), at most 1: right however often one looked and whenever one stopped. */
  p: number
  confidence95: [number, number]
}

function compareInOneOrder(cases: readonly CaseDifference[], order: CaseOrder, alpha: number): OrderedComparison {
  const placeOf = ({ testCaseId }: CaseDifference) => order.places.get(testCaseId) ?? order.places.size
  const sorted = cases.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.testCaseId < b.testCaseId ? -1 : 1))
  const heaviest = cases.reduce((most, { weight }) => Math.max(most, weight), order.heaviest)
  const test = createRunningTest()
  let most = 0
  for (const { difference, weight } of sorted) {
    test.add((difference * weight) / heaviest)
    most = Math.max(most, test.logEvidence())
  }
  const { low, high } = confidenceSequence(
    sorted.map(({ difference }) => difference),
    { alpha, weights: sorted.map(({ weight }) => weight / heaviest) },
  )
  return { p: Math.exp(-most), confidence95: [low, high] }
}

/**
 * Compares two models case by case in the drawn orders of runs that may have stopped because of what they saw. With
 * several such orders the weakest evidence and the widest interval count: stopping may have favoured any of them.
 */
export function compareInOrder(
  cases: readonly CaseDifference[],
  orders: readonly CaseOrder[],
  alpha: number,
): OrderedComparison {
  const compared = orders.map((order) => compareInOneOrder(cases, order, alpha))
  return {
    p: Math.max(...compared.map(({ p }) => p)),
    confidence95: [
      Math.min(...compared.map(({ confidence95: [low] }) => low)),
      Math.max(...compared.map(({ confidence95: [, high] }) => high)),
    ],
  }
}
