export { calibrationSampleSchema, defaultTolerance } from './calibration-sample.ts'
export { ARENA_NAME_PREFIX, ARENA_SUITE_ID, iframeSandbox, mostArenaModels } from './code-arena.ts'
export { InputError, ScoringError, type UnscoredCode } from './errors.ts'
export { sumDollars, toDollars, toMoney, type Money } from './money.ts'
export type { CheckResult, JudgeVerdict, ScoringResult, Unscored } from './score.ts'
export { lazily } from './lazily.ts'
export { readSuite, readTestCase } from './read-suite.ts'
export {
  benchmarkModeLocks,
  checkFields,
  checkSchema,
  defaultParameters,
  parametersSchema,
  suiteFields,
  suiteSchema,
  suiteTextFields,
  testCaseFields,
  testCaseSchema,
  type Check,
  type Message,
  type ModelParameters,
  type Suite,
  type TestCase,
} from './suite.ts'
export type {
  AskModel,
  InspectedPage,
  InspectPage,
  Judging,
  PageFindings,
  PagePicture,
  PageTools,
  ScoreElsewhere,
  ScoringInput,
  ScoringJob,
  ScoringLimits,
} from './ports.ts'
export type {
  CellResult,
  HumanRating,
  Outcome,
  RunResult,
  RunStatus,
  StopReason,
  ToolCall,
  WeightedCase,
} from './run.ts'
export {
  ClientError,
  type CancelSignal,
  type Client,
  type ClientErrorKind,
  type CompleteOptions,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
  type ToolDefinition,
} from './client.ts'
export {
  StorageError,
  VersionConflict,
  type Artifact,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type CellKey,
  type Claim,
  type DocumentKind,
  type RunHeader,
  type RunSelection,
  type RunSummary,
  type Storage,
  type StoredCell,
  type StoredDocument,
} from './storage.ts'
export {
  askingFields,
  defaultConcurrency,
  resumeChangeSchema,
  runLimits,
  runRequestSchema,
  type ResumeChange,
  type RunRequest,
  type RunRequestInput,
} from './run-request.ts'
export {
  calibrateRequestSchema,
  codeArenaRequestSchema,
  generateCasesRequestSchema,
  importSuiteRequestSchema,
  previewRequestSchema,
  rateCellRequestSchema,
  saveEndpointRequestSchema,
  saveKeyRequestSchema,
  saveSuiteRequestSchema,
  tryScorerRequestSchema,
  voteRequestSchema,
  type CalibrateRequest,
  type CodeArenaRequest,
  type CodeArenaRequestInput,
  type GenerateCasesRequest,
  type PreviewRequest,
  type RateCellRequest,
  type SaveEndpointRequest,
  type TryScorerRequest,
  type VoteRequest,
} from './requests.ts'
