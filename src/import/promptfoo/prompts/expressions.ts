import { asText } from '../../../contract/index.ts'

/** A value in a template: `user.name`, `choices[0]`, `items | join(', ')`. */
export interface Expression {
  /** A name for its value among a case's variables. */
  name: string
  /** Its first part: the variable that it reads. */
  variable: string
  evaluate(variables: Readonly<Record<string, unknown>>): unknown
}

type Filter = (value: unknown, args: readonly unknown[]) => unknown

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}

/** The filters of Nunjucks that people use in prompts. */
const FILTERS = new Map<string, Filter>([
  ['upper', (value) => asText(value).toUpperCase()],
  ['lower', (value) => asText(value).toLowerCase()],
  ['trim', (value) => asText(value).trim()],
  ['capitalize', (value) => capitalize(asText(value))],
  ['title', (value) => asText(value).replaceAll(/\S+/g, capitalize)],
  ['string', asText],
  ['safe', (value) => value],
  ['dump', (value, [indent]) => JSON.stringify(value, null, Number(indent ?? 0))],
  ['length', (value) => (Array.isArray(value) ? value.length : asText(value).length)],
  ['first', (value) => (Array.isArray(value) ? value[0] : asText(value)[0])],
  ['last', (value) => (Array.isArray(value) ? value.at(-1) : asText(value).at(-1))],
  ['join', (value, [separator]) => (Array.isArray(value) ? value.map(asText).join(asText(separator)) : value)],
  ['default', (value, [other]) => value ?? other],
  ['replace', (value, [from, to]) => asText(value).replaceAll(asText(from), asText(to))],
])

/** Own properties only: `{{constructor}}` is not a variable. */
export function entryOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined
}

const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`
const TEXT = String.raw`'[^'\\]*'|"[^"\\]*"`
const PATH = new RegExp(String.raw`^${NAME}(?:\.(?:${NAME}|\d+)|\[\s*(?:\d+|${TEXT})\s*\])*`, 'u')
const STEP = new RegExp(String.raw`\.?(${NAME}|\d+|${TEXT})`, 'gu')
const FILTER = new RegExp(
  String.raw`^\s*\|\s*(${NAME})(?:\(\s*((?:${TEXT}|-?\d+(?:\.\d+)?)(?:\s*,\s*(?:${TEXT}|-?\d+(?:\.\d+)?))*)?\s*\))?`,
  'u',
)

function readLiteral(text: string): unknown {
  return /^['"]/.test(text) ? text.slice(1, -1) : Number(text)
}

/** Reads an expression without its braces; undefined if it is more than a path with known filters. */
export function parseExpression(source: string): Expression | undefined {
  const text = source.replace(/^-/, '').replace(/-$/, '').trim()
  const path = PATH.exec(text)?.[0]
  if (path === undefined) return undefined
  const keys = [...path.matchAll(STEP)].map(([, key]) => (/^['"]/.test(key!) ? key!.slice(1, -1) : key!))
  if (keys[0] === 'env') return undefined
  const filters: { name: string; apply: (value: unknown) => unknown }[] = []
  let rest = text.slice(path.length)
  while (rest.trim() !== '') {
    const match = FILTER.exec(rest)
    const filter = match && FILTERS.get(match[1]!)
    if (!match || !filter) return undefined
    const args = [...(match[2] ?? '').matchAll(new RegExp(`${TEXT}|-?\\d+(?:\\.\\d+)?`, 'g'))].map(([arg]) =>
      readLiteral(arg),
    )
    filters.push({ name: [match[1]!, ...args].join('-'), apply: (value) => filter(value, args) })
    rest = rest.slice(match[0].length)
  }
  return {
    name: [keys.join('.'), ...filters.map(({ name }) => name)].join('-').replaceAll(/[^\p{L}\p{N}_.-]/gu, '_'),
    variable: keys[0]!,
    evaluate: (variables) =>
      filters.reduce((value, { apply }) => apply(value), keys.reduce<unknown>(entryOf, variables)),
  }
}
