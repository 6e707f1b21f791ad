import { z } from 'zod'
import { modelParametersSchema } from './suite.ts'

/** What a run may ask for at most, whichever door the request comes through. */
export const runLimits = { models: 200, judges: 20, repeat: 1000, concurrency: 1000, timeoutSeconds: 3600 } as const

/** Requests in flight at once to one provider, unless the request says otherwise. */
export const defaultConcurrency = 5

/** The same words for the terminal, the web app and the library. */
const wholeNumber = (most: number) => {
  const message = `must be a whole number from 1 to ${most}`
  return z.int(message).min(1, message).max(most, message)
}

/** How the grades of several judges become one score. */
const combineJudgesSchema = z.enum(['mean', 'median'])

export const modelIdSchema = z.string().min(1).max(300)

/** One name, or several: cases with any of them are chosen. */
const filterSchema = z
  .union([z.string(), z.array(z.string())])
  .transform((names) => [names].flat().flatMap((name) => name.trim() || []))
  .transform((names) => (names.length === 0 ? undefined : names))

/** Who is asked and how: what a suite's run and a Code Arena run have in common. */
export const askingFields = {
  models: z
    .array(modelIdSchema)
    .min(1, 'no model chosen; name at least one')
    .max(runLimits.models, `at most ${runLimits.models} models can be compared at once`),
  parameters: modelParametersSchema.partial().default({}),
  judgeModelIds: z
    .array(modelIdSchema)
    .max(runLimits.judges, `a panel has at most ${runLimits.judges} judges`)
    .default([]),
  combineJudges: combineJudgesSchema.default('mean'),
  /** More than one makes a series. */
  repeat: wholeNumber(runLimits.repeat).default(1),
  concurrency: wholeNumber(runLimits.concurrency).default(defaultConcurrency),
  /** Until the first token. */
  timeoutSeconds: z
    .number()
    .positive('must be more than 0')
    .max(runLimits.timeoutSeconds, `must be at most ${runLimits.timeoutSeconds}`)
    .optional(),
  /** US dollars for all runs of the series together, judges included. */
  maxCost: z.number().positive('must be more than 0 dollars').optional(),
  /** Takes answers to the same request from earlier runs. */
  cache: z.boolean().default(false),
  /** The base URL of an OpenAI-compatible server that all models but `demo/…` are asked through. */
  endpoint: z.string().optional(),
}

/**
 * What was asked for, whole. It is stored with every run of its series; whoever plans, estimates, executes, resumes or
 * rescores reads it and nothing else.
 */
export const runRequestSchema = z.strictObject({
  /** What runs of the suite are kept under: the id of a stored suite, or the name of one from a file. */
  suiteId: z.string().min(1).max(1000),
  /** Of a stored suite, when the run began. */
  suiteVersion: z.int().positive().optional(),
  ...askingFields,
  /** Only cases with one of these tags, categories or ids. */
  filter: filterSchema.optional(),
  /** Only the first so many cases. */
  limit: z.int().positive().optional(),
})

/** What a resume may change; it is stored, and holds for later resumes too. */
export const resumeChangeSchema = z.strictObject({
  maxCost: askingFields.maxCost,
  combineJudges: combineJudgesSchema.optional(),
  concurrency: wholeNumber(runLimits.concurrency).optional(),
  timeoutSeconds: askingFields.timeoutSeconds,
  endpoint: askingFields.endpoint,
})

export type RunRequest = z.output<typeof runRequestSchema>
export type RunRequestInput = z.input<typeof runRequestSchema>
export type ResumeChange = z.output<typeof resumeChangeSchema>
