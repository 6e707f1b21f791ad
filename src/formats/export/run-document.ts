import type { RunResult } from '../../contract/index.ts'
import { PASS_MARK, type RunReport } from './report.ts'
import { makeRunDocument } from './run-json.ts'

/** Null when nobody said what anything cost: that is not 0. `unknownCosts` beside it counts what is not in the sum. */
function describeCost({ cost, runs }: RunReport): number | null {
  const isAnyKnown = cost.unknown === 0 && runs.some(({ results }) => results.length === 0 || results.some((result) => result.cost !== undefined))
  return cost.total > 0 || isAnyKnown ? cost.total : null
}

/** What is missing of each model in all runs of the series. */
function countMissing({ missing }: RunReport, modelId: string) {
  const { unscored = 0, errors = 0, reasons = {} } = missing.find((summary) => summary.modelId === modelId) ?? {}
  return { unscored, errors, missingReasons: reasons }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapModels(models: unknown, add: (modelId: string) => Record<string, unknown>): Record<string, unknown> {
  const entries = isRecord(models) ? Object.entries(models) : []
  return Object.fromEntries(entries.map(([modelId, figures]) => [modelId, isRecord(figures) ? { ...figures, ...add(modelId) } : figures]))
}

function isSeries(runs: readonly RunResult[]): boolean {
  return runs.length > 1
}

/**
 * What `--json` prints and a JSON export holds. Of a series, `scores` has the figures of the last run, with what is missing in
 * all of them; `series` has the figures over runs, with pass@k and pass^k where k = 1 comes first.
 */
export function formatRunDocument(report: RunReport): string {
  const { runs, repeats } = report
  const { cost: _cost, unknownCosts, series, scores, ...document } = makeRunDocument(report)
  const steadiness = (modelId: string) => {
    const { passAtK, passHatK, flaky } = repeats.get(modelId) ?? {}
    return { ...countMissing(report, modelId), ...(passAtK && { passMark: PASS_MARK, passAtK, passHatK, flaky }) }
  }
  const { runs: listed, ...rest } = document
  const whole = {
    runs: listed,
    scores: isSeries(runs) ? mapModels(scores, (modelId) => countMissing(report, modelId)) : scores,
    ...(isSeries(runs) && { series: mapModels(series, steadiness) }),
    ...rest,
    cost: describeCost(report),
    ...(unknownCosts !== undefined && { unknownCosts }),
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}
