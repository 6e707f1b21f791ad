import { z } from 'zod'
import type { PassFields } from '../suites/pass-mark.ts'
import type { RatingQueue } from '../judging/rating-queue.ts'
import type { RunLabel } from './run-label.ts'
import type { RunRequest } from './run-request.ts'
import type { ScoringResult, Unscored } from '../scores/score.ts'
import type { Suite } from '../suites/suite.ts'
import type { ModelParameters } from './model-parameters.ts'

/**
 * `suite`: of a suite. `page`: of a Code Arena prompt. `agent`: of cases with tools and a world. `playground`: of an
 * edited case: an experiment, which is in no ranking, trend or count of a suite's runs. `imported`: another tool sent the requests and scored the answers. `rerun`: a gate ran the cases of a run
 * again, to make sure; it is neither a run of the suite nor the latest run.
 */
export const runKindSchema = z.enum(['suite', 'page', 'agent', 'playground', 'imported', 'rerun'])

/** Runs that are results of a suite or prompt: neither an experiment of the playground nor a rerun of a gate. */
export const RESULT_KINDS: readonly RunKind[] = runKindSchema.options.filter(
  (kind) => kind !== 'playground' && kind !== 'rerun',
)

export const runStatusSchema = z.enum(['idle', 'running', 'completed', 'failed', 'cancelled'])
export const outcomeSchema = z.enum([
  'ok',
  'empty',
  'refusal',
  'filtered',
  'truncated',
  'limit',
  'error',
  'timeout',
  'cancelled',
])

export type RunKind = z.infer<typeof runKindSchema>

export type RunStatus = z.infer<typeof runStatusSchema>

/**
 * `budget`: the next request could have exceeded it. `provider`: it refuses every request to some models, as with a wrong key.
 * `decided`: the run completed, and cells were left out because they could not change what it was to decide.
 */
export type StopReason = 'budget' | 'provider' | 'decided'

export type Outcome = z.infer<typeof outcomeSchema>

export interface ToolCall {
  /** By which the reply names it; some providers give none. */
  id?: string
  name: string
  arguments: unknown
}

/** A person's rating of an answer. */
export interface HumanRating {
  /** 0 to 1. */
  rating?: number
  note?: string
}

/** A change of a rating: null removes a field, an absent one stays as it is. */
export interface RatingChange {
  rating?: number | null
  note?: string | null
}

/** What a named person said about an answer. With a queue but without a rating, the person skipped the answer. */
export interface RaterRating extends HumanRating {
  rater: string
  /** The queue that drew the answer at random; absent if the person chose it. */
  queueId?: string
}

/** The mean of all ratings of an answer, 0 to 1; undefined if nobody rated it. */
export function meanRatingOf({ rating, ratings = [] }: Pick<CellResult, 'rating' | 'ratings'>): number | undefined {
  const given = [rating, ...ratings].flatMap((one) => one?.rating ?? [])
  return given.length === 0 ? undefined : given.reduce((sum, value) => sum + value, 0) / given.length
}

/** Parts of the tokens that vendors price or show apart. Each is contained in the count that it names. */
export interface TokenDetails {
  /** Prompt tokens that the vendor read from its prompt cache. */
  cachedPrompt?: number
  /** Prompt tokens that the vendor wrote to its prompt cache for five minutes. */
  cacheWrite?: number
  /** Prompt tokens that the vendor wrote to its prompt cache for an hour. */
  cacheWriteHour?: number
  /** Completion tokens that the model spent thinking. */
  reasoning?: number
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
  tokenDetails?: TokenDetails
  /** When the model gave the answer, if it came from the answer cache; its latency is then of that time. */
  cachedAt?: number
  cost?: number
  attempts?: number
  /** Parameters that were not sent because the model does not support them. */
  leftOut?: string[]
  /** The parameters as they were sent, by their names on the wire. */
  sent?: Record<string, unknown>
  /** What was changed in the request or left out of the reply, and why. */
  requestNotes?: string[]
  /** The host that answered, if a router says which. */
  servedBy?: string
  error?: string
  /** By someone who gave no name. */
  rating?: HumanRating
  /** By people who gave their name, in alphabetical order. */
  ratings?: RaterRating[]
}

/** What a run is made from. */
export interface RunInput {
  kind: RunKind
  request: RunRequest
  suite: Suite
  /** The suite is that of a stored run, which has only the cases that the request selected when the run started. */
  isSelected?: boolean | undefined
}

/** A run: every model is asked every test case once. The statistics need only `id`, `models` and `results`. */
export interface RunResult {
  id: string
  /** Every stored run has one. */
  kind?: RunKind
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
  /** How answers of this run were drawn for people to rate; each has only this run's items. */
  ratingQueues?: RatingQueue[]
}

/** What the statistics need to know about a test case: its weight, and which answers pass. */
export interface WeightedCase extends PassFields {
  id: string
  weight?: number
  /** Cases with the same cluster are variants of one question: together they count as one observation. */
  cluster?: string | undefined
}
