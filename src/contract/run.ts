import { z } from 'zod'
import type { PassFields } from './pass-mark.ts'
import type { RunLabel } from './run-label.ts'
import type { RunRequest } from './run-request.ts'
import type { ScoringResult, Unscored } from './score.ts'
import type { ModelParameters, Suite } from './suite.ts'

export const runStatusSchema = z.enum(['idle', 'running', 'completed', 'failed', 'cancelled'])
export const outcomeSchema = z.enum([
  'ok',
  'empty',
  'refusal',
  'filtered',
  'truncated',
  'error',
  'timeout',
  'cancelled',
])

export type RunStatus = z.infer<typeof runStatusSchema>

/**
 * `budget`: the next request could have exceeded it. `provider`: it rejects every request, as with a wrong key.
 * `decided`: the run completed, and cells were left out because they could not change what it was to decide.
 */
export type StopReason = 'budget' | 'provider' | 'decided'

export type Outcome = z.infer<typeof outcomeSchema>

export interface ToolCall {
  name: string
  arguments: unknown
}

/** A person's rating of an answer. */
export interface HumanRating {
  /** 0 to 1. */
  rating?: number
  note?: string
}

/** A cell: one model's answer to one test case in one run. */
export interface CellResult {
  testCaseId: string
  modelId: string
  status?: RunStatus
  outcome?: Outcome
  response?: string
  toolCalls?: ToolCall[]
  /** Absent if the cell is unscored or failed. */
  score?: ScoringResult
  unscored?: Unscored
  latencyMs?: number
  firstTokenMs?: number
  promptTokens?: number
  completionTokens?: number
  cost?: number
  attempts?: number
  /** Parameters that were not sent because the model does not support them. */
  leftOut?: string[]
  error?: string
  rating?: HumanRating
}

/** A run: every model is asked every test case once. The statistics need only `id`, `models` and `results`. */
export interface RunResult {
  id: string
  seriesId?: string
  /** Of the series, if the run belongs to one. */
  label?: RunLabel
  testSuiteId?: string
  testSuiteName?: string
  testSuiteSnapshot?: Suite
  models: string[]
  parameters?: ModelParameters
  judgeModel?: string
  startedAt?: number
  completedAt?: number
  status?: RunStatus
  /** Why the run stopped early, unless a user stopped it. */
  stopReason?: StopReason
  /** Absent in imported runs. */
  request?: RunRequest
  results: CellResult[]
  versions?: Record<string, string>
}

/** What the statistics need to know about a test case: its weight, and which answers pass. */
export interface WeightedCase extends PassFields {
  id: string
  weight?: number
}
