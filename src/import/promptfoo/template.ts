import { InputError } from '../../contract/index.ts'

/** promptfoo renders text with Nunjucks. We fill plain variables and refuse everything else by name. */
const TAG = /\{\{([\s\S]*?)\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g
const PLAIN = /^-?\s*([\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*)\s*-?$/u

/** Variables that refer to each other could otherwise grow without limit. */
const LONGEST_TEXT = 1_000_000

export type Variables = Readonly<Record<string, unknown>>

/** Finds the first tag in a text that is more than a plain variable. */
export function findLogic(text: string): string | undefined {
  for (const [tag, expression] of text.matchAll(TAG)) {
    const name = expression === undefined ? undefined : PLAIN.exec(expression.trim())?.[1]
    if (name === undefined || name.startsWith('env.')) return tag.replaceAll(/\s+/g, ' ').slice(0, 80)
  }
  return undefined
}

export function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Own properties only: `{{constructor}}` is not a variable. */
function lookUp(name: string, variables: Variables): unknown {
  const entryOf = (value: unknown, key: string): unknown =>
    typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined
  return name.split('.').reduce<unknown>(entryOf, variables)
}

export interface Rendered {
  text: string
  /** Variables without a value; they are left empty, as in promptfoo. */
  missing: string[]
}

/** Fills plain variables. Only for text in which `findLogic` finds nothing. */
export function render(text: string, variables: Variables): Rendered {
  const missing = new Set<string>()
  const filled = text.replaceAll(TAG, (tag, expression: string | undefined) => {
    const name = expression === undefined ? undefined : PLAIN.exec(expression.trim())?.[1]
    if (name === undefined) return tag
    const value = lookUp(name, variables)
    if (value === undefined) missing.add(name)
    return asText(value)
  })
  return { text: filled, missing: [...missing] }
}

/** Fills variables inside variables: `greeting: Hello {{name}}`. Cycles and unknown names are left as written. */
export function resolveVariables(variables: Variables, place: string): Variables {
  const resolved = new Map<string, unknown>()
  const resolve = (name: string, asking: readonly string[]): unknown => {
    if (resolved.has(name)) return resolved.get(name)
    const value = variables[name]
    if (typeof value !== 'string' || !value.includes('{{')) return value
    const text = value.replaceAll(/\{\{\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*\}\}/gu, (tag, other: string) =>
      other !== name && !asking.includes(other) && Object.hasOwn(variables, other)
        ? asText(resolve(other, [...asking, name]))
        : tag,
    )
    if (text.length > LONGEST_TEXT)
      throw new InputError(
        `${place}: the variable ${name} grows beyond ${LONGEST_TEXT.toLocaleString('en')} characters when filled`,
      )
    resolved.set(name, text)
    return text
  }
  return Object.fromEntries(Object.keys(variables).map((name) => [name, resolve(name, [])]))
}
