export { formatReport } from './formats.ts'
export { formatRunJson } from './formats/run-json.ts'
export {
  createFigures,
  createReport,
  type ReportCost,
  type ReportRow,
  type RunFigures,
  type RunReport,
} from './model/report.ts'
