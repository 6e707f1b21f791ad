import { createRandom, shuffle } from '../numbers/random.ts'
import { decidingOf, type ScoreTable } from '../../contract/index.ts'

/** The items in an order drawn from the seed. */
export function drawOrder<Item>(items: readonly Item[], seed: string): Item[] {
  return shuffle(items, createRandom(`order ${seed}`))
}

export interface CaseOrder {
  /** The place of each case in the order in which a run asked them. */
  places: ReadonlyMap<string, number>
  /** The largest weight of all cases, asked or not: what bets are scaled by must not depend on what was seen. */
  heaviest: number
}

/**
 * The drawn orders of the runs that may have stopped because of what they saw, each once. A test that may be looked at
 * only once is wrong for their cases; the sequential test in these orders is right.
 */
export function listDecidedOrders(...tables: readonly ScoreTable[]): CaseOrder[] {
  const orders = new Map<string, CaseOrder>()
  for (const { runs, caseIds } of tables)
    for (const { request, suite } of runs) {
      if (!request || !suite || request.orderSeed === undefined || !decidingOf(request)) continue
      if (orders.has(request.orderSeed)) continue
      const ids = Array.from(suite.cases, (index) => ({ id: caseIds[index]! }))
      orders.set(request.orderSeed, {
        places: new Map(drawOrder(ids, request.orderSeed).map(({ id }, place) => [id, place])),
        heaviest: suite.weights.reduce((most, weight) => Math.max(most, weight), 0),
      })
    }
  return [...orders.values()]
}
