import { InputError } from '../../contract/index.ts'
import { asText, parseExpression, type Expression } from './expressions.ts'

/** promptfoo renders text with Nunjucks. We fill values, with simple filters, and refuse everything else by name. */
const TAG = /\{\{([\s\S]*?)\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g

/** Variables that refer to each other could otherwise grow without limit. */
const LONGEST_TEXT = 1_000_000

export type Variables = Readonly<Record<string, unknown>>

/** Finds the first tag in a text that is more than a value. */
export function findLogic(text: string): string | undefined {
  for (const [tag, expression] of text.matchAll(TAG))
    if (expression === undefined || !parseExpression(expression)) return tag.replaceAll(/\s+/g, ' ').slice(0, 80)
  return undefined
}

export interface Rendered {
  text: string
  /** Variables without a value; they are left empty, as in promptfoo. */
  missing: string[]
}

/** Fills values. Only for text in which `findLogic` finds nothing. */
export function render(text: string, variables: Variables): Rendered {
  const missing = new Set<string>()
  const filled = text.replaceAll(TAG, (tag, source: string | undefined) => {
    const expression = source === undefined ? undefined : parseExpression(source)
    if (!expression) return tag
    const value = expression.evaluate(variables)
    if (value === undefined) missing.add(expression.name)
    return asText(value)
  })
  return { text: filled, missing: [...missing] }
}

/** The text as a template of a suite, and the values that it uses by their names there. */
export function toTemplate(text: string): { template: string; expressions: Expression[] } {
  const expressions = new Map<string, Expression>()
  // A backslash before a variable is an escape in a suite, and only a backslash in promptfoo.
  const template = text.replaceAll(/(\\*)\{\{([\s\S]*?)\}\}/g, (tag, backslashes: string, source: string) => {
    const expression = parseExpression(source)
    if (!expression) return tag
    expressions.set(expression.name, expression)
    return `${backslashes}${backslashes}{{${expression.name}}}`
  })
  return { template, expressions: [...expressions.values()] }
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
