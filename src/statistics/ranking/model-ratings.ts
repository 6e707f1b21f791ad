import type { RunResult, WeightedCase } from '../../contract/index.ts'
import type { Game } from './bradley-terry-games.ts'
import { rateBradleyTerry, type Rating } from './bradley-terry.ts'
import { collectRepeats, meanOf } from '../run-scores.ts'
import { sameScoreTolerance } from '../numbers/tolerance.ts'

function outcome(difference: number): number {
  if (Math.abs(difference) <= sameScoreTolerance) return 0.5
  return difference > 0 ? 1 : 0
}

/** Elo-style ratings: every pair of models plays one game per case, won by the higher mean score. */
export function rateModels(runs: readonly RunResult[], testCases?: readonly WeightedCase[]): Rating[] {
  const models = [...collectRepeats(runs, testCases)].map(([modelId, cases]) => ({ modelId, cases }))
  const games = models.flatMap((a, index) =>
    models.slice(index + 1).flatMap((b) =>
      [...a.cases.values()].flatMap(({ testCaseId, weight, scores }): Game[] => {
        const other = b.cases.get(testCaseId)
        if (!other) return []
        return [{ a: a.modelId, b: b.modelId, scoreA: outcome(meanOf(scores) - meanOf(other.scores)), weight }]
      }),
    ),
  )
  return games.length === 0 ? [] : rateBradleyTerry(games)
}
