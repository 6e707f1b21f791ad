export { InputError, ScoringError, type UnscoredCode } from './errors.ts'
export { sumDollars, toDollars, toMoney, type Money } from './money.ts'
export type { CheckResult, JudgeVerdict, ScoringResult, Unscored } from './score.ts'
export {
  benchmarkModeLocks,
  checkSchema,
  defaultParameters,
  suiteSchema,
  testCaseSchema,
  type Check,
  type Message,
  type Parameters,
  type Suite,
  type TestCase,
} from './suite.ts'
export type { AskModel, Judging, ScoreElsewhere, ScoringInput, ScoringJob, ScoringLimits } from './ports.ts'
export type { CellResult, Outcome, RunResult, RunStatus, ToolCall, WeightedCase } from './run.ts'
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
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type CellKey,
  type HumanRating,
  type RunHeader,
  type RunSummary,
  type Storage,
} from './storage.ts'
