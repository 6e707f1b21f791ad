import type { RunResult, WeightedCase } from '../contract/index.ts'
import { collectScores, meanOf, type MissingCells } from './run-scores.ts'

/** One model's cells without a score over the runs of a series. */
export interface MissingSummary extends MissingCells {
  modelId: string
  cells: number
  /** The mean over runs were all missing cells 0, and were they all 1. */
  boundsWithMissing: [number, number]
}

/** What is missing of each model, those without a single score included; models with nothing missing are left out. */
export function summariseMissing(runs: readonly RunResult[], testCases?: readonly WeightedCase[]): MissingSummary[] {
  const byModel = new Map<string, MissingSummary & { bounds: [number, number][] }>()
  for (const run of runs)
    for (const [modelId, { scores, weights, missing }] of collectScores(run, testCases)) {
      const summary = byModel.get(modelId) ?? { modelId, cells: 0, unscored: 0, errors: 0, weight: 0, reasons: {}, boundsWithMissing: [0, 1], bounds: [] }
      byModel.set(modelId, summary)
      summary.cells += scores.length + missing.unscored + missing.errors
      summary.unscored += missing.unscored
      summary.errors += missing.errors
      summary.weight += missing.weight
      for (const [reason, times] of Object.entries(missing.reasons)) summary.reasons[reason] = (summary.reasons[reason] ?? 0) + times
      const reached = scores.reduce((sum, score, index) => sum + score * weights[index]!, 0)
      const full = weights.reduce((sum, weight) => sum + weight, missing.weight)
      summary.bounds.push([reached / full, (reached + missing.weight) / full])
    }
  return [...byModel.values()]
    .filter(({ unscored, errors }) => unscored + errors > 0)
    .map(({ bounds, ...summary }) => ({
      ...summary,
      boundsWithMissing: [meanOf(bounds.map(([low]) => low)), meanOf(bounds.map(([, high]) => high))],
    }))
}
