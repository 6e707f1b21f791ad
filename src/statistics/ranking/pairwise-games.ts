import { toScoreTable, type Scores, type ScoreTable } from '../../contract/index.ts'
import type { Game } from './bradley-terry-games.ts'

/** One pair of answers to one case, compared directly; over the runs of a series, their mean. */
export interface ComparedPair {
  testCaseId: string
  /** The name of the case's cluster; absent if it is its own. */
  cluster?: string
  modelA: string
  modelB: string
  /** 1 if A won every time, 0 if it lost every time. */
  scoreA: number
}

/** How often the two orders of a pair gave different results. */
export interface OrderEffect {
  /** Pairs that a judge read in both orders. */
  judged: number
  inconsistent: number
}

interface Tally {
  pair: Omit<ComparedPair, 'scoreA'>
  scores: number[]
}

/** Runs that are shown together may have models under other names than their opponents know, which are left out. */
function* readComparisons({ cells, caseIds, clusters, clusterIds, modelIds, comparisons }: ScoreTable) {
  // Most runs have none, and a million cells must not be looked at for nothing.
  if (comparisons.cell.length === 0) return
  const keyOf = (run: number, model: number) => run * modelIds.length + model
  const compared = new Set<number>()
  for (const [cell, isPairwise] of cells.compared.entries())
    if (isPairwise === 1) compared.add(keyOf(cells.run[cell]!, cells.model[cell]!))
  for (const [row, cell] of comparisons.cell.entries())
    if (compared.has(keyOf(cells.run[cell]!, comparisons.opponent[row]!))) {
      const index = cells.case[cell]!
      const cluster = clusterIds[clusters[index]!]
      yield {
        row,
        testCaseId: caseIds[index]!,
        ...(cluster !== undefined && { cluster }),
        modelA: modelIds[cells.model[cell]!]!,
        modelB: modelIds[comparisons.opponent[row]!]!,
      }
    }
}

/** Games on the same case share its answers, and those on cases of one cluster share what these have in common. */
export function clusterOfGame({ testCaseId, cluster }: { testCaseId: string; cluster?: string | undefined }): string {
  return cluster === undefined ? testCaseId : JSON.stringify([cluster])
}

export function listComparedPairs(given: Scores): ComparedPair[] {
  const table = toScoreTable(given)
  const tallies = new Map<string, Tally>()
  for (const { row, ...pair } of readComparisons(table)) {
    const key = JSON.stringify([pair.testCaseId, pair.modelA, pair.modelB])
    const tally = tallies.get(key) ?? { pair, scores: [] }
    tallies.set(key, tally)
    tally.scores.push(table.comparisons.score[row]!)
  }
  return Array.from(tallies.values(), ({ pair, scores }) => ({
    ...pair,
    scoreA: scores.reduce((sum, points) => sum + points, 0) / scores.length,
  }))
}

export function countOrderEffects(given: Scores): OrderEffect {
  const table = toScoreTable(given)
  const effect: OrderEffect = { judged: 0, inconsistent: 0 }
  for (const { row } of readComparisons(table)) {
    effect.judged += table.comparisons.judges[row]!
    effect.inconsistent += table.comparisons.inconsistent[row]!
  }
  return effect
}

/** Compared pairs as games. */
export function playComparedPairs(
  pairs: readonly ComparedPair[],
  weightOf: (testCaseId: string) => number = () => 1,
): Game[] {
  return pairs.map((pair) => ({
    a: pair.modelA,
    b: pair.modelB,
    scoreA: pair.scoreA,
    weight: weightOf(pair.testCaseId),
    cluster: clusterOfGame(pair),
  }))
}
