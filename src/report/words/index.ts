export { describeComparison, formatReportLine, formatScore } from './describe-results.ts'
