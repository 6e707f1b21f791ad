import { z } from 'zod'
import { isSecret, KEY_SHAPE } from '../secret-shapes.ts'
import { changesOf, fieldsOf, numberFrom, option, wholeNumber } from './option.ts'

const count = (message: string) => z.int(message).min(0, message)

/** What a request has anyway: replaced, the answer would be to something else than the suite asks. */
const OWN_FIELDS = ['model', 'messages', 'contents', 'input', 'prompt', 'system', 'stream', 'stream_options']

const extraBodySchema = z
  .record(z.string(), z.json())
  .refine((body) => !OWN_FIELDS.some((name) => Object.hasOwn(body, name)), {
    error: ({ input }) =>
      `must not set ${OWN_FIELDS.find((name) => Object.hasOwn(Object(input), name))}, which every request has of its own`,
  })
  .refine((body) => !KEY_SHAPE.test(JSON.stringify(body)), {
    error: 'holds what looks like a key, and would be stored; send it as a header',
  })

/** Set by the connection itself. */
const OWN_HEADERS = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'connection',
])

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

function findHeaderProblem(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return `${JSON.stringify(name)} is not the name of a header`
  return OWN_HEADERS.has(name.toLowerCase()) ? `${name} is a header that every request has of its own` : undefined
}

export const headersSchema = z
  .record(
    z.string(),
    z.string().regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, 'must be on one line, in characters that headers allow'),
  )
  .refine((headers) => Object.keys(headers).every((name) => findHeaderProblem(name) === undefined), {
    error: ({ input }) =>
      Object.keys(Object(input))
        .map(findHeaderProblem)
        .find((problem) => problem !== undefined),
  })

const stopSchema = z
  .union([
    z.string().min(1, 'must not be empty'),
    z
      .array(z.string().min(1, 'must not be empty'))
      .min(1, 'must be at least one text')
      .max(16, 'must be at most 16 texts'),
  ])
  .transform((texts) => [texts].flat())

/** What can be sent to models: in a run, a variant or the playground. */
export const parameterOptions = {
  temperature: option(numberFrom(0, 2).default(0.7), {
    label: 'Temperature',
    help: 'how much answers vary, 0 to 2',
    hint: '0 to 2; lower is more consistent',
    flag: '--temperature <t>',
  }),
  topP: option(numberFrom(0, 1).default(1), {
    label: 'Top P',
    help: 'sample from the likeliest tokens up to this share',
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
    help: 'make used words less likely, −2 to 2',
    hint: '−2 to 2',
    flag: '--presence-penalty <x>',
  }),
  benchmarkMode: option(z.boolean().default(false), {
    label: 'Benchmark Mode',
    help: 'temperature and penalties 0: reproducible answers',
    hint: 'Locks temperature and both penalties to 0, so that runs are repeatable.',
    flag: '--benchmark-mode',
  }),
  reasoningEffort: option(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'max']).optional(), {
    label: 'Reasoning effort',
    help: 'how long a model thinks',
    hint: 'How long a reasoning model thinks',
    flag: '--reasoning-effort <e>',
    unset: "the model's own",
  }),
  thinkingBudget: option(count('must be a whole number of at least 0').optional(), {
    label: 'Thinking budget',
    help: 'tokens a model may think',
    hint: 'Tokens',
    flag: '--thinking-budget <n>',
    unset: "the model's own",
  }),
  seed: option(z.int('must be a whole number').optional(), {
    label: 'Seed',
    help: 'repeatable answers, as far as the model can',
    hint: 'For answers that repeat, as far as the model can',
    flag: '--seed <n>',
    unset: 'none',
  }),
  topK: option(wholeNumber().optional(), {
    label: 'Top K',
    help: 'sample from the likeliest k tokens',
    hint: 'Of the likeliest tokens',
    flag: '--top-k <k>',
    unset: "the model's own",
  }),
  stop: option(stopSchema.optional(), {
    label: 'Stop',
    help: 'end the answer before this text; may be repeated',
    hint: 'End the answer before one of these texts, one in a line; \\n is a line break',
    flag: '--stop <text>',
    typedAs: 'lines',
  }),
  responseFormat: option(
    z
      .union([z.enum(['text', 'json']), z.record(z.string(), z.json())], 'must be text, json or a JSON Schema')
      .optional(),
    {
      label: 'Response format',
      help: 'text, json, or a JSON Schema as text or @FILE',
      hint: 'text, json or a JSON Schema',
      flag: '--response-format <f>',
      typedAs: 'format',
      unset: 'text',
    },
  ),
  extraBody: option(extraBodySchema.optional(), {
    label: 'Extra body',
    help: 'more fields of the request, as JSON or @FILE',
    hint: 'JSON, in the words of the API',
    flag: '--extra-body <json>',
    typedAs: 'json',
  }),
  headers: option(headersSchema.optional(), {
    label: 'Headers',
    help: 'a header of every request; secrets are not stored',
    hint: 'Name: value, one in a line; secret values are not stored',
    flag: '--header <name:value>',
    typedAs: 'headers',
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

/** The headers whose values are secret, with their values: they are not stored. */
export function listSecretHeaders({ headers = {} }: Partial<ModelParameters>): [name: string, value: string][] {
  return Object.entries(headers).filter(([name, value]) => isSecret(name, value))
}
