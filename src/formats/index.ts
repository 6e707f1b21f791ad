export {
  createFigures,
  createReport,
  type ReportCost,
  type ReportRow,
  type RunFigures,
  type RunReport,
} from './export/report.ts'
export { formatRunJson } from './export/run-json.ts'
export { formatSuiteYaml } from './export/suite-yaml.ts'
export { checkExportFiles, formatReport, writeReport } from './export/write-exports.ts'
export { loadAnswers } from './import/answers-file.ts'
export type { FinishedSuite } from './import/finish-suite.ts'
export { importSuite, type ImportedSuite } from './import/recognise-suite.ts'
export { loadRunFile } from './import/run-file.ts'
export { loadSuite, parseSuite } from './import/suite-file.ts'
