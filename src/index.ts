/** The library: scorers, statistics and stores, connected to threads, the clock and a secure random generator. */
import { scoring } from './library/wiring.ts'

export const {
  scoreExactMatch,
  scoreRegexMatch,
  scoreNumericTolerance,
  scoreBooleanMatch,
  scoreJsonMatch,
  scoreJsonSchema,
  scoreMultipleChoice,
} = scoring

export type { ScorerOptions } from './library/wiring.ts'
export {
  importResults,
  importSuite,
  loadSuite,
  parseSuite,
  type ImportedResults,
  type ImportResultsOptions,
} from './library/suites.ts'
export {
  readTrajectories,
  readTrajectoryKey,
  writeAtif,
  type AtifDocument,
  type ReadTrajectoriesOptions,
} from './import/trajectories/index.ts'
export {
  judgeTrajectory,
  auditJudge,
  calibrateJudge,
  scoreCodeArena,
  scoreLLMJudge,
  scorePairwise,
  scoreResponse,
  scoreRubric,
  type AuditOptions,
  type JudgeOptions,
} from './library/judging.ts'
export { runConversation, type Conversation, type ConversationOptions } from './library/conversations.ts'
export {
  executeRun,
  rescoreRun,
  resumeRun,
  type ExecuteOptions,
  type RescoreOptions,
  type ResumeOptions,
} from './library/runs.ts'

// The public part of three rooms; each list names its exports.
export * from './library/lists/contract.ts'
export * from './library/lists/scoring.ts'
export * from './library/lists/statistics.ts'

export type { SuiteInput } from './import/suite-files/given-suite.ts'
export type { FinishedSuite, ImportedSuite, MetricSummary, ResultsChoices } from './import/index.ts'
export { describeVerdict as describeComparison, formatReportLine } from './report/words/index.ts'
export {
  createClient,
  createDemoClient,
  type DemoOptions,
  type EndpointClientOptions,
  type ModelClientOptions,
  type SdkLanguageModel,
} from './providers/index.ts'
export { buildReport, formats, writeReport, type Report, type ReportFormat } from './report/index.ts'
export {
  defineClient,
  type AuditProgress,
  type AuditResult,
  type ClientDefinition,
  type Price,
  type RunEvent,
} from './services/index.ts'
export type { RescoredRun, ResumedRun, RunSettings } from './services/run-with-client.ts'
export { openStorage, type PostgresStorageOptions, type SqliteStorageOptions } from './storage/index.ts'
export { createModelStore, createRunStore, type ModelStore, type RunStore } from './stores/index.ts'
