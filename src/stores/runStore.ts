import { InputError, type RunResult, type WeightedCase } from '../contract/index.ts'
import {
  aggregateScores,
  compareAllModels,
  compareModels,
  describeRepeats,
  multiRunStats,
  rateModels,
  type AggregateScore,
  type Rating,
  type ModelComparison,
  type MultiRunStats,
  type RepeatStats,
} from '../statistics/index.ts'

/** Runs, and every number that can be asked of them. `testCases` give the weights; without them the run's own suite does. */
export interface RunStore {
  readonly runs: readonly RunResult[]
  /** Weighted mean of each model in a run, 0 to 1. */
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
  /** Every pair, better model first, corrected for their number; one run is enough for the paired comparison. */
  compareAllModels(runIds: readonly string[], testCases?: readonly WeightedCase[]): ModelComparison[]
  /** pass@k, pass^k, spread and flaky cases of one model. `passMark` is the score from which on an answer passes. */
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

  const find = (runId: string): RunResult => {
    const run = byId.get(runId)
    if (run) return run
    throw new InputError(
      `there is no run ${JSON.stringify(runId)}; there are ${byId.size}: ${[...byId.keys()].slice(0, 5).join(', ')}`,
    )
  }
  // A run named twice is still one run: counted twice it would look like one that repeats perfectly.
  const findAll = (runIds: readonly string[]) => [...new Set(runIds)].map(find)

  const getDetailedAggregateScores: RunStore['getDetailedAggregateScores'] = (runId, testCases) =>
    aggregateScores(find(runId), testCases)

  return {
    runs,
    getAggregateScores: (runId, testCases) =>
      new Map([...getDetailedAggregateScores(runId, testCases)].map(([modelId, { mean }]) => [modelId, mean])),
    getDetailedAggregateScores,
    getMultiRunStats: (runIds, testCases) => multiRunStats(findAll(runIds), testCases),
    compareModels: (runIds, modelA, modelB, testCases) => compareModels(findAll(runIds), modelA, modelB, testCases),
    compareAllModels: (runIds, testCases) => compareAllModels(findAll(runIds), testCases),
    getRepeatStats: (runIds, modelId, options) => describeRepeats(findAll(runIds), modelId, options),
    getRatings: (runIds, testCases) => rateModels(findAll(runIds), testCases),
  }
}
