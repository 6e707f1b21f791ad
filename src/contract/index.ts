export { apiErrorSchema, type ApiError, type Problem } from './api-error.ts'
export {
  arenaPanelUpdateSchema,
  arenaTextSchema,
  arenaViewSchema,
  type ArenaCriterion,
  type ArenaInspection,
  type ArenaPanel,
  type ArenaPanelUpdate,
  type ArenaText,
  type ArenaView,
} from './arena-view.ts'
export { auditNames, auditRequestSchema, type AuditName, type AuditRequest } from './audit-request.ts'
export { calibrationSampleSchema, defaultTolerance, maxCalibrationSamples } from './calibration-sample.ts'
export { listPromptVersions, presetOfPrompt, type JudgeRating, type JudgeStanding } from './judge-standing.ts'
export { ARENA_NAME_PREFIX, ARENA_SUITE_ID, iframeSandbox, maxArenaModels } from './code-arena.ts'
export {
  PLAYGROUND_NAME_PREFIX,
  PLAYGROUND_SUITE_PREFIX,
  playgroundAskSchema,
  playgroundSaveSchema,
  type PlaygroundAsk,
  type PlaygroundEdit,
  type PlaygroundSave,
} from './playground.ts'
export { strictOptionsOf } from './one-right-answer.ts'
export { describeOwner, WORKERS_HOST, type RunOwner } from './run-owner.ts'
export { InputError, ScoringError, type UnscoredCode } from './errors.ts'
export { vendors, type VendorName } from './vendors.ts'
export { sumDollars, toDollars, toMoney, type Money } from './money.ts'
export { hasPassed, passMarkOfMethod, readPassMark, readPassMarks, type PassMark } from './pass-mark.ts'
export {
  awaitsGrade,
  isSettled,
  NO_SCORING,
  type AnswerStyle,
  type CheckResult,
  type JudgeVerdict,
  type MissingJudge,
  type PairJudgement,
  type PairwiseComparison,
  type ScoringResult,
  type Unscored,
} from './score.ts'
export {
  liveSnapshotSchema,
  liveUpdateSchema,
  liveProgressSchema,
  type LiveCell,
  type LiveDeciding,
  type LiveProgress,
  type LiveSnapshot,
  type LiveState,
  type LiveUpdate,
} from './live-run.ts'
export {
  benchmarkModeLocks,
  checkSchema,
  completeParameters,
  defaultParameters,
  modelParametersSchema,
  simpleCheckSchema,
  suiteSchema,
  suiteTextFields,
  testCaseSchema,
  type Check,
  type Message,
  type ModelParameters,
  type Suite,
  type TestCase,
  type Variant,
} from './suite.ts'
export type {
  AskModel,
  EmbeddingMemory,
  DrivenPage,
  InspectedPage,
  OpenPage,
  PageControl,
  PageStep,
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
export { meanRatingOf } from './run.ts'
export type {
  CellResult,
  HumanRating,
  Outcome,
  RaterRating,
  RunResult,
  RunStatus,
  StopReason,
  ToolCall,
  WeightedCase,
} from './run.ts'
export {
  ClientError,
  type BatchEntry,
  type Batches,
  UNKNOWN_LATENCY,
  type CancelSignal,
  type Client,
  type ClientErrorKind,
  type CompleteOptions,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
  type ModelUse,
  type NamedLimits,
  type RawReply,
  type TokenPrice,
  type ToolDefinition,
} from './client.ts'
export {
  StorageError,
  type TableVersions,
  VersionConflict,
  type Artifact,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type StoredAttempt,
  type CellKey,
  type Claim,
  type DocumentKind,
  type Rater,
  type RunFilter,
  type RunHeader,
  type RunSelection,
  type RunSummary,
  type Storage,
  type StoredCell,
  type StoredDocument,
  type StoredRating,
  type WriteGuard,
} from './storage.ts'
export {
  LeaseLost,
  type CellWork,
  type FinishWork,
  type QueuedRun,
  type QueuedWork,
  type QueueMember,
  type RunChange,
  type TakenWork,
  type WorkQueue,
} from './work-queue.ts'
export {
  raterSchema,
  ratingQueueSchema,
  ratingScaleSchema,
  type RatingItem,
  type RatingQueue,
  type RatingScale,
} from './rating-queue.ts'
export { foldText, labelChangeSchema, makeLabel, runLabelSchema, type LabelChange, type RunLabel } from './run-label.ts'
export {
  commonRequestFields,
  defaultConcurrency,
  defaultTimeoutSeconds,
  defaultMaxTimeSeconds,
  resumeChangeSchema,
  runLimits,
  runRequestSchema,
  type ResumeChange,
  decidingOf,
  withoutDeciding,
  type Deciding,
  type RunRequest,
  type RunRequestInput,
} from './run-request.ts'
export {
  calibrateRequestSchema,
  codeArenaRequestSchema,
  followUpRequestSchema,
  forkRequestSchema,
  generateCasesRequestSchema,
  importSuiteRequestSchema,
  previewTableRequestSchema,
  previewRequestSchema,
  rateCellRequestSchema,
  endpointPriceSchema,
  saveEndpointRequestSchema,
  saveBrowserRequestSchema,
  saveKeyRequestSchema,
  saveSuiteRequestSchema,
  tryScorerRequestSchema,
  voteRequestSchema,
  type CodeArenaRequest,
  type CodeArenaRequestInput,
  type FollowUpRequest,
  type ForkRequest,
  type GenerateCasesRequest,
  type PreviewRequest,
  type RateCellRequest,
  type EndpointPrice,
  type SaveEndpointRequest,
  type VoteRequest,
} from './requests.ts'
export type { BudgetAccount, BudgetBalance, BudgetDraw, DrawnBudget } from './budget.ts'
export {
  providerLimitRange,
  providerLimitsSchema,
  shareLeaseMs,
  type LimitBook,
  type Moves,
  type ProviderLimits,
  type ShareRequest,
} from './provider-limits.ts'
export { readSandbox, type Sandbox } from './browser-sandbox.ts'
export type { TokenDetails } from './token-details.ts'
