import { z } from 'zod'
import {
  codeArenaRequestSchema,
  followUpRequestSchema,
  InputError,
  resumeChangeSchema,
  runRequestSchema,
  type CodeArenaRequest,
  type FollowUpRequest,
  type ModelParameters,
  type ResumeChange,
  type RunRequest,
  type Suite,
} from '../../contract/index.ts'
import type { RunOptions } from './run-options.ts'

export const DEMO_MODELS = ['demo/good', 'demo/fair', 'demo/poor']

/** An option that is not set must not be `undefined` in a request: it would hide a default. */
function definedOnly<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
}

/** The options whose names differ from the fields they set. */
const OPTION_NAMES: Record<string, string> = {
  judgeModelIds: '--judge',
  combineJudges: '--combine',
  timeoutSeconds: '--timeout',
  maxTimeSeconds: '--max-time',
  maxCacheAgeSeconds: '--max-cache-age',
  endpoint: '--base-url',
}

function optionName(path: readonly PropertyKey[]): string {
  const field = String(path[0] ?? '')
  return OPTION_NAMES[field] ?? `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function parse<Schema extends z.ZodType>(schema: Schema, values: z.input<Schema>): z.output<Schema> {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  throw new InputError(parsed.error.issues.map(({ path, message }) => `${optionName(path)}: ${message}`).join('\n'))
}

function readParameters(options: RunOptions): Partial<ModelParameters> {
  const { temperature, topP, maxTokens, frequencyPenalty, presencePenalty, benchmarkMode } = options
  return definedOnly({ temperature, topP, maxTokens, frequencyPenalty, presencePenalty, benchmarkMode })
}

function readLimits(options: Partial<RunOptions>): ResumeChange {
  const { combine, concurrency, requestsPerMinute, tokensPerMinute, timeout, maxTime, maxCost, baseUrl } = options
  return definedOnly({
    combineJudges: combine,
    concurrency,
    requestsPerMinute,
    tokensPerMinute,
    timeoutSeconds: timeout,
    maxTimeSeconds: maxTime,
    maxCost,
    endpoint: baseUrl,
  })
}

/** A maximum age makes sense only with the cache, so it turns it on. */
function readCache({ cache, maxCacheAge }: RunOptions) {
  return { cache: maxCacheAge === undefined ? cache : true, maxCacheAgeSeconds: maxCacheAge }
}

function readModelOptions(options: RunOptions) {
  const { models = DEMO_MODELS, judge, repeat, project } = options
  return {
    models,
    parameters: readParameters(options),
    ...readLimits(options),
    ...definedOnly({ judgeModelIds: judge, repeat, project, ...readCache(options) }),
  }
}

/** Builds the request of `run`. */
export function readRunRequest(
  options: RunOptions,
  suite: Suite,
  stored?: { id: string; version: number },
): RunRequest {
  const { filter, limit, batch, until, decide, screen, orderSeed } = options
  return parse(runRequestSchema, {
    suiteId: stored?.id ?? suite.name,
    ...(stored && { suiteVersion: stored.version }),
    ...readModelOptions(options),
    ...definedOnly({ filter, limit, batch, until, decide, screen, orderSeed }),
  })
}

/** Builds the request of `arena`. */
export function readArenaRequest(prompt: string, options: RunOptions & { quickJudge?: boolean }): CodeArenaRequest {
  return parse(codeArenaRequestSchema, {
    prompt,
    isQuickJudge: options.quickJudge === true,
    ...readModelOptions(options),
  })
}

/** Reads what `arena --follow` asks for; what is not given is as in the run that it follows. */
export function readFollowUp(prompt: string, options: RunOptions & { quickJudge?: boolean }): FollowUpRequest {
  const { models, judge, repeat, quickJudge } = options
  return parse(followUpRequestSchema, {
    prompt,
    parameters: readParameters(options),
    ...readLimits(options),
    ...definedOnly({ models, judgeModelIds: judge, repeat, ...readCache(options), isQuickJudge: quickJudge }),
  })
}

/** Reads what `resume` changes in the stored request. */
export function readResumeChange(options: Partial<RunOptions>): ResumeChange {
  return parse(resumeChangeSchema, readLimits(options))
}
