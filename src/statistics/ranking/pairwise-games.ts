import type { RunResult } from '../../contract/index.ts'
import type { Game } from './bradley-terry-games.ts'

/** One pair of answers to one case, compared directly; over the runs of a series, their mean. */
export interface ComparedPair {
  testCaseId: string
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

/**
 * Every pair is stored with both of its answers: it is read where its model comes first by name. Runs that are shown
 * together may have models under other names than their opponents know, which are left out.
 */
function* readComparisons({ results }: RunResult) {
  // Most runs have none, and a million cells must not become a list of names for nothing.
  const compared = results.filter(({ score }) => score?.comparisons)
  const models = new Set(compared.map(({ modelId }) => modelId))
  for (const { testCaseId, modelId, score } of compared)
    for (const comparison of score!.comparisons!)
      if (modelId < comparison.opponentId && models.has(comparison.opponentId))
        yield { testCaseId, modelId, ...comparison }
}

export function listComparedPairs(runs: readonly RunResult[]): ComparedPair[] {
  const tallies = new Map<string, Tally>()
  for (const run of runs)
    for (const { testCaseId, modelId, opponentId, score: points } of readComparisons(run)) {
      const key = JSON.stringify([testCaseId, modelId, opponentId])
      const tally = tallies.get(key) ?? { pair: { testCaseId, modelA: modelId, modelB: opponentId }, scores: [] }
      tallies.set(key, tally)
      tally.scores.push(points)
    }
  return Array.from(tallies.values(), ({ pair, scores }) => ({
    ...pair,
    scoreA: scores.reduce((sum, points) => sum + points, 0) / scores.length,
  }))
}

export function countOrderEffects(runs: readonly RunResult[]): OrderEffect {
  const effect: OrderEffect = { judged: 0, inconsistent: 0 }
  for (const run of runs)
    for (const { judges = [] } of readComparisons(run)) {
      effect.judged += judges.length
      effect.inconsistent += judges.filter(({ isConsistent }) => !isConsistent).length
    }
  return effect
}

/** Compared pairs as games. The games of a case are one cluster: they share its answers. */
export function playComparedPairs(
  pairs: readonly ComparedPair[],
  weightOf: (testCaseId: string) => number = () => 1,
): Game[] {
  return pairs.map(({ testCaseId, modelA, modelB, scoreA }) => ({
    a: modelA,
    b: modelB,
    scoreA,
    weight: weightOf(testCaseId),
    cluster: testCaseId,
  }))
}
