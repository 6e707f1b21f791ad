import { multiRunStats, type MissingSummary, type MultiRunStats, type SharedScores } from '../../../statistics/index.ts'
import type { ReportRow } from './report-row.ts'

/** Each model on the cases that count for it: the shared ones, or its own if it is not ranked. Best first. */
export function orderStats(own: Map<string, MultiRunStats>, shared: SharedScores | undefined): MultiRunStats[] {
  const onShared = shared && multiRunStats(shared.table)
  const isLeftOut = ({ modelId }: MultiRunStats) => Number(shared?.leftOut.includes(modelId) ?? false)
  return Array.from(own, ([modelId, stats]) => onShared?.get(modelId) ?? stats).toSorted(
    (a, b) => isLeftOut(a) - isLeftOut(b) || b.overCases.mean - a.overCases.mean,
  )
}

/** What a model has of its own, where not all models have the same cases. */
export function findOwn(
  { modelId, count, overCases: { mean } }: MultiRunStats,
  shared: SharedScores | undefined,
): Pick<ReportRow, 'own' | 'isLeftOut'> {
  const own = shared?.own.get(modelId)
  return {
    ...(own && { own: { mean, count, ...own } }),
    ...(shared?.leftOut.includes(modelId) && { isLeftOut: true as const }),
  }
}

/** A model's bounds are over all cases that any shown model was given. */
export function boundMissing(missing: MissingSummary[], shared: SharedScores | undefined): MissingSummary[] {
  return missing.map((summary) => {
    const own = shared?.own.get(summary.modelId)
    return own ? { ...summary, boundsWithMissing: own.boundsWithMissing } : summary
  })
}
