export {
  acceptRequestSchema,
  apiTokenRequestSchema,
  changeAccountRequestSchema,
  invitationRequestSchema,
  inviteRequestSchema,
  isAtLeast,
  loginSchema,
  passwordLimits,
  personNameSchema,
  roles,
  roleSchema,
  setBudgetRequestSchema,
  startOfMonth,
  signInRequestSchema,
  tokenLife,
  type AccessStorage,
  type Account,
  type AccountChange,
  type Activity,
  type ApiToken,
  type BudgetOwner,
  type Invitation,
  type Person,
  type Role,
  type SealedKey,
} from './team/access.ts'
export {
  pageTestSchema,
  pageTestsSchema,
  readPattern,
  type PageExpectation,
  type PageMatch,
  type PageTarget,
  type PageTest,
  type PageTestStep,
} from './suites/page-tests.ts'
export { apiErrorSchema, type ApiError, type Problem } from './web/api-error.ts'
export { NAMES_SEEN_HEADER, readSeenNames, writeSeenNames } from './web/names-seen.ts'
export { SESSION_KEY_HEADER, SESSION_KEY_QUERY, withSessionKey } from './web/session-key.ts'
export type { ArenaCriterion, ArenaFacts, ArenaInspection } from './web/arena-page.ts'
export { auditNames, auditRequestSchema, type AuditName, type AuditRequest } from './judging/audit-request.ts'
export { calibrationSampleSchema, defaultTolerance, maxCalibrationSamples } from './judging/calibration-sample.ts'
export { listPromptVersions, presetOfPrompt, type JudgeRating, type JudgeStanding } from './judging/judge-standing.ts'
export {
  ARENA_NAME_PREFIX,
  ARENA_SUITE_ID,
  iframeSandbox,
  maxArenaModels,
  type ArenaReport,
  type ArenaReportPage,
  type ArenaVote,
} from './runs/code-arena.ts'
export {
  PLAYGROUND_NAME_PREFIX,
  PLAYGROUND_SUITE_PREFIX,
  playgroundExperimentSchema,
  playgroundPairSchema,
  playgroundSaveSchema,
  type PlaygroundExperiment,
  type PlaygroundEdit,
  type PlaygroundPair,
  type PlaygroundSave,
} from './web/playground.ts'
export { whereRunning, nameOwner, WORKERS_HOST, type RunOwner } from './processes/run-owner.ts'
export { InputError, ScoringError, type UnscoredCode, messageOf } from './errors.ts'
export { isJsonObject, LongInteger, parseExactJson, readNumeral } from './files/exact-json.ts'
export { vendors, type Vendor, type VendorName } from './ports/vendors.ts'
export {
  findTemplateProblem,
  KEY_VARIABLE,
  listVariables,
  ONLY_MODEL,
  parseReplyPath,
  parseTemplateBody,
  requestTemplateSchema,
  VARIABLE,
  type RequestTemplate,
} from './ports/request-template.ts'
export { perToken, sumDollars, toDollars, toMoney, type Money } from './money.ts'
export { countNoun, formatBytes, writeInterval, writeNumber, writePercent, writePoints } from './numbers.ts'
export {
  hasPassed,
  methodPassMarks,
  type PassMark,
  passMarkOfMethod,
  readPassMark,
  readPassMarks,
} from './suites/pass-mark.ts'
export {
  defaultLimits,
  isConversation,
  suiteToolsSchema,
  type BeforeStep,
  type ConversationLimits,
  type MockRule,
  type ScriptedTurn,
  type SuiteCall,
  type SuiteEnvironment,
  type SuiteTool,
  type WorldEdit,
} from './suites/agent-suite.ts'
export type {
  CellEvent,
  ConversationCall,
  ConversationFinding,
  EndReason,
  EventBody,
  JsonEdit,
  RunToolCode,
  ScoredConversation,
  Speaker,
  ToolRun,
} from './agents/conversation.ts'
export type { ExternalEnvironment, OpenExternal } from './ports/environments.ts'
export { readCluster } from './suites/cluster.ts'
export { nameSuite } from './suites/name-suite.ts'
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
} from './scores/score.ts'
export { scoringResultSchema } from './scores/score-schema.ts'
export {
  liveSnapshotSchema,
  liveUpdateSchema,
  type CellStep,
  type LiveCell,
  type LiveDeciding,
  type LiveProgress,
  type LiveSnapshot,
  type LiveUpdate,
} from './web/live-run.ts'
export {
  INSTRUCTIONS,
  checkSchema,
  simpleCheckSchema,
  suiteSchema,
  suiteTextFields,
  testCaseSchema,
  type Check,
  type Message,
  type Suite,
  type TestCase,
  type Variant,
  strictOptionsOf,
} from './suites/suite.ts'
export {
  type CallModel,
  type EmbeddingMemory,
  type DrivenPage,
  type InspectedPage,
  type OpenPage,
  type PageBench,
  type PageBlock,
  type PageControl,
  type PageStep,
  type InspectPage,
  type Judging,
  type PageFindings,
  type PageInteraction,
  type PagePicture,
  type PageTestOutcome,
  type PageTools,
  type ScoreInWorker,
  type ScoringInput,
  type ScoringJob,
  type ScoringLimits,
  type SeenPage,
  type TestedPage,
  readSandbox,
  type Sandbox,
} from './ports/ports.ts'
export { meanRatingOf, RESULT_KINDS, runKindSchema, runStatusSchema, type TokenDetails } from './runs/run.ts'
export { isSimulated, listSimulatedJudges } from './runs/simulated.ts'
export {
  canResume,
  cellStateOf,
  findShownState,
  isInProgress,
  isLive,
  isSkipped,
  runStateOf,
  stateOfRuns,
  type CellState,
  type RunState,
} from './runs/states.ts'
export type {
  CellResult,
  HumanRating,
  RatingChange,
  Outcome,
  RaterRating,
  RunInput,
  RunKind,
  RunResult,
  RunStatus,
  StopReason,
  ToolCall,
  WeightedCase,
} from './runs/run.ts'
export {
  ClientError,
  type BatchEntry,
  type Batches,
  type BatchState,
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
  type RequestMessage,
  type TokenPrice,
  type ToolDefinition,
} from './ports/client.ts'
export {
  LATEST_TIME,
  MAX_COST,
  ClaimLost,
  StorageError,
  type TableVersions,
  VersionConflict,
  type Artifact,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type StoredAttempt,
  cellName,
  type CellKey,
  type Claim,
  type DocumentKind,
  type LoadedScores,
  type Rater,
  type RunFilter,
  type RunHeader,
  type RunSelection,
  type RunDescription,
  type RunSummary,
  type Storage,
  type StoredCell,
  type StoredDocument,
  type StoredRating,
  type WriteGuard,
} from './ports/storage.ts'
export {
  LeaseLost,
  type CellWork,
  type FinishWork,
  type QueuedRun,
  type QueuedWork,
  type QueueMember,
  type RunChange,
  type LeaseTrouble,
  type TakenWork,
  type WorkQueue,
} from './processes/work-queue.ts'
export {
  raterSchema,
  ratingQueueSchema,
  ratingScaleSchema,
  type RatingItem,
  type RatingQueue,
  type RatingScale,
} from './judging/rating-queue.ts'
export {
  foldText,
  labelChangeSchema,
  makeLabel,
  runLabelSchema,
  type LabelChange,
  type RunLabel,
} from './runs/run-label.ts'
export {
  benchmarkModeLocks,
  completeParameters,
  defaultParameters,
  givenParametersSchema,
  listSecretHeaders,
  parameterOptions,
  type ModelParameters,
} from './runs/model-parameters.ts'
export {
  defaultOf,
  describeRange,
  isInRange,
  limitsOf,
  rangeOf,
  type NumberRange,
  type Option,
  type Options,
} from './runs/option.ts'
export { readTyped, writeTyped, type TypedAs } from './runs/typed-values.ts'
export {
  arenaOptions,
  changeableOptions,
  commonOptions,
  defaultConcurrency,
  defaultMaxTimeSeconds,
  defaultTimeoutSeconds,
  runLimits,
  runOptions,
  suiteOptions,
} from './runs/run-options.ts'
export {
  commonRequestFields,
  resumeChangeSchema,
  runRequestSchema,
  splitModels,
  withoutHost,
  type ModelChoice,
  type ResumeChange,
  decidingOf,
  withoutDeciding,
  withoutSuiteOptions,
  type Deciding,
  type RunRequest,
  type RunRequestInput,
} from './runs/run-request.ts'
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
  type EndpointPrice,
  type SaveEndpointRequest,
  type VoteRequest,
} from './web/requests.ts'
export type { BudgetAccount, BudgetBalance, BudgetDraw, DrawnBudget } from './processes/budget.ts'
export {
  providerLimitRange,
  providerLimitsSchema,
  shareLeaseMs,
  type LimitStore,
  type Moves,
  type ProviderLimits,
  type ShareRequest,
} from './processes/provider-limits.ts'
export { isSecret, isSecretName, KEY_SHAPE } from './secret-shapes.ts'
export { createScoreTable, isCutShort, toScoreTable } from './scores/build-score-table.ts'
export { marginOf } from './scores/margin.ts'
export {
  isNotRun,
  outcomes,
  selectCases,
  selectCells,
  stateOf,
  type ScoredRun,
  type Scores,
  type ScoreTable,
} from './scores/score-table.ts'
export {
  asText,
  dropAccents,
  escapePattern,
  isRecord,
  isScalar,
  ownValue,
  setLatest,
  textOrJson,
  tryParseJson,
  writeSorted,
} from './values.ts'
