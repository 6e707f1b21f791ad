import { messageOf } from '../../../contract/index.ts'
import { textOf } from '../suite-draft.ts'
import type { OptionSchema, ScorerInfo } from '../../../server/suites/scorer-list.ts'

/** How an option of a scoring method is edited, derived from its JSON Schema. */
export type OptionField = {
  name: string
  label: string
  hint: string | undefined
  isRequired: boolean
  /** The default. */
  fallback: unknown
} & (
  | { kind: 'switch' }
  | { kind: 'number'; isWhole: boolean; limits: string | undefined }
  | { kind: 'choice'; choices: string[] }
  | { kind: 'text'; isLong: boolean }
  /** One text per line. */
  | { kind: 'lines' }
  /** The checklist of a rubric: texts, or objects with a text. */
  | { kind: 'criteria' }
  /** Lists and objects as JSON. */
  | { kind: 'json' }
)

/** `ignoreOrder` becomes "Ignore order", `deadlineMs` "Deadline ms". */
export function labelOf(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function typesOf({ type }: OptionSchema): string[] {
  return type === undefined ? [] : [type].flat()
}

function describeLimits({ minimum, maximum, exclusiveMinimum }: OptionSchema): string | undefined {
  const parts = [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    // zod writes the largest safe integer when there is no limit.
    maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && `at most ${maximum}`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : parts.join(', ')
}

function fieldOf(name: string, schema: OptionSchema, isRequired: boolean): OptionField {
  const common = { name, label: labelOf(name), hint: schema.description, isRequired, fallback: schema.default }
  const choices = schema.enum
  if (choices !== undefined && choices.every((choice) => typeof choice === 'string'))
    return { ...common, kind: 'choice', choices }
  const types = typesOf(schema)
  const [type] = types
  if (types.length === 1 && choices === undefined) {
    if (type === 'boolean') return { ...common, kind: 'switch' }
    if (type === 'number' || type === 'integer')
      return { ...common, kind: 'number', isWhole: type === 'integer', limits: describeLimits(schema) }
    if (type === 'string') return { ...common, kind: 'text', isLong: schema.contentMediaType === 'text/plain' }
    if (
      type === 'array' &&
      schema.items !== undefined &&
      schema.items.enum === undefined &&
      typesOf(schema.items).join(',') === 'string'
    )
      return { ...common, kind: 'lines' }
    if (type === 'array' && name === 'criteria') return { ...common, kind: 'criteria' }
  }
  return { ...common, kind: 'json' }
}

export function optionFields({ options }: Pick<ScorerInfo, 'options'>): OptionField[] {
  return Object.entries(options.properties).map(([name, schema]) =>
    fieldOf(name, schema, options.required?.includes(name) ?? false),
  )
}

/** Parses a number field. Blank is undefined; anything else stays text, so that the check can report it. */
export function parseNumberText(text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : text
}

/** Scores are 0 to 1 in the suite and 0 to 100 on screen. */
export function showPoints(value: unknown): string {
  return typeof value === 'number' ? String(Number((value * 100).toFixed(6))) : textOf(value)
}

export function parsePoints(text: string): unknown {
  const points = parseNumberText(text)
  return typeof points === 'number' ? Number((points / 100).toFixed(8)) : points
}

export function parseLines(text: string): string[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? undefined : lines
}

export function showLines(value: unknown): string {
  return Array.isArray(value)
    ? value.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
    : showJson(value)
}

export function parseTags(text: string): string[] | undefined {
  const tags = text.split(',').flatMap((tag) => tag.trim() || [])
  return tags.length === 0 ? undefined : tags
}

export function showTags(value: unknown): string {
  return Array.isArray(value)
    ? value.map((tag) => (typeof tag === 'string' ? tag : JSON.stringify(tag))).join(', ')
    : showJson(value)
}

export function findJsonError(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `Not valid JSON: ${messageOf(error)}`
  }
}

/** Parses a JSON field. Invalid JSON stays text, so that the check can report it. */
export function parseJsonText(text: string): unknown {
  if (text.trim() === '') return undefined
  return findJsonError(text) === undefined ? JSON.parse(text) : text
}

export function showJson(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' && findJsonError(value) !== undefined ? value : JSON.stringify(value, null, 2)
}
