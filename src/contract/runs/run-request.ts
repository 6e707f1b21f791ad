import { z } from 'zod'
import { givenParametersSchema } from './model-parameters.ts'
import { changesOf, fieldsOf } from './option.ts'
import { changeableOptions, commonOptions, modelIdSchema, suiteOptions } from './run-options.ts'
import { personSchema } from '../team/access.ts'

/** Shared by suite runs and Code Arena runs. */
export const commonRequestFields = {
  ...fieldsOf(commonOptions),
  parameters: givenParametersSchema.default({}).describe('Sent to every model that supports them'),
  modelParameters: z
    .record(modelIdSchema, givenParametersSchema.strict())
    .optional()
    .describe("Parameters for one model, by its id; they override the run's"),
  headersLacking: z
    .array(z.string())
    .optional()
    .describe('Of a stored request: the headers whose values are not stored because they may be secret'),
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
  history: z
    .strictObject({
      models: z.int().positive().describe('How many other models are known'),
      means: z.record(z.string(), z.number().min(0).max(1)).describe('Their mean score on each case of the suite'),
    })
    .optional()
    .describe('Of a stored request with `informative`: what other models scored'),
  follows: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The Code Arena run whose pages this one continues, in the same conversation'),
})

/** A model, or a model with parameters of its own. */
export type ModelChoice = string | { id: string; parameters?: z.input<typeof givenParametersSchema> }

/**
 * The fields of a request for models that may be written with their parameters, `{ id, parameters }`. A model that is named
 * twice stays twice, which planning refuses: variants compare the settings of one model.
 */
export function splitModels(choices: readonly ModelChoice[]): Pick<RunRequestInput, 'models' | 'modelParameters'> {
  const own = choices.flatMap((choice) =>
    typeof choice !== 'string' && choice.parameters ? [[choice.id, choice.parameters] as const] : [],
  )
  return {
    models: choices.map((choice) => (typeof choice === 'string' ? choice : choice.id)),
    ...(own.length > 0 && { modelParameters: Object.fromEntries(own) }),
  }
}

/** What a run decides while it asks. */
export interface Deciding {
  /**
   * `best`: a model that is worse than another is out. `all`: a model is out when all its pairs are decided. `good-enough`:
   * a model is out that is worse than another by more than `sameWithin`, and all are when the others are not.
   */
  question: 'all' | 'best' | 'good-enough'
  /** No model is out before this many cases. */
  from: number
  /** Models may drop out only once, after `from` cases. */
  isOnce: boolean
  /** A difference of at most this, 0 to 1, does not matter: two models that are known to be within it are decided too. */
  sameWithin?: number
}

/** Undefined for a run that asks every model every case. */
export function decidingOf({
  until,
  decide,
  screen,
  sameWithin,
}: Pick<RunRequest, 'until' | 'decide' | 'screen' | 'sameWithin'>): Deciding | undefined {
  if (until === undefined && screen === undefined) return undefined
  return {
    question: decide ?? (until === undefined ? 'best' : 'all'),
    from: screen ?? 1,
    isOnce: until === undefined,
    ...(sameWithin !== undefined && { sameWithin: sameWithin / 100 }),
  }
}

/** The request for every model and every case. */
export function withoutDeciding(request: RunRequest): RunRequest {
  const { until: _until, decide: _decide, screen: _screen, orderSeed: _seed, ...asked } = request
  const { informative: _drawn, history: _known, ...plain } = asked
  return plain
}

/** The request without the options of suites, for cases that are chosen one by one. */
export function withoutSuiteOptions(request: RunRequest): RunRequest {
  const plain = { ...request }
  for (const name of Object.keys(suiteOptions)) Reflect.deleteProperty(plain, name)
  return plain
}

/** What may change on resume. */
export const resumeChangeSchema = z.strictObject({
  ...changesOf(changeableOptions),
  headers: givenParametersSchema.shape.headers.describe(
    'Headers whose values are not stored because they may be secret',
  ),
})

export type RunRequest = z.output<typeof runRequestSchema>
export type RunRequestInput = z.input<typeof runRequestSchema>
/** `startedBy`: whoever resumes, on a team server, a run that nobody started there. */
export type ResumeChange = z.output<typeof resumeChangeSchema> & Pick<RunRequest, 'startedBy'>

/** The model of `model#host`, as it is called wherever it is served. */
export function withoutHost(modelId: string): string {
  const at = modelId.lastIndexOf('#')
  return at > 0 ? modelId.slice(0, at) : modelId
}
