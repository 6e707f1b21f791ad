export { findSheetQueue, readRatingSheet, writeRatingSheet } from './ratings/rating-sheet.ts'
export { loadAnswers } from './results/answers-file.ts'
export {
  describeMetricChoice,
  isResultsFile,
  type MetricSummary,
  type ReadResults,
  type ReadResultsOptions,
  type ResultsPreview,
  type ResultsChoices,
  listResultsFiles,
} from './results/read-results.ts'
export { loadRunFile, previewResults, readResults } from './results/read-apart.ts'
export { containsRuns } from './results/run-file.ts'
export type { FinishedSuite } from './suite-files/finish-suite.ts'
export { parseSuite } from './suite-files/read-yaml.ts'
export { isHubAddress } from './datasets/hub-address.ts'
export { keepClusters } from './suite-files/keep-clusters.ts'
export { importSuite, type ImportedSuite, type ReadingOptions } from './suite-files/recognise-suite.ts'
export { writeSuiteYaml } from './suite-files/write-suite.ts'
