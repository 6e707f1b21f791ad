export { findFormat, findFormatOfFile, formats, writeReport, type ReportFormat } from './formats.ts'
export type { ComparisonReport } from './comparing/comparison.ts'
export { buildComparison, makeSide, type Side } from './comparing/comparison-report.ts'
export { prepareForSharing, type SharingOptions } from './sharing/sharing.ts'
export type { ReportAnswer, ReportCase, ReportCell } from './model/cases.ts'
export { buildReport, type Report } from './model/report.ts'
export type { ReportOptions } from './model/standings/standings.ts'
export { type ReportCost, type ReportRow } from './model/standings/report-row.ts'
export { buildSummary, type ReportSummary } from './model/summary.ts'
export type { UnfinishedRun } from './model/unfinished.ts'
export { buildVerdictCard, type VerdictCard } from './model/verdict/verdict-card.ts'
export {
  describeInterval,
  describeMethod,
  describeMissing,
  describeVerdict,
  formatCost,
  formatCosts,
  formatCount,
  formatDifference,
  formatDuration,
  formatP,
  formatPercent,
  formatPoints,
  formatReportLine,
  formatScore,
  formatTime,
} from './words/index.ts'
