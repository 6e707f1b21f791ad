import { confidenceSequence } from './confidence-sequence.ts'
import { heaviestOf, type CaseOrder } from './drawn-order.ts'
import { createRunningTest } from './bets.ts'
import { clipDifference } from '../tests/difference-interval.ts'

interface CaseDifference {
  testCaseId: string
  cluster?: string | undefined
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
  const units = [...Map.groupBy(sorted, (one) => one.cluster ?? one).values()]
  const heaviest = Math.max(
    order.heaviest,
    heaviestOf(units.map((unit) => unit.map(({ weight }) => ({ id: '', weight })))),
  )
  const observed = units.map((unit) => {
    const weight = unit.reduce((sum, one) => sum + one.weight, 0)
    const sum = unit.reduce((total, one) => total + one.weight * one.difference, 0)
    return { weight: weight / heaviest, sum: clipDifference(sum / heaviest), mean: clipDifference(sum / weight) }
  })
  const test = createRunningTest()
  let most = 0
  for (const { sum } of observed) {
    test.add(sum)
    most = Math.max(most, test.logEvidence())
  }
  const { low, high } = confidenceSequence(
    observed.map(({ mean }) => mean),
    { alpha, weights: observed.map(({ weight }) => weight) },
  )
  return { p: Math.exp(-most), confidence95: [low, high] }
}

/**
 * Compares two models case by case, or cluster by cluster, in the drawn orders of runs that may have stopped because of
 * what they saw. With several such orders the weakest evidence and the widest interval count: stopping may have favoured
 * any of them.
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
