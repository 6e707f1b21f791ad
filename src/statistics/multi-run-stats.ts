import { toScoreTable, type Scores, type WeightedCase } from '../contract/index.ts'
import { indexClusters } from './clusters/clustered-moments.ts'
import { caseInterval } from './intervals/case-interval.ts'
import type { Interval, IntervalMethod } from './intervals/interval.ts'
import { estimatePassRate, type PassRate } from './pass-rate.ts'
import { combineRepeats, scoresOfModel, scoresOfRuns, type ModelScores } from './run-scores.ts'
import { tInterval } from './intervals/t-interval.ts'
import { meanOf, sameScoreTolerance, weightedMoments } from './numbers/weighted-moments.ts'

/** One model's results over the runs of a series. */
export interface MultiRunStats extends PassRate {
  /** The runs in which the model has a score. */
  runIds: string[]
  modelId: string
  /** The model's weighted mean in each of those runs. */
  scores: number[]
  /** Of those run scores. A run in which cases have no score counts like any other. */
  mean: number
  /** Sample standard deviation over runs; 0 for one run. */
  stdDev: number
  min: number
  max: number
  /** 95 % interval of the mean over more runs of the same cases; for one run, the interval over cases. */
  confidence95: [number, number]
  method: IntervalMethod
  /**
   * The mean and the standard deviation with the repeats of each case averaged first, and the mean's 95 % interval over
   * more cases like these, which are in `clusters` clusters. The same mean as over runs if no score is missing.
   */
  overCases: Interval & { mean: number; stdDev: number; n: number; clusters: number }
  /** Scored answers over all runs. */
  count: number
}

/**
 * Runs with the same mean still say little about the next one: with n cases and R runs, n·(R − 1) repeats showed no
 * change, so the chance of one is at most u = 1 − 0.05^(1/(n·(R−1))), and the mean may move by that much.
 */
function intervalOfIdenticalRuns(mean: number, cases: number, runs: number): Interval {
  const unseen = -Math.expm1(Math.log(0.05) / (cases * (runs - 1)))
  return { low: Math.max(0, mean - unseen), high: Math.min(1, mean + unseen), method: 'identical-runs' }
}

function intervalOverRuns(scores: number[], overCases: MultiRunStats['overCases']): Interval {
  const { n, mean, stdErr, min, max } = weightedMoments(scores)
  if (n === 1) return overCases
  if (max - min <= sameScoreTolerance) return intervalOfIdenticalRuns(mean, overCases.n, n)
  return tInterval({ mean, stdErr, degreesOfFreedom: n - 1, bounds: [0, 1] })
}

function statsOverCases(runs: ModelScores[]): Pick<MultiRunStats, 'overCases' | 'count' | keyof PassRate> {
  const describe = (scores: number[], weights: number[], clusters: (string | undefined)[]) => {
    const { mean, stdDev } = weightedMoments(scores, weights)
    return {
      ...caseInterval(scores, weights, clusters),
      mean,
      stdDev,
      n: scores.length,
      clusters: indexClusters(scores.length, clusters).count,
    }
  }
  const [only] = runs
  // Without repeats there is nothing to average: skip creating an object per case.
  if (only && runs.length === 1)
    return {
      overCases: describe(only.scores, only.weights, only.clusters),
      ...estimatePassRate({ passes: only.passed, weights: only.weights, clusters: only.clusters }),
      count: only.scores.length,
    }
  const cases = [...combineRepeats(runs).values()]
  const weights = cases.map(({ weight }) => weight)
  const clusters = cases.map(({ cluster }) => cluster)
  const answers = cases.map(({ scores }) => scores.length)
  const means = cases.map(({ scores }) => meanOf(scores))
  return {
    overCases: describe(means, weights, clusters),
    ...estimatePassRate({ passes: cases.map(({ passes }) => passes), answers, weights, clusters }),
    count: answers.reduce((sum, count) => sum + count, 0),
  }
}

/** The mean of each model with the repeats of each case averaged first, as the leaderboard has it. */
export function meansOverCases(scores: Scores): Map<string, number> {
  return new Map(Array.from(multiRunStats(scores), ([modelId, { overCases }]) => [modelId, overCases.mean]))
}

/** Statistics over the runs of a series, for each model that has a score in at least one of them. */
export function multiRunStats(given: Scores, testCases?: readonly WeightedCase[]): Map<string, MultiRunStats> {
  const table = toScoreTable(given, testCases)
  const means = new Map<string, { runId: string; mean: number }[]>()
  for (const [index, byModel] of scoresOfRuns(table).entries())
    for (const [modelId, { scores, weights }] of byModel) {
      if (scores.length === 0) continue
      const entry = { runId: table.runs[index]!.id, mean: weightedMoments(scores, weights).mean }
      means.set(modelId, [...(means.get(modelId) ?? []), entry])
    }

  const stats = new Map<string, MultiRunStats>()
  for (const [modelId, entries] of means) {
    const scores = entries.map(({ mean }) => mean)
    const ofCases = statsOverCases(scoresOfModel(table, modelId))
    const { low, high, method } = intervalOverRuns(scores, ofCases.overCases)
    const { mean, stdDev, min, max } = weightedMoments(scores)
    const runIds = entries.map(({ runId }) => runId)
    stats.set(modelId, {
      runIds,
      modelId,
      scores,
      mean,
      stdDev,
      min,
      max,
      confidence95: [low, high],
      method,
      ...ofCases,
    })
  }
  return stats
}
