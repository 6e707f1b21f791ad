import { isRecord } from '../../contract/index.ts'
import { escapeVariables, fillText } from '../../scoring/text/fill-text.ts'
import type { SuiteFinding } from '../../scoring/index.ts'

type Visit = (text: string, path: PropertyKey[]) => string

/** Changes every string inside a value and nothing else. */
function mapTexts(value: unknown, path: PropertyKey[], visit: Visit): unknown {
  if (typeof value === 'string') return visit(value, path)
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, [...path, index], visit))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, [...path, key], visit)]))
}

/** Copies the fields only if something can change: a large suite should not be in memory twice. */
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

function mapItems(
  name: string,
  fields: Record<string, unknown>,
  map: (item: Record<string, unknown>, path: PropertyKey[]) => Record<string, unknown>,
): Record<string, unknown> | undefined {
  const items: unknown = fields[name]
  if (!Array.isArray(items)) return undefined
  return { [name]: items.map((item: unknown, index) => (isRecord(item) ? map(item, [name, index]) : item)) }
}

/** Changes the texts of a case that can contain variables: prompt, messages, expected outputs, contexts, criteria. */
function mapCaseTexts(testCase: Record<string, unknown>, path: PropertyKey[], visit: Visit): Record<string, unknown> {
  const mapped = mapFields(
    testCase,
    ['prompt', 'wordings', 'expectedOutput', 'context', 'criteria', 'preference'],
    path,
    visit,
  )
  const messages = mapItems('messages', testCase, (item, at) => mapFields(item, ['content'], [...path, ...at], visit))
  // The checks of a group have the same texts as a case.
  const checks = mapItems('checks', testCase, (item, at) => mapCaseTexts(item, [...path, ...at], visit))
  return messages || checks ? { ...mapped, ...messages, ...checks } : mapped
}

/** Changes the texts of the cases of a suite that is not validated yet. */
function mapSuiteTexts(raw: unknown, visitFor: (testCase: Record<string, unknown>) => Visit): unknown {
  if (!isRecord(raw) || !Array.isArray(raw['testCases'])) return raw
  const testCases = raw['testCases'].map((testCase: unknown, index) =>
    isRecord(testCase) ? mapCaseTexts(testCase, ['testCases', index], visitFor(testCase)) : testCase,
  )
  return { ...raw, testCases }
}

function unknownVariableProblem(name: string, values: Readonly<Record<string, unknown>>): string {
  const known = Object.keys(values)
  const has = known.length === 0 ? 'the case has no vars' : `its vars are ${known.join(', ')}`
  return `{{${name}}} has no value: ${has}. To mean the braces themselves write \\{{${name}}}`
}

/** Fills the variables of every case of a suite that is not validated yet. */
export function fillVariables(raw: unknown): { value: unknown; problems: SuiteFinding[] } {
  const problems: SuiteFinding[] = []
  const value = mapSuiteTexts(raw, ({ vars }) => (text, path) => {
    const values = isRecord(vars) ? vars : {}
    const { text: filled, unknown } = fillText(text, values)
    for (const name of unknown) problems.push({ path, message: unknownVariableProblem(name, values) })
    return filled
  })
  return { value, problems }
}

/** The reverse, for writing a filled suite to a file. */
export function escapeSuiteVariables(suite: unknown): unknown {
  return mapSuiteTexts(suite, () => escapeVariables)
}
