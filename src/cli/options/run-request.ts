import { Option } from 'commander'
import type { z } from 'zod'
import {
  arenaOptions,
  changeableOptions,
  codeArenaRequestSchema,
  commonOptions,
  followUpRequestSchema,
  InputError,
  parameterOptions,
  resumeChangeSchema,
  runOptions,
  runRequestSchema,
  type CodeArenaRequest,
  type FollowUpRequest,
  type Options,
  type ResumeChange,
  type RunRequest,
  type Suite,
} from '../../contract/index.ts'
import type { ModelSettings, RunOptions } from './run-options.ts'

export const DEMO_MODELS = ['demo/good', 'demo/fair', 'demo/poor']

/** The flag that sets the field of a request. */
function flagOfField(path: readonly PropertyKey[]): string {
  const described: Options = { ...runOptions, ...arenaOptions, ...parameterOptions }
  const name = String(path.findLast((key) => String(key) in described) ?? path[0])
  return described[name]?.flag.split(' ')[0] ?? name
}

function parseOptions<Schema extends z.ZodType>(schema: Schema, values: unknown): z.output<Schema> {
  const parsed = schema.safeParse(values)
  if (parsed.success) return parsed.data
  throw new InputError(parsed.error.issues.map(({ path, message }) => `${flagOfField(path)}: ${message}`).join('\n'))
}

/** The values of the flags that were given, by the fields they set. */
function readFlags(given: object, options: Options): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(given))
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, { flag }]) => {
      const value = values.get(new Option(flag).attributeName())
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** A misspelt model would run with other parameters than its run says. */
function checkSettings(settings: ModelSettings, models: readonly string[] | undefined): ModelSettings {
  // A follow-up that names no models asks those of the run that it follows.
  if (!models) return settings
  const unknown = Object.keys(settings).filter((model) => !models.includes(model))
  if (unknown.length === 0) return settings
  throw new InputError(`--set: ${unknown.join(', ')} is not among the models (${models.join(', ')})`)
}

/** What `run` and `arena` have in common. */
function readRun(given: Partial<RunOptions>, options: Options) {
  const fields = readFlags(given, options)
  return {
    ...fields,
    parameters: readFlags(given, parameterOptions),
    ...(given.set && { modelParameters: checkSettings(given.set, given.models) }),
    // A maximum age makes sense only with the cache, so it turns it on.
    ...(fields['maxCacheAgeSeconds'] !== undefined && { cache: true }),
  }
}

/** Builds the request of `run`. */
export function readRunRequest(
  options: RunOptions,
  suite: Suite,
  stored?: { id: string; version: number },
): RunRequest {
  return parseOptions(runRequestSchema, {
    suiteId: stored?.id ?? suite.name,
    ...(stored && { suiteVersion: stored.version }),
    models: DEMO_MODELS,
    ...readRun(options, runOptions),
  })
}

/** Builds the request of `arena`. */
export function readArenaRequest(prompt: string, options: RunOptions): CodeArenaRequest {
  return parseOptions(codeArenaRequestSchema, {
    prompt,
    models: DEMO_MODELS,
    ...readRun(options, { ...commonOptions, ...arenaOptions }),
  })
}

/** Reads what `arena --follow` asks for; what is not given is as in the run that it follows. */
export function readFollowUp(prompt: string, options: RunOptions): FollowUpRequest {
  return parseOptions(followUpRequestSchema, { prompt, ...readRun(options, { ...commonOptions, ...arenaOptions }) })
}

/** Reads what `resume` changes in the stored request. */
export function readResumeChange(options: Partial<RunOptions>): ResumeChange {
  const { headers } = parameterOptions
  return parseOptions(resumeChangeSchema, readFlags(options, { ...changeableOptions, headers }))
}
