import type { RunReport } from './report.ts'

/** The figures of a model that has no score in the last run: said, not left out. */
const NO_SCORE = { mean: null, stdDev: null, min: null, max: null, count: 0, totalWeight: 0, confidence95: null, method: null }

/** What `--json` prints and a JSON export holds; `parseRunFile` reads it back. */
export function makeRunDocument({ runs, rows, scores, series, comparisons, missing, agreement, cost }: RunReport): Record<string, unknown> {
  const missingOf = new Map(missing.map((summary) => [summary.modelId, summary]))
  return {
    runs,
    scores: Object.fromEntries(
      rows.map(({ modelId }) => {
        const score = scores.get(modelId)
        if (score) {
          const { missing: gone, ...figures } = score
          return [modelId, { ...figures, unscored: gone.unscored, errors: gone.errors, missingReasons: gone.reasons }]
        }
        const { unscored = 0, errors = 0, reasons = {} } = missingOf.get(modelId) ?? {}
        return [modelId, { ...NO_SCORE, boundsWithMissing: [0, 1], unscored, errors, missingReasons: reasons }]
      }),
    ),
    ...(runs.length > 1 && { series: Object.fromEntries(series) }),
    comparisons: comparisons.map(({ comparison }) => comparison),
    ...(agreement && { judgeAgreement: agreement }),
    cost: cost.total,
    ...(cost.unknown > 0 && { unknownCosts: cost.unknown }),
  }
}

export function formatRunJson(report: RunReport): string {
  return `${JSON.stringify(makeRunDocument(report), null, 2)}\n`
}
