import { InputError, countNoun } from '../../../contract/index.ts'
import { asText, parseExpression, type Expression } from './expressions.ts'
import { parseTemplate, renderParts } from './template-logic.ts'

/** promptfoo renders text with Nunjucks. We fill values, loops and conditions, and refuse everything else by name. */
const TAG = /\{\{([\s\S]*?)\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g

/** Variables that refer to each other could otherwise grow without limit. */
const LONGEST_TEXT = 1_000_000

export type Variables = Readonly<Record<string, unknown>>

/** Finds the first tag that cannot be filled here. */
export function findLogic(text: string): string | undefined {
  if (parseTemplate(text)) return undefined
  const tags = [...text.matchAll(TAG)]
  const wrong = tags.find(([, expression]) => expression === undefined || !parseExpression(expression)) ?? tags[0]
  return (wrong?.[0] ?? '{{').replaceAll(/\s+/g, ' ').slice(0, 80)
}

export interface Rendered {
  text: string
  /** Variables without a value; they are left empty, as in promptfoo. */
  missing: string[]
}

/** Fills a template. Only for text in which `findLogic` finds nothing. */
export function render(text: string, variables: Variables): Rendered {
  const missing = new Set<string>()
  const filled = renderParts(parseTemplate(text) ?? [{ kind: 'text', text }], variables, (name) => missing.add(name))
  return { text: filled, missing: [...missing] }
}

/** Short and the same for the same text. */
function hash(text: string): string {
  let value = 7
  for (const character of text) value = (value * 31 + character.codePointAt(0)!) % 2_147_483_647
  return value.toString(36)
}

/** The text as a template of a suite, and the values that it uses by their names there. */
export function toTemplate(text: string): { template: string; expressions: Expression[] } {
  // A suite's templates have no loops and conditions: the whole text becomes a value of each case.
  if (/\{[%#]/.test(text)) {
    const name = `__text_${hash(text)}`
    return {
      template: `{{${name}}}`,
      expressions: [{ name, variable: name, evaluate: (variables) => render(text, variables).text }],
    }
  }
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
        `${place}: the variable ${name} grows beyond ${countNoun(LONGEST_TEXT, 'character')} when filled`,
      )
    resolved.set(name, text)
    return text
  }
  return Object.fromEntries(Object.keys(variables).map((name) => [name, resolve(name, [])]))
}
