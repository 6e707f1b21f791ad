import type { ModelAnswer, ModelRequest } from './client.ts'
import type { UnscoredCode } from './errors.ts'
import type { ToolCall } from './run.ts'
import type { ScoringResult } from './score.ts'

/** What a scorer looks at. */
export interface ScoringInput {
  response: string
  expectedOutput?: string
  toolCalls?: ToolCall[]
}

/** Asks a model on a scorer's behalf; retries and bookkeeping are behind it. Throws `ClientError`. */
export type AskModel = (request: ModelRequest) => Promise<ModelAnswer>

/** What a judging scorer needs beside the answer. */
export interface Judging {
  /** One judge, or a panel. */
  judgeModelIds: readonly string[]
  ask: AskModel
  /** The suite's own words for its judges. */
  systemPrompt?: string | undefined
  /** How a panel's scores become one. Default: mean. */
  combine?: 'mean' | 'median' | undefined
}

/** One piece of scoring as plain data, so that it can cross to another thread. */
export interface ScoringJob {
  scoringMethod: string
  input: ScoringInput
  options: Record<string, unknown>
}

export interface ScoringLimits {
  deadlineMs: number
  /** What the cell is recorded as when the deadline passes. */
  timeoutCode: UnscoredCode
}

/**
 * Scores away from the caller's thread and really stops at the deadline. Handed to the scoring room, which has no
 * threads of its own.
 */
export type ScoreElsewhere = (job: ScoringJob, limits: ScoringLimits) => Promise<ScoringResult>
