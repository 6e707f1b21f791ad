import type { ListedAudit } from '../../../server/judges/audits.ts'

/** The audits of one judge. */
export interface JudgeAudits {
  judgeModelId: string
  latest: ListedAudit
  /** Newest first. */
  earlier: ListedAudit[]
}

/** By judge, in the order of the list: the judge that was audited last comes first. */
export function groupByJudge(audits: readonly ListedAudit[]): JudgeAudits[] {
  return [...Map.groupBy(audits, ({ judgeModelId }) => judgeModelId)].flatMap(([judgeModelId, [latest, ...earlier]]) =>
    latest ? [{ judgeModelId, latest, earlier }] : [],
  )
}

/** How far the axis of a figure extends, so that a small effect does not look large. */
export function reachOf({ low, high }: { low: number; high: number }): number {
  return Math.max(0.2, Math.abs(low), Math.abs(high))
}
