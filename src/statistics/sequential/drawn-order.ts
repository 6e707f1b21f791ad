import { createRandom, shuffle } from '../numbers/random.ts'
import { decidingOf, type ScoredRun, type ScoreTable, type WeightedCase } from '../../contract/index.ts'

/** The items in an order drawn from the seed. */
export function drawOrder<Item>(items: readonly Item[], seed: string): Item[] {
  return shuffle(items, createRandom(`order ${seed}`))
}

/** The cases of one cluster, which count together, or a case that is its own. */
export type CaseUnit<Case> = readonly [Case, ...Case[]]

/** What counts as one observation, in an order drawn from the seed: the cases themselves if none is in a cluster. */
export function drawUnits<Case extends Pick<WeightedCase, 'id' | 'cluster'>>(
  cases: readonly Case[],
  seed: string,
): CaseUnit<Case>[] {
  const units = Map.groupBy(cases, (testCase) => testCase.cluster ?? testCase)
  return drawOrder([...units.values()] as unknown as CaseUnit<Case>[], seed)
}

const sumWeights = (unit: readonly WeightedCase[]) => unit.reduce((sum, { weight = 1 }) => sum + weight, 0)

/** What the differences of a unit are scaled by, so that they are from −1 to 1. */
export function heaviestOf(units: readonly (readonly WeightedCase[])[]): number {
  return units.reduce((most, unit) => Math.max(most, sumWeights(unit)), 0)
}

export interface CaseOrder {
  /** The place of each case in the order in which a run asked them. */
  places: ReadonlyMap<string, number>
  /** Of all cases, or clusters, asked or not: what bets are scaled by must not depend on what was seen. */
  heaviest: number
}

/** The cases of a run's suite, as they are drawn from. */
export function listSuiteCases(
  { caseIds, clusters, clusterIds }: ScoreTable,
  suite: NonNullable<ScoredRun['suite']>,
): (WeightedCase & { weight: number })[] {
  return Array.from(suite.cases, (index, place) => ({
    id: caseIds[index]!,
    weight: suite.weights[place]!,
    cluster: clusterIds[clusters[index]!],
  }))
}

/**
 * The drawn orders of the runs that may have stopped because of what they saw, each once. A test that may be looked at
 * only once is wrong for their cases; the sequential test in these orders is right.
 */
export function listDecidedOrders(...tables: readonly ScoreTable[]): CaseOrder[] {
  const orders = new Map<string, CaseOrder>()
  for (const table of tables)
    for (const { request, suite } of table.runs) {
      if (!request || !suite || request.orderSeed === undefined || !decidingOf(request)) continue
      if (orders.has(request.orderSeed)) continue
      const units = drawUnits(listSuiteCases(table, suite), request.orderSeed)
      orders.set(request.orderSeed, {
        places: new Map(units.flat().map(({ id }, place) => [id, place])),
        heaviest: heaviestOf(units),
      })
    }
  return [...orders.values()]
}
