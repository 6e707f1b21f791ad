import { isRecord, type ModelRequest } from '../../contract/index.ts'
import { get, textOf } from '../http/json-values.ts'

/** What an answer must look like. */
export type AnswerFormat =
  | { type: 'json' }
  | { type: 'schema'; name: string; schema: Record<string, unknown>; isStrict: boolean }

/**
 * OpenAI's strict mode refuses schemas with objects that are open or have optional fields. Without it such a schema is
 * still sent, and the model is only asked to follow it.
 */
function isClosed(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed)
  if (!isRecord(schema)) return true
  const { properties } = schema
  if (schema['type'] === 'object' || properties !== undefined) {
    const required = schema['required']
    const names = Object.keys(isRecord(properties) ? properties : {})
    if (schema['additionalProperties'] !== false || !Array.isArray(required)) return false
    if (names.some((name) => !required.includes(name))) return false
  }
  return Object.values(schema).every(isClosed)
}

/** A schema may be plain, or in OpenAI's wrapping with its name and `strict`. */
function readSchema(given: Record<string, unknown>): AnswerFormat {
  const wrapped = given['type'] === 'json_schema' ? (get(given, 'json_schema') ?? given) : undefined
  const inner = get(wrapped, 'schema')
  const schema = isRecord(inner) ? inner : given
  const strict = get(wrapped, 'strict')
  return {
    type: 'schema',
    name: textOf(get(wrapped, 'name')) ?? 'answer',
    schema,
    isStrict: typeof strict === 'boolean' ? strict : isClosed(schema),
  }
}

export function readFormat({ responseFormat }: ModelRequest['parameters']): AnswerFormat | undefined {
  if (responseFormat === undefined || responseFormat === 'text') return undefined
  if (responseFormat === 'json' || responseFormat['type'] === 'json_object') return { type: 'json' }
  return responseFormat['type'] === 'text' ? undefined : readSchema(responseFormat)
}
