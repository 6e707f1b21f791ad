import { z } from 'zod'
import { givenParametersSchema } from './model-parameters.ts'
import { changesOf, fieldsOf } from './option.ts'
import { changeableOptions, commonOptions, suiteOptions } from './run-options.ts'
import { personSchema } from '../team/access.ts'

/** Shared by suite runs and Code Arena runs. */
export const commonRequestFields = {
  ...fieldsOf(commonOptions),
  parameters: givenParametersSchema.default({}).describe('Sent to every model that supports them'),
  endpointLacks: z
    .array(z.string())
    .optional()
    .describe('Of a stored request: what its address had besides, which is not stored because it may be secret'),
  startedBy: personSchema.optional().describe('Who started it: a team server sets this itself, whatever it was sent'),
}

/**
 * Everything a user asked for. It is stored with every run of its series, and planning, estimating, executing, resuming
 * and rescoring read nothing else.
 */
export const runRequestSchema = z.strictObject({
  suiteId: z.string().min(1).max(1000).describe('The id of a stored suite, or the name of a suite from a file'),
  suiteVersion: z.int().positive().optional().describe('The version of a stored suite when the run started'),
  ...commonRequestFields,
  ...fieldsOf(suiteOptions),
  follows: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The Code Arena run whose pages this one continues, in the same conversation'),
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

/** The request without the options of suites, for cases that are chosen one by one. */
export function withoutSuiteOptions(request: RunRequest): RunRequest {
  const plain = { ...request }
  for (const name of Object.keys(suiteOptions)) Reflect.deleteProperty(plain, name)
  return plain
}

/** What may change on resume. */
export const resumeChangeSchema = z.strictObject(changesOf(changeableOptions))

export type RunRequest = z.output<typeof runRequestSchema>
export type RunRequestInput = z.input<typeof runRequestSchema>
/** `startedBy`: whoever resumes, on a team server, a run that nobody started there. */
export type ResumeChange = z.output<typeof resumeChangeSchema> & Pick<RunRequest, 'startedBy'>
