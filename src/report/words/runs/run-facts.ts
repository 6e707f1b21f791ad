import type { ReportSummary } from '../../model/summary.ts'
import { describeCost, formatCost, formatCount, formatDuration } from '../numbers.ts'
import { describeCases } from '../verdicts/verdicts.ts'

/** What was spent, and how much of it on judges: `$0.19 (judges $0.12)` */
function describeSpent({ cost, isCostKnown, answersCost, judges }: ReportSummary): string {
  if (!isCostKnown) return 'cost unknown'
  const others = cost.total - answersCost.total
  const share = judges.length > 0 && others > 1e-12 ? ` (judges ${formatCost(others)})` : ''
  return describeCost(cost.total, cost.unknown) + share
}

/** What was run: `12 cases × 3 simulated models`, the judges, how long it took and what it cost. */
export function describeRunFacts(report: ReportSummary): string[] {
  const { caseCount, clusterCount, rows, runIds, judges } = report
  // Of imported results nobody measured it.
  const durationMs = report.durationMs === 0 ? undefined : report.durationMs
  const kind = rows.length > 0 && rows.every(({ isSimulated }) => isSimulated) ? 'simulated model' : 'model'
  const runs = runIds.length > 1 ? ` × ${formatCount(runIds.length, 'run')}` : ''
  const isPaid = report.isCostKnown ? report.cost.total > 0 : durationMs !== undefined
  return [
    `${describeCases({ n: caseCount, clusters: clusterCount })} × ${formatCount(rows.length, kind)}${runs}`,
    ...(judges.length > 0 ? [formatCount(judges.length, 'judge')] : []),
    // An imported run may not say when it ended.
    ...(durationMs === undefined || durationMs === 0 ? [] : [formatDuration(durationMs)]),
    ...(isPaid ? [describeSpent(report)] : []),
  ]
}
