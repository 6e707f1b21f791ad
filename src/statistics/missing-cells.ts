import {
  isCutShort,
  toScoreTable,
  type CellResult,
  type RunResult,
  type Scores,
  type WeightedCase,
} from '../contract/index.ts'
import { countWithoutScore, noneMissing, scoresOfRuns, type MissingCells } from './run-scores.ts'
import { meanOf } from './numbers/weighted-moments.ts'

/** Cells of the run's models and suite that have no result. */
export function listUnfinished({
  models,
  results,
  testSuiteSnapshot,
}: RunResult): Pick<CellResult, 'testCaseId' | 'modelId'>[] {
  const testCases = testSuiteSnapshot?.testCases ?? []
  const finished = new Map<string, Set<string>>(models.map((modelId) => [modelId, new Set()]))
  for (const { modelId, testCaseId } of results) finished.get(modelId)?.add(testCaseId)
  return testCases.flatMap(({ id }) =>
    models.filter((modelId) => !finished.get(modelId)?.has(id)).map((modelId) => ({ testCaseId: id, modelId })),
  )
}

/** Adds a result to every cell that was not run, so that it is counted. */
export function addUnfinished(run: RunResult): RunResult {
  if (!isCutShort(run)) return run
  const unfinished = listUnfinished(run)
  if (unfinished.length === 0) return run
  return {
    ...run,
    results: [
      ...run.results,
      ...unfinished.map((cell): CellResult => ({ ...cell, status: 'cancelled', outcome: 'cancelled' })),
    ],
  }
}

/** The cells of one model without a score, over the runs of a series. */
export interface MissingSummary extends MissingCells {
  modelId: string
  cells: number
  /** The mean over runs if all missing cells scored 0, and if they all scored 1. */
  boundsWithMissing: [number, number]
}

/** What each model is missing, even if it has no score at all; models with nothing missing are left out. */
export function summariseMissing(given: Scores, testCases?: readonly WeightedCase[]): MissingSummary[] {
  const byModel = new Map<string, MissingSummary & { bounds: [number, number][] }>()
  for (const ofRun of scoresOfRuns(toScoreTable(given, testCases)))
    for (const [modelId, { scores, weights, missing }] of ofRun) {
      const summary = byModel.get(modelId) ?? {
        modelId,
        cells: 0,
        ...noneMissing(),
        boundsWithMissing: [0, 1],
        bounds: [],
      }
      byModel.set(modelId, summary)
      summary.cells += scores.length + countWithoutScore(missing)
      summary.unscored += missing.unscored
      summary.errors += missing.errors
      summary.notRun += missing.notRun
      summary.weight += missing.weight
      for (const [reason, times] of Object.entries(missing.reasons))
        summary.reasons[reason] = (summary.reasons[reason] ?? 0) + times
      const reached = scores.reduce((sum, score, index) => sum + score * weights[index]!, 0)
      const full = weights.reduce((sum, weight) => sum + weight, missing.weight)
      if (full > 0) summary.bounds.push([reached / full, (reached + missing.weight) / full])
    }
  return [...byModel.values()]
    .filter((summary) => countWithoutScore(summary) > 0)
    .map(({ bounds, ...summary }) => ({
      ...summary,
      ...(bounds.length > 0 && {
        boundsWithMissing: [meanOf(bounds.map(([low]) => low)), meanOf(bounds.map(([, high]) => high))] as [
          number,
          number,
        ],
      }),
    }))
}
