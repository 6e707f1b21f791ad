import { escapePattern } from '../../../contract/index.ts'
import { readCondition, type Condition, type Text } from './javascript-expression.ts'

/** A check without code that holds exactly when the code returns true. */
export type PlainCheck =
  | { scoringMethod: 'regex-match'; expectedOutput: string }
  | { scoringMethod: 'json-schema'; schema: Record<string, unknown>; onlyJson: true }

/** What promptfoo hands the code of an assertion: a text, parsed JSON, or one or the other. */
export type OutputForm = 'text' | 'json' | 'unknown'

class NotPlain extends Error {}

/** The characters that become an ASCII letter in lower case: besides both cases, the Kelvin sign and İ (as i and a dot). */
function anyCase(literal: string): string {
  if (/[^ -~\s]/.test(literal) || literal !== literal.toLowerCase()) throw new NotPlain()
  return [...literal]
    .map((character, index, all) => {
      if (!/[a-z]/.test(character)) return escapePattern(character)
      const isLast = index === all.length - 1
      const others = character === 'k' ? String.raw`\u212A` : character === 'i' && isLast ? String.raw`\u0130` : ''
      return `[${character}${character.toUpperCase()}${others}]`
    })
    .join('')
}

function literalPattern(literal: string, { trim, lower }: Text): string {
  // At the edges of a trimmed text there is no blank to be found.
  if (trim && literal.trim() !== literal) throw new NotPlain()
  return lower ? anyCase(literal) : escapePattern(literal)
}

function quantifier(from: number, to: number): string {
  return `{${Math.max(0, from)},${to === Infinity ? '' : to}}`
}

const NEVER = '(?!)'

/** As a lookahead from the start of the answer. */
function sizePattern({ unit, text, from, to }: Condition & { kind: 'size' }): string {
  // Lower case can change the length.
  if (text.lower) throw new NotPlain()
  if (to < from) return NEVER
  if (unit === 'characters') {
    if (!text.trim) return `(?=[\\s\\S]${quantifier(from, to)}$)`
    const some = [
      ...(from <= 0 ? [''] : []),
      ...(from <= 1 && to >= 1 ? [String.raw`\S`] : []),
      ...(to >= 2 ? [String.raw`\S[\s\S]${quantifier(from - 2, to - 2)}\S`] : []),
    ]
    return some.length === 0 ? NEVER : String.raw`(?=\s*(?:${some.join('|')})\s*$)`
  }
  if (unit.runs && (unit.filled || text.trim)) {
    // Without a word, split still gives one part, which filter leaves out.
    const empty = unit.filled ? 0 : 1
    const words = String.raw`(?:\S+(?:\s+|$))${quantifier(Math.max(1, from), to)}`
    const some = [...(to >= 1 ? [words] : []), ...(from <= empty && empty <= to ? [''] : [])]
    return some.length === 0 ? NEVER : String.raw`(?=\s*(?:${some.join('|')})$)`
  }
  if (to < 1) return NEVER
  if (text.trim || unit.filled) throw new NotPlain()
  const cut = quantifier(from - 1, to - 1)
  if (unit.runs) return String.raw`(?=\S*(?:\s+(?!\s)\S*)${cut}$)`
  const [one, other] =
    unit.one === String.raw`\s`
      ? [unit.one, String.raw`\S`]
      : [escapePattern(unit.one), `[^${escapeInClass(unit.one)}]`]
  return `(?=${other}*(?:${one}${other}*)${cut}$)`
}

function escapeInClass(character: string): string {
  return /[\\\]^-]/.test(character) ? `\\${character}` : character
}

/** A pattern of the code inside a larger one: groups would be counted together, and flags differ. */
function innerPattern({ text, source, flags }: Condition & { kind: 'pattern' }): string {
  if (flags !== '' || text.lower) throw new NotPlain()
  if (/\\[1-9k]|\(\?</.test(source)) throw new NotPlain()
  if (!text.trim) return `(?=[\\s\\S]*(?:${source}))`
  // On a trimmed text: only a pattern of the whole of it, which cannot look beyond.
  const body = /^\^([\s\S]*[^\\])\$$/.exec(source)?.[1]
  if (body === undefined || /[|^$]|\(\?[^:]|\\b/i.test(body)) throw new NotPlain()
  const empty = new RegExp(`^(?:${body})$`).test('') ? '|' : ''
  return String.raw`(?=\s*(?:(?=\S)(?:${body})(?<=\S)${empty})\s*$)`
}

function isNegated(pattern: string): string {
  return `(?!${pattern})`
}

/** As a lookahead at the start of the answer. */
function toLookahead(condition: Condition): string {
  switch (condition.kind) {
    case 'not':
      return isNegated(toLookahead(condition.inner))
    case 'and':
      return condition.parts.map(toLookahead).join('')
    case 'or':
      return `(?:${condition.parts.map(toLookahead).join('|')})`
    case 'pattern':
      return innerPattern(condition)
    case 'size':
      return sizePattern(condition)
    case 'json':
      throw new NotPlain()
    case 'text': {
      const { operation, text } = condition
      const literal = literalPattern(condition.literal, text)
      const blanks = text.trim ? String.raw`\s*` : ''
      if (operation === 'includes') return `(?=[\\s\\S]*${literal})`
      if (operation === 'startsWith') return `(?=${blanks}${literal})`
      if (operation === 'endsWith') return `(?=[\\s\\S]*${literal}${blanks}$)`
      return `(?=${blanks}${literal}${blanks}$)`
    }
  }
}

/** A schema for the value at a path; objects on the way there must exist. */
function nest(path: readonly string[], schema: Record<string, unknown>): Record<string, unknown> {
  return path.reduceRight<Record<string, unknown>>(
    (inner, name) => ({ type: 'object', required: [name], properties: { [name]: inner } }),
    schema,
  )
}

/** Conditions on the parsed answer, all of which must hold; undefined if there is any other. */
function listJson(condition: Condition): Record<string, unknown>[] | undefined {
  if (condition.kind === 'json') return [nest(condition.path, condition.schema)]
  if (condition.kind !== 'and') return undefined
  const parts = condition.parts.map(listJson)
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined
}

/** Says what a line of JavaScript says without code; undefined unless it means exactly the same for every answer. */
export function translateJavascript(
  code: string,
  { variables, form }: { variables: Readonly<Record<string, unknown>>; form: OutputForm },
): PlainCheck | undefined {
  if (form === 'unknown') return undefined
  const condition = readCondition(code, { variables, isParsed: form === 'json' })
  if (!condition) return undefined
  const schemas = listJson(condition)
  if (schemas) {
    const [schema, ...others] = schemas
    return {
      scoringMethod: 'json-schema',
      schema: others.length === 0 ? schema! : { allOf: schemas },
      onlyJson: true,
    }
  }
  try {
    return { scoringMethod: 'regex-match', expectedOutput: writePattern(condition) }
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

function writePattern(condition: Condition): string {
  // A pattern that stands alone keeps its flags.
  if (condition.kind === 'pattern' && condition.flags !== '' && !condition.text.trim && !condition.text.lower) {
    if (/[^imsu]/.test(condition.flags)) throw new NotPlain()
    return `/${condition.source}/${condition.flags}`
  }
  return `^${toLookahead(condition)}`
}
