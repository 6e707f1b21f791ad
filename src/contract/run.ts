import { z } from 'zod'
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

/** `budget`: the next request could have passed it. `provider`: it takes no request, as with a wrong key. */
export type StopReason = 'budget' | 'provider'

export type Outcome = z.infer<typeof outcomeSchema>

export interface ToolCall {
  name: string
  arguments: unknown
}

/** What a person thinks of an answer. */
export interface HumanRating {
  /** 0 to 1. */
  rating?: number
  note?: string
}

/** One cell: what one model answered to one test case in one run. */
export interface CellResult {
  testCaseId: string
  modelId: string
  status?: RunStatus
  outcome?: Outcome
  response?: string
  toolCalls?: ToolCall[]
  /** Absent when the cell is unscored or ended in error. */
  score?: ScoringResult
  unscored?: Unscored
  latencyMs?: number
  firstTokenMs?: number
  promptTokens?: number
  completionTokens?: number
  cost?: number
  attempts?: number
  /** Parameters that the model does not take and that were not sent. */
  leftOut?: string[]
  error?: string
  rating?: HumanRating
}

/** One run: every chosen model asked every test case once. The statistics need `id`, `models` and `results` only. */
export interface RunResult {
  id: string
  seriesId?: string
  testSuiteId?: string
  testSuiteName?: string
  testSuiteSnapshot?: Suite
  models: string[]
  parameters?: ModelParameters
  judgeModel?: string
  startedAt?: number
  completedAt?: number
  status?: RunStatus
  /** Why a run that did not complete was stopped, where nobody stopped it by hand. */
  stopReason?: StopReason
  /** What was asked for; absent in runs that were not made here. */
  request?: RunRequest
  results: CellResult[]
  versions?: Record<string, string>
}

/** What the statistics need of a test case. */
export interface WeightedCase {
  id: string
  weight?: number
}
