import { InputError, type RunResult, type WeightedCase } from '../contract/index.ts'
import {
  aggregateScores,
  compareAllModels,
  compareModels,
  repeatStats,
  multiRunStats,
  rateModels,
  type AggregateScore,
  type Rating,
  type ModelComparison,
  type MultiRunStats,
  type RepeatStats,
} from '../statistics/index.ts'

/** Runs and their statistics. Weights come from `testCases`, or from the run's own suite if they are not given. */
export interface RunStore {
  readonly runs: readonly RunResult[]
  /** Each model's weighted mean in a run, 0 to 1. */
  getAggregateScores(runId: string, testCases?: readonly WeightedCase[]): Map<string, number>
  getDetailedAggregateScores(runId: string, testCases?: readonly WeightedCase[]): Map<string, AggregateScore>
  getMultiRunStats(runIds: readonly string[], testCases?: readonly WeightedCase[]): Map<string, MultiRunStats>
  /** `null` with fewer than 2 runs of either model. */
  compareModels(
    runIds: readonly string[],
    modelA: string,
    modelB: string,
    testCases?: readonly WeightedCase[],
  ): ModelComparison | null
  /**
   * Every pair, better model first, with Holm's correction; one run is enough for the paired comparison. With `sameWithin`,
   * `paired.equivalence` says whether the two are practically the same. Both differences are shares: 5 points are 0.05.
   */
  compareAllModels(
    runIds: readonly string[],
    testCases?: readonly WeightedCase[],
    options?: { smallestDifference?: number; sameWithin?: number },
  ): ModelComparison[]
  /** pass@k, pass^k, spread and flaky cases of one model. `passMark` replaces the pass marks of the cases. */
  getRepeatStats(
    runIds: readonly string[],
    modelId: string,
    options?: { passMark?: number; testCases?: readonly WeightedCase[] },
  ): RepeatStats
  /** Elo-style ratings from case-by-case wins. */
  getRatings(runIds: readonly string[], testCases?: readonly WeightedCase[]): Rating[]
}

export function createRunStore(runs: readonly RunResult[]): RunStore {
  const byId = new Map<string, RunResult>()
  for (const run of runs) {
    if (byId.has(run.id)) throw new InputError(`two runs have the id ${JSON.stringify(run.id)}`)
    byId.set(run.id, run)
  }

  const findRun = (runId: string): RunResult => {
    const run = byId.get(runId)
    if (run) return run
    throw new InputError(
      `there is no run ${JSON.stringify(runId)}; there are ${byId.size}: ${[...byId.keys()].slice(0, 5).join(', ')}`,
    )
  }
  // A repeated id counts once: counted twice, the run would look as if it repeated perfectly.
  const findRuns = (runIds: readonly string[]) => [...new Set(runIds)].map(findRun)

  const getDetailedAggregateScores: RunStore['getDetailedAggregateScores'] = (runId, testCases) =>
    aggregateScores(findRun(runId), testCases)

  return {
    runs,
    getAggregateScores: (runId, testCases) =>
      new Map([...getDetailedAggregateScores(runId, testCases)].map(([modelId, { mean }]) => [modelId, mean])),
    getDetailedAggregateScores,
    getMultiRunStats: (runIds, testCases) => multiRunStats(findRuns(runIds), testCases),
    compareModels: (runIds, modelA, modelB, testCases) => compareModels(findRuns(runIds), modelA, modelB, testCases),
    compareAllModels: (runIds, testCases, options) => compareAllModels(findRuns(runIds), testCases, options),
    getRepeatStats: (runIds, modelId, options) => repeatStats(findRuns(runIds), modelId, options),
    getRatings: (runIds, testCases) => rateModels(findRuns(runIds), testCases),
  }
}
