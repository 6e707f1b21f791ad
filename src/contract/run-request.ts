import { z } from 'zod'
import { personSchema, projectSchema } from './team/access.ts'
import { providerLimitsSchema } from './processes/provider-limits.ts'
import { modelParametersSchema } from './suite.ts'

/** Upper limits of a run, the same in the terminal, the web app and the library. */
export const runLimits = {
  models: 200,
  judges: 20,
  /** Of a run that decides: every pair is tested after every case. */
  decidedModels: 50,
  repeat: 1000,
  concurrency: 1000,
  timeoutSeconds: 3600,
  maxTimeSeconds: 86_400,
  /** US dollars; as for a month on a team server. */
  maxCost: 9_000_000,
} as const

/** Concurrent requests to one provider, unless the run request sets its own limit. */
export const defaultConcurrency = 5

/** The longest that a request may take in all, unless the run request sets its own limit. */
export const defaultTimeoutSeconds = 120
export const defaultMaxTimeSeconds = 600

/** Worded the same in the terminal, the web app and the library. */
const wholeNumber = (max: number) => {
  const message = `must be a whole number from 1 to ${max}`
  return z.int(message).min(1, message).max(max, message)
}

const maxTimeSchema = z
  .number()
  .positive('must be more than 0')
  .max(runLimits.maxTimeSeconds, `must be at most ${runLimits.maxTimeSeconds}`)

/** US dollars. */
export const maxCostSchema = z
  .number()
  .positive('must be more than 0 dollars')
  .max(runLimits.maxCost, 'must be at most 9,000,000 dollars')

/** How the scores of several judges are combined. */
const combineJudgesSchema = z.enum(['mean', 'median'])

export const modelIdSchema = z.string().min(1).max(300)

/** One or more names; test cases that have any of them are selected. */
const filterSchema = z
  .union([z.string(), z.array(z.string())])
  .transform((names) => [names].flat().flatMap((name) => name.trim() || []))
  .transform((names) => (names.length === 0 ? undefined : names))

/** Shared by suite runs and Code Arena runs. */
export const commonRequestFields = {
  /** Each is asked every test case; `provider/model`. */
  models: z
    .array(modelIdSchema)
    .min(1, 'no model chosen; name at least one')
    .max(runLimits.models, `at most ${runLimits.models} models can be compared at once`),
  /** Sent to every model that supports them. */
  parameters: modelParametersSchema.partial().default({}),
  /** Several form a panel. */
  judgeModelIds: z
    .array(modelIdSchema)
    .max(runLimits.judges, `a panel has at most ${runLimits.judges} judges`)
    .default([]),
  /** How the scores of several judges become one. */
  combineJudges: combineJudgesSchema.default('mean'),
  /** More than one makes a series. */
  repeat: wholeNumber(runLimits.repeat).default(1),
  /** Requests to one provider at the same time. */
  concurrency: wholeNumber(runLimits.concurrency).default(defaultConcurrency),
  /** What the run sends to one provider in a minute at most. The provider's own limits are in the settings. */
  requestsPerMinute: providerLimitsSchema.shape.requestsPerMinute,
  /** Of prompts and answers together. */
  tokensPerMinute: providerLimitsSchema.shape.tokensPerMinute,
  /** Time until the first token. */
  timeoutSeconds: z
    .number()
    .positive('must be more than 0')
    .max(runLimits.timeoutSeconds, `must be at most ${runLimits.timeoutSeconds}`)
    .optional(),
  /** Time until the last token. */
  maxTimeSeconds: maxTimeSchema.default(defaultMaxTimeSeconds),
  /** US dollars for all runs of the series together, judges included. */
  maxCost: maxCostSchema.optional(),
  /** Reuses answers to identical requests from earlier runs. */
  cache: z.boolean().default(false),
  /** Answers in the cache that are older are requested again. */
  maxCacheAgeSeconds: z.number().positive('must be more than 0').optional(),
  /** Base URL of an OpenAI-compatible server for all models except `demo/…`. */
  endpoint: z.string().optional(),
  /** Of a stored request: what its address had besides, which is not stored because it may be secret. */
  endpointLacks: z.array(z.string()).optional(),
  /** The project that pays for it, on a team server. */
  project: projectSchema.optional(),
  /** Who started it: a team server sets this itself, whatever it was sent. */
  startedBy: personSchema.optional(),
}

/**
 * Everything a user asked for. It is stored with every run of its series, and planning, estimating, executing, resuming
 * and rescoring read nothing else.
 */
export const runRequestSchema = z.strictObject({
  /** The id of a stored suite, or the name of a suite from a file. */
  suiteId: z.string().min(1).max(1000),
  /** The version of a stored suite when the run started. */
  suiteVersion: z.int().positive().optional(),
  ...commonRequestFields,
  /** Only test cases with one of these tags, categories or ids. */
  filter: filterSchema.optional(),
  /** Only this many test cases, from the first. */
  limit: z.int().positive().optional(),
  /** Hands the requests to the provider in batches, which take up to a day and cost half. */
  batch: z.boolean().optional(),
  /** The Code Arena run whose pages this one continues, in the same conversation. */
  follows: z.string().min(1).max(200).optional(),
  /** Stops as soon as the question is settled, the budget is spent or the suite is at its end. */
  until: z.enum(['decided']).optional(),
  /** Which is best, or how every pair of models compares. */
  decide: z.enum(['all', 'best']).optional(),
  /** After this many test cases, only models that are still in question are asked. */
  screen: z.int('must be a whole number from 1').min(1, 'must be a whole number from 1').optional(),
  /** The order in which a run that decides asks its test cases is drawn from this; set when it starts. */
  orderSeed: z.string().min(1).max(200).optional(),
})

/** What a run decides while it asks. */
export interface Deciding {
  /** `best`: a model that is worse than another is out. `all`: a model is out when all its pairs are decided. */
  question: 'all' | 'best'
  /** No model is out before this many cases. */
  from: number
  /** Models may drop out only once, after `from` cases. */
  isOnce: boolean
}

/** Undefined for a run that asks every model every case. */
export function decidingOf({
  until,
  decide,
  screen,
}: Pick<RunRequest, 'until' | 'decide' | 'screen'>): Deciding | undefined {
  if (until === undefined && screen === undefined) return undefined
  return {
    question: decide ?? (until === undefined ? 'best' : 'all'),
    from: screen ?? 1,
    isOnce: until === undefined,
  }
}

/** The request for every model and every case. */
export function withoutDeciding(request: RunRequest): RunRequest {
  const { until: _until, decide: _decide, screen: _screen, orderSeed: _seed, ...plain } = request
  return plain
}

/** What may change on resume; the change is stored and applies to later resumes too. */
export const resumeChangeSchema = z.strictObject({
  maxCost: commonRequestFields.maxCost,
  combineJudges: combineJudgesSchema.optional(),
  concurrency: wholeNumber(runLimits.concurrency).optional(),
  requestsPerMinute: commonRequestFields.requestsPerMinute,
  tokensPerMinute: commonRequestFields.tokensPerMinute,
  timeoutSeconds: commonRequestFields.timeoutSeconds,
  maxTimeSeconds: maxTimeSchema.optional(),
  endpoint: commonRequestFields.endpoint,
})

export type RunRequest = z.output<typeof runRequestSchema>
export type RunRequestInput = z.input<typeof runRequestSchema>
/** `startedBy`: whoever resumes, on a team server, a run that nobody started there. */
export type ResumeChange = z.output<typeof resumeChangeSchema> & Pick<RunRequest, 'startedBy'>
