import { toScoreTable, type Scores, type ScoreTable, type WeightedCase } from '../contract/index.ts'
import { caseInterval } from './intervals/case-interval.ts'
import type { IntervalMethod } from './intervals/interval.ts'
import { summariseMissing } from './missing-cells.ts'
import { multiRunStats } from './multi-run-stats.ts'
import { estimatePassRate, type PassRate } from './pass-rate.ts'
import { noneMissing, scoresOfModel, scoresOfRuns, type MissingCells, type ModelScores } from './run-scores.ts'
import type { SharedScores } from './shared-scores.ts'
import { weightedMoments } from './numbers/weighted-moments.ts'

/** One model's result in one run. */
export interface AggregateScore extends PassRate {
  /** Weighted mean, 0 to 1. */
  mean: number
  /** Unbiased weighted standard deviation over cases. */
  stdDev: number
  min: number
  max: number
  /** Number of scored results. */
  count: number
  totalWeight: number
  /** 95 % interval of the mean over similar cases. */
  confidence95: [number, number]
  method: IntervalMethod
  missing: MissingCells
  /** The mean if all missing cells scored 0, and if they all scored 1. */
  boundsWithMissing: [number, number]
}

/** One model's cells, of which at least one has a score. */
export function aggregate({ scores, weights, clusters, passed, missing }: ModelScores): AggregateScore {
  const { n, mean, stdDev, min, max, totalWeight } = weightedMoments(scores, weights)
  const { low, high, method } = caseInterval(scores, weights, clusters)
  const fullWeight = totalWeight + missing.weight
  return {
    mean,
    stdDev,
    min,
    max,
    count: n,
    totalWeight,
    confidence95: [low, high],
    method,
    ...estimatePassRate({ passes: passed, weights, clusters }),
    missing,
    // With nothing missing, the mean itself: multiplying and dividing again would change its last digit.
    boundsWithMissing:
      missing.weight === 0
        ? [mean, mean]
        : [(mean * totalWeight) / fullWeight, (mean * totalWeight + missing.weight) / fullWeight],
  }
}

/** Full statistics for each model of a run, the last if there are several; models without any score are left out. */
export function aggregateScores(scores: Scores, testCases?: readonly WeightedCase[]): Map<string, AggregateScore> {
  const ofLastRun = scoresOfRuns(toScoreTable(scores, testCases)).at(-1) ?? new Map<string, ModelScores>()
  return new Map(
    [...ofLastRun].filter(([, { scores: own }]) => own.length > 0).map(([id, own]) => [id, aggregate(own)]),
  )
}

/**
 * The same over all given runs, each case averaged over its runs first, on the cases that all ranked models have if not
 * all have the same. `count`, `totalWeight`, `min` and `max` are over all answers.
 */
export function poolScores(table: ScoreTable, shared?: SharedScores): Map<string, AggregateScore> {
  const pooled = new Map<string, AggregateScore>()
  const missingOf = new Map(summariseMissing(table).map((summary) => [summary.modelId, summary]))
  const onShared = shared && multiRunStats(shared.table)
  for (const [modelId, own] of multiRunStats(table)) {
    const counted = onShared?.get(modelId)
    const { overCases, count, passed, passRate, passRateConfidence95 } = counted ?? own
    const runs = scoresOfModel(counted ? shared!.table : table, modelId)
    const { min, max, totalWeight } = weightedMoments(
      runs.flatMap(({ scores }) => scores),
      runs.flatMap(({ weights }) => weights),
    )
    const { mean, stdDev, low, high, method } = overCases
    const summary = missingOf.get(modelId)
    pooled.set(modelId, {
      mean,
      stdDev,
      min,
      max,
      count,
      totalWeight,
      confidence95: [low, high],
      method,
      passed,
      passRate,
      passRateConfidence95,
      missing: summary ?? noneMissing(),
      boundsWithMissing: shared?.own.get(modelId)?.boundsWithMissing ?? summary?.boundsWithMissing ?? [mean, mean],
    })
  }
  return pooled
}
