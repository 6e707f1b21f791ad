import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { z } from 'zod'
import { ScoringError, type ScoringResult, messageOf } from '../contract/index.ts'
import { findJson, parseWhole } from './text/find-json.ts'
import { defineScorer } from './scorer.ts'

type JsonSchema = boolean | Record<string, unknown>

const MAX_CACHED = 100
const MAX_ERRORS_SHOWN = 3

/** Unknown keywords are rejected, because they are usually misspelt; style checks are off. */
const AJV_OPTIONS = { allErrors: true, strictTypes: false, strictTuples: false, logger: false } as const

/** Compiling takes milliseconds, and a run uses the same schema again and again. */
const compiledSchemas = new Map<string, ValidateFunction>()

function compile(schema: JsonSchema): ValidateFunction {
  const key = JSON.stringify(schema)
  const cached = compiledSchemas.get(key)
  if (cached) return cached

  const draft = typeof schema === 'object' && typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
  const ajv = /draft-0[67]/.test(draft) ? new Ajv(AJV_OPTIONS) : new Ajv2020(AJV_OPTIONS)
  formats.default(ajv)
  ajv.addVocabulary(['example'])
  let validate: ValidateFunction
  try {
    validate = ajv.compile(schema)
  } catch (error) {
    const reason = messageOf(error)
    throw new ScoringError('invalid-options', `json-schema: the schema cannot be used: ${reason}`, { cause: error })
  }
  if (compiledSchemas.size >= MAX_CACHED) compiledSchemas.clear()
  compiledSchemas.set(key, validate)
  return validate
}

function joinErrors(errors: ErrorObject[]): string {
  const shown = errors
    .slice(0, MAX_ERRORS_SHOWN)
    .map(({ instancePath, message }) => `${instancePath || 'the value'} ${message}`)
  const rest = errors.length - shown.length
  return shown.join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}

/** What is wrong with a value; undefined if it matches the schema. */
export function validateValue(value: unknown, schema: JsonSchema): string | undefined {
  const validate = compile(schema)
  return validate(value) ? undefined : joinErrors(validate.errors ?? [])
}

/** Scores 1 if the JSON in the response matches the schema, else 0 with the first errors in `notes`. */
export function validateJson(response: string, schema: JsonSchema, onlyJson = false): ScoringResult {
  const validate = compile(schema)
  const found = onlyJson ? parseWhole(response) : findJson(response)
  if (!found) return { score: 0, notes: 'no JSON in the response' }
  if (validate(found.value)) return { score: 1, notes: 'matches the schema' }
  return { score: 0, notes: joinErrors(validate.errors ?? []) }
}

export const jsonSchema = defineScorer({
  name: 'json-schema',
  summary: 'Requires JSON that matches a JSON Schema (2020-12, draft 7 or 6)',
  expectedOutput: 'unused',
  options: z.object({
    schema: z.union([z.boolean(), z.record(z.string(), z.unknown())]).describe('The JSON Schema'),
    onlyJson: z.boolean().default(false).describe('The whole response must be JSON, not only a part of it'),
    deadlineMs: z
      .number()
      .positive()
      .max(60_000)
      .default(1000)
      .describe('How long a pattern in the schema may run, in milliseconds'),
  }),
  validate: (_expected, { schema }) => void compile(schema),
  score: ({ response, toolCalls = [] }, { schema, onlyJson }) =>
    // Calls without a text are JSON: promptfoo's output is then the list of calls.
    onlyJson && response.trim() === '' && toolCalls.length > 0
      ? validateJson(JSON.stringify(toolCalls), schema, true)
      : validateJson(response, schema, onlyJson),
  // A schema may contain slow patterns.
  isSlow: () => true,
  deadlineMs: ({ deadlineMs }) => deadlineMs,
})
