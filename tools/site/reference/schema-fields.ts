import { code, plain, table } from './markdown-tables.ts'

/** The parts of a JSON Schema that zod writes. */
export interface JsonSchema {
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  $ref?: string
}

const NAMES: Record<string, string> = { string: 'text', array: 'list', object: 'object', boolean: 'true or false' }

function describeRange({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const least = minimum ?? exclusiveMinimum
  // zod gives every whole number the largest one that JavaScript can count.
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (least === undefined || least === Number.MIN_SAFE_INTEGER) return most === undefined ? '' : ` up to ${most}`
  if (most !== undefined) return ` ${least} to ${most}`
  return exclusiveMinimum === undefined ? ` from ${least}` : ` above ${least}`
}

function joinChoices(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

/** A type in words: `list of text`, `number 0 to 1`, `mean or median`. */
function describeType(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', '')
  if (schema.enum) return joinChoices(schema.enum.map(String))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return joinChoices([...new Set(choices.map(describeType))])
  if (schema.$ref !== undefined || schema.type === undefined) return 'any JSON'
  if (Array.isArray(schema.type)) return schema.type.map((type) => NAMES[type] ?? type).join(' or ')
  if (schema.type === 'array') return schema.items ? `list of ${describeType(schema.items)}` : 'list'
  if (schema.type === 'integer') return `whole number${describeRange(schema)}`
  if (schema.type === 'number') return `number${describeRange(schema)}`
  return NAMES[schema.type] ?? schema.type
}

export interface FieldOptions {
  /** Descriptions that replace those of the schema, or stand for missing ones. */
  comments?: ReadonlyMap<string, string>
  /** Fields that are described elsewhere on the page, with what to say instead of a type. */
  elsewhere?: Record<string, string>
}

/** A table of the fields of an object; objects inside become fields with a path. */
export function writeFields(schema: JsonSchema, { comments, elsewhere = {} }: FieldOptions = {}): string {
  const rowsOf = ({ properties = {}, required = [] }: JsonSchema, prefix: string): string[][] =>
    Object.entries(properties).flatMap(([name, field]) => {
      const path = prefix + name
      const isRequired = required.includes(name) && field.default === undefined
      const meaning = (comments?.get(name) ?? field.description ?? '').replace(/\.$/, '')
      const isDefaultTold = field.default === undefined || /default/i.test(meaning)
      const notes = [
        ...(meaning === '' ? [] : [plain(meaning)]),
        ...(isDefaultTold ? [] : [`default ${code(JSON.stringify(field.default))}`]),
      ]
      const type = elsewhere[path] ?? plain(describeType(field))
      const row = [code(path), isRequired ? `${type}, required` : type, notes.join('; ')]
      if (elsewhere[path] !== undefined) return [row]
      return [row, ...rowsOf(field, `${path}.`), ...rowsOf(field.items ?? {}, `${path}[].`)]
    })
  return table(['field', 'type', 'meaning'], rowsOf(schema, ''))
}
