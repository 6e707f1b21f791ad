import { InputError, countNoun } from '../../../contract/index.ts'
import { asText, parseExpression, type Expression } from './expressions.ts'

/** A part of a template: text, a value, or a loop or condition with parts inside. */
type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'value'; expression: Expression }
  | { kind: 'for'; names: string[]; source: Expression; body: TemplatePart[] }
  | { kind: 'if'; branches: { condition: Condition | undefined; body: TemplatePart[] }[] }

type Scope = Readonly<Record<string, unknown>>
type Condition = (scope: Scope) => unknown

const TOKEN = /(\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#[\s\S]*?#\})/

/** Nested deeper, it is no prompt. */
const MAX_DEPTH = 20

/** Loops inside loops could otherwise grow without limit. */
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
export function parseTemplate(text: string): TemplatePart[] | undefined {
  try {
    return readParts(trimAround(text.split(TOKEN)), [], 0).parts
  } catch (error) {
    if (error instanceof Unsupported) return undefined
    throw error
  }
}

function itemsOf(value: unknown, names: readonly string[]): Scope[] {
  const [first = '', second] = names
  if (Array.isArray(value))
    return value.map((item: unknown) =>
      second === undefined || !Array.isArray(item) ? { [first]: item } : { [first]: item[0], [second]: item[1] },
    )
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, item]) => ({ [first]: key, ...(second !== undefined && { [second]: item }) }))
}

/** Fills a template. `onMissing` gets the values that are not there. */
export function renderParts(
  parts: readonly TemplatePart[],
  variables: Scope,
  onMissing: (name: string) => void,
): string {
  let length = 0
  const render = (inner: readonly TemplatePart[], scope: Scope): string =>
    inner.map((part) => renderPart(part, scope)).join('')
  const renderPart = (part: TemplatePart, scope: Scope): string => {
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
          return render(part.body, { ...scope, ...item, loop })
        })
        .join('')
    }
    if (part.kind === 'if') {
      const branch = part.branches.find(({ condition }) => !condition || Boolean(condition(scope)))
      return branch ? render(branch.body, scope) : ''
    }
    const value = part.kind === 'text' ? part.text : part.expression.evaluate(scope)
    if (part.kind === 'value' && value === undefined) onMissing(part.expression.name)
    const text = asText(value)
    length += text.length
    if (length > MAX_LENGTH)
      throw new InputError(`a template grows beyond ${countNoun(MAX_LENGTH, 'character')} when filled`)
    return text
  }
  return render(parts, variables)
}
