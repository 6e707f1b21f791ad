import { z } from 'zod'
import {
  codeArenaRequestSchema,
  InputError,
  resumeChangeSchema,
  runRequestSchema,
  type CodeArenaRequest,
  type ModelParameters,
  type ResumeChange,
  type RunRequest,
  type Suite,
} from '../../contract/index.ts'
import type { RunOptions } from './run-options.ts'

export const DEMO_MODELS = ['demo/good', 'demo/fair', 'demo/poor']

/** What is not given must not stand in a request as `undefined`: it would hide a default. */
function givenOnly<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
}

/** In the words of the options, whatever the field is called. */
const OPTION_NAMES: Record<string, string> = {
  judgeModelIds: '--judge',
  combineJudges: '--combine',
  timeoutSeconds: '--timeout',
  endpoint: '--base-url',
}

function nameOption(path: readonly PropertyKey[]): string {
  const field = String(path[0] ?? '')
  return OPTION_NAMES[field] ?? `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

function parse<Schema extends z.ZodType>(schema: Schema, values: z.input<Schema>): z.output<Schema> {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  throw new InputError(parsed.error.issues.map(({ path, message }) => `${nameOption(path)}: ${message}`).join('\n'))
}

function readParameters(options: RunOptions): Partial<ModelParameters> {
  const { temperature, topP, maxTokens, frequencyPenalty, presencePenalty, benchmarkMode } = options
  return givenOnly({ temperature, topP, maxTokens, frequencyPenalty, presencePenalty, benchmarkMode })
}

function readLimits({ combine, concurrency, timeout, maxCost, baseUrl }: Partial<RunOptions>): ResumeChange {
  return givenOnly({ combineJudges: combine, concurrency, timeoutSeconds: timeout, maxCost, endpoint: baseUrl })
}

function readAsking(options: RunOptions) {
  const { models = DEMO_MODELS, judge, repeat, cache } = options
  return {
    models,
    parameters: readParameters(options),
    ...readLimits(options),
    ...givenOnly({ judgeModelIds: judge, repeat, cache }),
  }
}

/** What `run` was asked for. */
export function readRunRequest(options: RunOptions, suite: Suite): RunRequest {
  const { filter, limit } = options
  return parse(runRequestSchema, { suiteId: suite.name, ...readAsking(options), ...givenOnly({ filter, limit }) })
}

/** What `arena` was asked for. */
export function readArenaRequest(prompt: string, options: RunOptions & { quickJudge?: boolean }): CodeArenaRequest {
  return parse(codeArenaRequestSchema, { prompt, isQuickJudge: options.quickJudge === true, ...readAsking(options) })
}

/** What `resume` was told to change. */
export function readResumeChange(options: Partial<RunOptions>): ResumeChange {
  return parse(resumeChangeSchema, readLimits(options))
}
