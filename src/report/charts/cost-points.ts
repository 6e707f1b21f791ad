import type { CostReport } from '../../statistics/index.ts'
import type { ReportRow } from '../model/standings/report-row.ts'
import type { ScatterPoint } from './scatter.ts'

/** A cost is drawn for so many answers: that of one has too many zeros. */
const ANSWERS = 1000

/** Score against cost with both intervals, for each model that has both. */
export function listCostPoints(
  { models }: CostReport,
  rows: readonly Pick<ReportRow, 'modelId' | 'score'>[],
): ScatterPoint[] {
  const scores = new Map(rows.map(({ modelId, score }) => [modelId, score]))
  return models.flatMap(({ modelId, cost }): ScatterPoint[] => {
    const score = scores.get(modelId)
    if (!cost || !score) return []
    const { mean, low, high } = cost
    return [
      {
        id: modelId,
        x: mean * ANSWERS,
        ...(low !== undefined && high !== undefined && { xLow: low * ANSWERS, xHigh: high * ANSWERS }),
        mean: score.mean,
        low: score.low,
        high: score.high,
      },
    ]
  })
}
