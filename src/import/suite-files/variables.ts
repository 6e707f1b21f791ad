import type { SuiteFinding } from '../../scoring/index.ts'

/**
 * `{{name}}`, blanks inside allowed. A name begins with a letter or `_` and goes on with letters, digits, `_`, `.` or `-`.
 * Anything else between double braces, such as `style={{ width: 5 }}`, is not a variable and stays as it is.
 */
const VARIABLE = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu

type Values = Readonly<Record<string, unknown>>

interface Filled {
  text: string
  /** Names that have no value, each once; they are left in the text. */
  unknown: string[]
}

function isFillable(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function countBackslashesBefore(text: string, end: number, start: number): number {
  let at = end
  while (at > start && text[at - 1] === '\\') at--
  return end - at
}

/** Walks over the variables of a text; `replace` is given the backslashes directly before each. */
function replaceVariables(
  text: string,
  replace: (variable: string, name: string, backslashes: number) => string,
): string {
  let result = ''
  let done = 0
  for (const match of text.matchAll(VARIABLE)) {
    const backslashes = countBackslashesBefore(text, match.index, done)
    result += text.slice(done, match.index - backslashes) + replace(match[0], match[1]!, backslashes)
    done = match.index + match[0].length
  }
  return result + text.slice(done)
}

/**
 * Fills each `{{name}}` once: a value that itself holds `{{other}}` stays as it is. A backslash before it, `\{{name}}`,
 * means the braces themselves; two backslashes mean one backslash and then the value.
 */
export function fillText(text: string, values: Values): Filled {
  const unknown = new Set<string>()
  const filled = replaceVariables(text, (variable, name, backslashes) => {
    const kept = '\\'.repeat(Math.floor(backslashes / 2))
    if (backslashes % 2 === 1) return kept + variable
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (isFillable(value)) return kept + String(value)
    unknown.add(name)
    return kept + variable
  })
  return { text: filled, unknown: [...unknown] }
}

/** A text that `fillText` turns back into this one, whatever the values. */
export function escapeVariables(text: string): string {
  return replaceVariables(text, (variable, _name, backslashes) => `${'\\'.repeat(backslashes * 2 + 1)}${variable}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Visit = (text: string, path: PropertyKey[]) => string

/** Every text inside a value; what is not text stays as it is. */
function mapTexts(value: unknown, path: PropertyKey[], visit: Visit): unknown {
  if (typeof value === 'string') return visit(value, path)
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, [...path, index], visit))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, [...path, key], visit)]))
}

/** A copy of the fields, or the fields themselves where nothing can change: of a large suite there should not be two. */
function mapFields(
  fields: Record<string, unknown>,
  names: string[],
  path: PropertyKey[],
  visit: Visit,
): Record<string, unknown> {
  const isPlainText = (value: unknown) => typeof value === 'string' && !value.includes('{{')
  const changing = names.filter((name) => Object.hasOwn(fields, name) && !isPlainText(fields[name]))
  if (changing.length === 0) return fields
  const mapped = { ...fields }
  for (const name of changing) mapped[name] = mapTexts(fields[name], [...path, name], visit)
  return mapped
}

/** The texts of a case that may hold variables: prompt, message contents, expected outputs. */
function mapCaseTexts(testCase: Record<string, unknown>, path: PropertyKey[], visit: Visit): Record<string, unknown> {
  const mapItems = (name: string, fields: string[]) => {
    const items: unknown = testCase[name]
    if (!Array.isArray(items)) return undefined
    return {
      [name]: items.map((item: unknown, index) =>
        isRecord(item) ? mapFields(item, fields, [...path, name, index], visit) : item,
      ),
    }
  }
  const mapped = mapFields(testCase, ['prompt', 'expectedOutput'], path, visit)
  const messages = mapItems('messages', ['content'])
  const checks = mapItems('checks', ['expectedOutput'])
  return messages || checks ? { ...mapped, ...messages, ...checks } : mapped
}

/** A suite as it was read, shape not yet checked, with the texts of its cases changed. */
function mapSuiteTexts(raw: unknown, visitFor: (testCase: Record<string, unknown>) => Visit): unknown {
  if (!isRecord(raw) || !Array.isArray(raw['testCases'])) return raw
  const testCases = raw['testCases'].map((testCase: unknown, index) =>
    isRecord(testCase) ? mapCaseTexts(testCase, ['testCases', index], visitFor(testCase)) : testCase,
  )
  return { ...raw, testCases }
}

function describeUnknown(name: string, values: Values): string {
  const known = Object.keys(values)
  const has = known.length === 0 ? 'the case has no vars' : `its vars are ${known.join(', ')}`
  return `{{${name}}} has no value: ${has}. To mean the braces themselves write \\{{${name}}}`
}

/** Fills the variables of every case of a suite that was read but not yet checked. */
export function fillVariables(raw: unknown): { value: unknown; problems: SuiteFinding[] } {
  const problems: SuiteFinding[] = []
  const value = mapSuiteTexts(raw, ({ vars }) => (text, path) => {
    const values = isRecord(vars) ? vars : {}
    const { text: filled, unknown } = fillText(text, values)
    for (const name of unknown) problems.push({ path, message: describeUnknown(name, values) })
    return filled
  })
  return { value, problems }
}

/** The other way round, for writing a filled suite to a file. */
export function escapeSuiteVariables(suite: unknown): unknown {
  return mapSuiteTexts(suite, () => escapeVariables)
}
