import { InputError, countNoun, asText } from '../../../contract/index.ts'
import { parseExpression, type Expression } from './expressions.ts'

/** promptfoo renders text with Nunjucks. We fill values, loops and conditions, and refuse everything else by name. */

/** A part of a template: text, a value, or a loop or condition with parts inside. */
type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'value'; expression: Expression }
  | { kind: 'for'; names: string[]; source: Expression; body: TemplatePart[] }
  | { kind: 'if'; branches: { condition: Condition | undefined; body: TemplatePart[] }[] }

export type Variables = Readonly<Record<string, unknown>>
type Condition = (scope: Variables) => unknown

const TOKEN = /(\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\})/

/** Nested deeper, it is no prompt. */
const MAX_DEPTH = 20

/** Loops inside loops, and variables that refer to each other, could otherwise grow without limit. */
const MAX_LENGTH = 1_000_000

function parseOperand(text: string): Condition | undefined {
  const source = text.trim()
  const literal = /^(?:'([^']*)'|"([^"]*)")$/.exec(source)
  if (literal) return () => literal[1] ?? literal[2]
  if (/^-?\d+(?:\.\d+)?$/.test(source)) return () => Number(source)
  if (source === 'true' || source === 'false') return () => source === 'true'
  if (source === 'none' || source === 'null') return () => undefined
  const expression = parseExpression(source)
  return expression && ((scope) => expression.evaluate(scope))
}

const COMPARISONS = new Map<string, (a: unknown, b: unknown) => boolean>([
  ['===', (a, b) => a === b],
  ['!==', (a, b) => a !== b],
  ['==', (a, b) => asText(a) === asText(b)],
  ['!=', (a, b) => asText(a) !== asText(b)],
  ['>=', (a, b) => Number(a) >= Number(b)],
  ['<=', (a, b) => Number(a) <= Number(b)],
  ['>', (a, b) => Number(a) > Number(b)],
  ['<', (a, b) => Number(a) < Number(b)],
  [' in ', (a, b) => (Array.isArray(b) ? b.includes(a) : asText(b).includes(asText(a)))],
])

/** `a`, `not a`, `a == 'x'`, joined by `and` and `or`; undefined for anything more, such as parentheses. */
function parseCondition(text: string): Condition | undefined {
  const join = (word: string, combine: (values: boolean[]) => boolean): Condition | undefined => {
    const parts = text.split(new RegExp(String.raw`\s+${word}\s+`)).map(parseCondition)
    const known = parts.filter((part) => part !== undefined)
    return known.length === parts.length ? (scope) => combine(known.map((part) => Boolean(part(scope)))) : undefined
  }
  if (/\s+or\s+/.test(text)) return join('or', (values) => values.some(Boolean))
  if (/\s+and\s+/.test(text)) return join('and', (values) => values.every(Boolean))
  const negated = /^\s*not\s+([\s\S]+)$/.exec(text)?.[1]
  if (negated !== undefined) {
    const inner = parseCondition(negated)
    return inner && ((scope) => !inner(scope))
  }
  for (const [sign, compare] of COMPARISONS) {
    const at = text.indexOf(sign)
    if (at < 0) continue
    const [left, right] = [parseOperand(text.slice(0, at)), parseOperand(text.slice(at + sign.length))]
    return left && right && ((scope) => compare(left(scope), right(scope)))
  }
  return parseOperand(text)
}

class Unsupported extends Error {}

/** Reads the parts up to one of the closing tags. */
function readParts(
  tokens: string[],
  closing: readonly string[],
  depth: number,
): { parts: TemplatePart[]; end: string } {
  if (depth > MAX_DEPTH) throw new Unsupported()
  const parts: TemplatePart[] = []
  for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
    if (token.startsWith('{#')) continue
    if (token.startsWith('{{') && token.endsWith('}}')) {
      const expression = parseExpression(token.slice(2, -2))
      if (!expression) throw new Unsupported()
      parts.push({ kind: 'value', expression })
    } else if (token.startsWith('{%')) {
      const tag = token.slice(2, -2).replace(/^-/, '').replace(/-$/, '').trim()
      if (closing.includes(tag.split(/\s/)[0]!)) return { parts, end: tag }
      parts.push(readBlock(tag, tokens, depth))
    } else if (token !== '') parts.push({ kind: 'text', text: token })
  }
  if (closing.length > 0) throw new Unsupported()
  return { parts, end: '' }
}

function readBlock(tag: string, tokens: string[], depth: number): TemplatePart {
  const loop = /^for\s+([\p{L}_]\w*(?:\s*,\s*[\p{L}_]\w*)?)\s+in\s+([\s\S]+)$/u.exec(tag)
  if (loop) {
    const source = parseExpression(loop[2]!)
    const { parts } = readParts(tokens, ['endfor'], depth + 1)
    if (!source || source.variable === '_conversation') throw new Unsupported()
    return { kind: 'for', names: loop[1]!.split(/\s*,\s*/), source, body: parts }
  }
  if (!tag.startsWith('if ')) throw new Unsupported()
  const branches: (TemplatePart & { kind: 'if' })['branches'] = []
  for (let head = tag; ;) {
    const text = /^(?:if|elif|elseif)\s+([\s\S]+)$/.exec(head)?.[1]
    const condition = text === undefined ? undefined : parseCondition(text)
    if (text !== undefined && !condition) throw new Unsupported()
    const { parts, end } = readParts(
      tokens,
      text === undefined ? ['endif'] : ['elif', 'elseif', 'else', 'endif'],
      depth + 1,
    )
    branches.push({ condition, body: parts })
    if (end === 'endif') return { kind: 'if', branches }
    head = end
  }
}

/** `{%- … -%}` and `{{- … -}}` remove the blanks around them. */
function trimAround(tokens: readonly string[]): string[] {
  return tokens.map((token, index) => {
    if (index % 2 === 1) return token
    const before = tokens[index - 1]
    const after = tokens[index + 1]
    const start = before !== undefined && /-[%}]\}$/.test(before) ? token.trimStart() : token
    return after !== undefined && /^\{[%{]-/.test(after) ? start.trimEnd() : start
  })
}

/** Reads values, loops and conditions of a Nunjucks template; undefined if it uses more. */
function parseTemplate(text: string): TemplatePart[] | undefined {
  try {
    return readParts(trimAround(text.split(TOKEN)), [], 0).parts
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}

function itemsOf(value: unknown, names: readonly string[]): Variables[] {
  const [first = '', second] = names
  if (Array.isArray(value))
    return value.map((item: unknown) =>
      second === undefined || !Array.isArray(item) ? { [first]: item } : { [first]: item[0], [second]: item[1] },
    )
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, item]) => ({ [first]: key, ...(second !== undefined && { [second]: item }) }))
}

/** Fills a template. `onMissing` gets the values that are not there. */
function renderParts(parts: readonly TemplatePart[], variables: Variables, onMissing: (name: string) => void): string {
  let length = 0
  const renderAll = (inner: readonly TemplatePart[], scope: Variables): string =>
    inner.map((part) => renderPart(part, scope)).join('')
  const renderPart = (part: TemplatePart, scope: Variables): string => {
    if (part.kind === 'for') {
      const items = itemsOf(part.source.evaluate(scope), part.names)
      return items
        .map((item, index) => {
          const loop = {
            index: index + 1,
            index0: index,
            first: index === 0,
            last: index === items.length - 1,
            length: items.length,
          }
          return renderAll(part.body, { ...scope, ...item, loop })
        })
        .join('')
    }
    if (part.kind === 'if') {
      const branch = part.branches.find(({ condition }) => !condition || Boolean(condition(scope)))
      return branch ? renderAll(branch.body, scope) : ''
    }
    const value = part.kind === 'text' ? part.text : part.expression.evaluate(scope)
    if (part.kind === 'value' && value === undefined) onMissing(part.expression.name)
    const text = asText(value)
    length += text.length
    if (length > MAX_LENGTH)
      throw new InputError(`a template grows beyond ${countNoun(MAX_LENGTH, 'character')} when filled`)
    return text
  }
  return renderAll(parts, variables)
}

const TAG = /\{\{([\s\S]*?)\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\}/g

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
function shortHash(text: string): string {
  let value = 7
  for (const character of text) value = (value * 31 + character.codePointAt(0)!) % 2_147_483_647
  return value.toString(36)
}

/** The text as a template of a suite, and the values that it uses by their names there. */
export function toTemplate(text: string): { template: string; expressions: Expression[] } {
  // A suite's templates have no loops and conditions: the whole text becomes a value of each case.
  if (/\{[%#]/.test(text)) {
    const name = `__text_${shortHash(text)}`
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
    if (text.length > MAX_LENGTH)
      throw new InputError(
        `${place}: the variable ${name} grows beyond ${countNoun(MAX_LENGTH, 'character')} when filled`,
      )
    resolved.set(name, text)
    return text
  }
  return Object.fromEntries(Object.keys(variables).map((name) => [name, resolve(name, [])]))
}
