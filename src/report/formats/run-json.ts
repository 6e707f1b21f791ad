import { PASS_MARK, type RunReport } from '../model/report.ts'

/** The figures of a model that has no score in the last run: said, not left out. */
const NO_SCORE = {
  mean: null,
  stdDev: null,
  min: null,
  max: null,
  count: 0,
  totalWeight: 0,
  confidence95: null,
  method: null,
  boundsWithMissing: [0, 1],
}

/** In all runs of a series. */
function countMissing({ missing }: RunReport, modelId: string) {
  const { unscored = 0, errors = 0, reasons = {} } = missing.find((summary) => summary.modelId === modelId) ?? {}
  return { unscored, errors, missingReasons: reasons }
}

function describeScore(report: RunReport, modelId: string) {
  const { missing: _missing, ...figures } = report.scores.get(modelId) ?? { ...NO_SCORE, missing: undefined }
  return { ...figures, ...countMissing(report, modelId) }
}

function describeSteadiness({ repeats }: RunReport, modelId: string) {
  const { passAtK, passHatK, flaky } = repeats.get(modelId) ?? {}
  return passAtK && { passMark: PASS_MARK, passAtK, passHatK, flaky }
}

/** Null when nobody said what anything cost: that is not 0. `unknownCosts` beside it counts what is not in the sum. */
function describeCost({ cost, runs }: RunReport): number | null {
  const isAnyKnown =
    cost.unknown === 0 &&
    runs.some(({ results }) => results.length === 0 || results.some((result) => result.cost !== undefined))
  return cost.total > 0 || isAnyKnown ? cost.total : null
}

/**
 * What `--json` prints and a JSON export holds; `parseRunFile` reads it back. Of a series, `scores` has the figures of the last run,
 * with what is missing in all of them; `series` has the figures over runs, with pass@k and pass^k where k = 1 comes first.
 */
export function makeRunDocument(report: RunReport): Record<string, unknown> {
  const { runs, rows, series, comparisons, agreement, cost } = report
  const describeSeries = () =>
    Object.fromEntries(
      Array.from(series, ([modelId, stats]) => [
        modelId,
        { ...stats, ...countMissing(report, modelId), ...describeSteadiness(report, modelId) },
      ]),
    )
  return {
    runs,
    scores: Object.fromEntries(rows.map(({ modelId }) => [modelId, describeScore(report, modelId)])),
    ...(runs.length > 1 && { series: describeSeries() }),
    comparisons: comparisons.map(({ comparison }) => comparison),
    ...(agreement && { judgeAgreement: agreement }),
    cost: describeCost(report),
    ...(cost.unknown > 0 && { unknownCosts: cost.unknown }),
  }
}

export function formatRunJson(report: RunReport): string {
  return `${JSON.stringify(makeRunDocument(report), null, 2)}\n`
}
