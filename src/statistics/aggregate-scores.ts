import type { RunResult, WeightedCase } from '../contract/index.ts'
import { caseInterval } from './intervals/case-interval.ts'
import type { IntervalMethod } from './intervals/interval.ts'
import { estimatePassRate, type PassRate } from './pass-rate.ts'
import { collectScores, type MissingCells, type ModelScores } from './run-scores.ts'
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

function aggregate({ scores, weights, passed, missing }: ModelScores): AggregateScore {
  const { n, mean, stdDev, min, max, totalWeight } = weightedMoments(scores, weights)
  const { low, high, method } = caseInterval(scores, weights)
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
    ...estimatePassRate({ passes: passed.map(Number), weights }),
    missing,
    // With nothing missing, the mean itself: multiplying and dividing again would change its last digit.
    boundsWithMissing:
      missing.weight === 0
        ? [mean, mean]
        : [(mean * totalWeight) / fullWeight, (mean * totalWeight + missing.weight) / fullWeight],
  }
}

/** Full statistics for each model of a run; models without any score are left out. */
export function aggregateScores(run: RunResult, testCases?: readonly WeightedCase[]): Map<string, AggregateScore> {
  return aggregateCollected(collectScores(run, testCases))
}

export function aggregateCollected(byModel: Map<string, ModelScores>): Map<string, AggregateScore> {
  const aggregates = new Map<string, AggregateScore>()
  for (const [modelId, scores] of byModel) if (scores.scores.length > 0) aggregates.set(modelId, aggregate(scores))
  return aggregates
}
