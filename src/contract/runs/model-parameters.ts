import { z } from 'zod'
import { changesOf, fieldsOf, numberFrom, option, wholeNumber } from './option.ts'

/** What can be sent to models: in a run, a variant or the playground. */
export const parameterOptions = {
  temperature: option(numberFrom(0, 2).default(0.7), {
    label: 'Temperature',
    help: 'how much answers vary, 0 to 2; lower is more consistent',
    hint: '0 to 2; lower is more consistent',
    flag: '--temperature <t>',
  }),
  topP: option(numberFrom(0, 1).default(1), {
    label: 'Top P',
    help: 'sample only from the likeliest tokens up to this share, 0 to 1',
    hint: '0 to 1',
    flag: '--top-p <p>',
  }),
  maxTokens: option(wholeNumber().default(2048), {
    label: 'Max tokens',
    help: 'maximum length of an answer',
    flag: '--max-tokens <n>',
  }),
  frequencyPenalty: option(numberFrom(-2, 2).default(0), {
    label: 'Frequency penalty',
    help: 'make repeated words less likely, −2 to 2',
    hint: '−2 to 2',
    flag: '--frequency-penalty <x>',
  }),
  presencePenalty: option(numberFrom(-2, 2).default(0), {
    label: 'Presence penalty',
    help: 'make words that were used before less likely, −2 to 2',
    hint: '−2 to 2',
    flag: '--presence-penalty <x>',
  }),
  benchmarkMode: option(z.boolean().default(false), {
    label: 'Benchmark Mode',
    help: 'set temperature and penalties to 0, for reproducible answers',
    hint: 'Locks temperature and both penalties to 0, so that runs are repeatable.',
    flag: '--benchmark-mode',
  }),
}

/** All parameters, with defaults for those that are absent. */
export const modelParametersSchema = z.object(fieldsOf(parameterOptions))

/** Has no defaults: naming some parameters must not set the others. */
export const givenParametersSchema = z.object(changesOf(parameterOptions))

export type ModelParameters = z.output<typeof modelParametersSchema>

export const defaultParameters: ModelParameters = modelParametersSchema.parse({})

/** Adds defaults for missing parameters. */
export function completeParameters(parameters: Partial<ModelParameters> = {}): ModelParameters {
  const named = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return { ...defaultParameters, ...Object.fromEntries(named) }
}

/** Parameters that Benchmark Mode overrides. */
export const benchmarkModeLocks = { temperature: 0, frequencyPenalty: 0, presencePenalty: 0 } as const
