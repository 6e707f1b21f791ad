import { toScoreTable, type Scores, type WeightedCase } from '../../contract/index.ts'
import type { Game } from './bradley-terry-games.ts'
import { rateBradleyTerry, type Rating } from './bradley-terry.ts'
import { clusterOfGame, listComparedPairs, playComparedPairs } from './pairwise-games.ts'
import { collectRepeats, type RepeatsByCase } from '../run-scores.ts'
import { meanOf, sameScoreTolerance } from '../numbers/weighted-moments.ts'

function outcome(difference: number): number {
  if (Math.abs(difference) <= sameScoreTolerance) return 0.5
  return difference > 0 ? 1 : 0
}

/** Weights relative to their mean: weights of 10 for every case must not count as ten times the games. */
function relativeWeightsOf(models: { cases: RepeatsByCase }[]): (testCaseId: string) => number {
  const weights = new Map(models.flatMap(({ cases }) => [...cases.values()].map((c) => [c.testCaseId, c.weight])))
  const mean = meanOf([...weights.values()])
  return (testCaseId) => weights.get(testCaseId)! / mean
}

/**
 * Elo-style ratings: every pair of models plays one game per case, won by the higher mean score, or by the answer that
 * was found better where answers were compared directly. The games of a case, and of the cases of a cluster, are one
 * cluster: they are not independent.
 */
export function rateModels(given: Scores, testCases?: readonly WeightedCase[]): Rating[] {
  const table = toScoreTable(given, testCases)
  const models = [...collectRepeats(table)].map(([modelId, cases]) => ({ modelId, cases }))
  const weightOf = relativeWeightsOf(models)
  const compared = listComparedPairs(table)
  const comparedCases = new Set(compared.map(({ testCaseId }) => testCaseId))
  const scored = models.flatMap((a, index) =>
    models.slice(index + 1).flatMap((b) =>
      [...a.cases.values()].flatMap((own): Game[] => {
        const { testCaseId, scores } = own
        const other = b.cases.get(testCaseId)
        if (!other || comparedCases.has(testCaseId)) return []
        const scoreA = outcome(meanOf(scores) - meanOf(other.scores))
        return [{ a: a.modelId, b: b.modelId, scoreA, weight: weightOf(testCaseId), cluster: clusterOfGame(own) }]
      }),
    ),
  )
  const games = [...scored, ...playComparedPairs(compared, weightOf)]
  return games.length === 0 ? [] : rateBradleyTerry(games)
}
