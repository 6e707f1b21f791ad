import Papa from 'papaparse'
import { InputError } from '../../contract/index.ts'
import { escapeFormula } from '../../contract/files/csv-formulas.ts'
import { scorers } from '../../scoring/index.ts'
import { CASE_COLUMNS } from './column-map.ts'

type Fields = Record<string, unknown>

const OWN_COLUMNS = CASE_COLUMNS

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function optionsOf({ scoringMethod }: Fields): string[] {
  return Object.keys(scorers.find(({ name }) => name === scoringMethod)?.options.shape ?? {})
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Refuses a case that CSV cannot express: a row has one prompt and one scoring method, and a column one meaning. */
function checkCase(testCase: Fields, options: ReadonlySet<string>): void {
  const name = `test case ${toText(testCase['id'])}`
  const why =
    testCase['messages'] !== undefined
      ? 'has several messages'
      : testCase['checks'] !== undefined
        ? 'has several checks'
        : undefined
  if (why !== undefined)
    throw new InputError(`${name} ${why}, which a row of CSV cannot hold; choose YAML, JSON or JSON lines`)
  const clash = Object.keys(fieldsOf(testCase['vars'])).find(
    (variable) => OWN_COLUMNS.includes(variable) || options.has(variable),
  )
  if (clash !== undefined)
    throw new InputError(
      `${name} has a variable ${clash}, which is also the name of a column; choose YAML, JSON or JSON lines`,
    )
}

function readOwn(testCase: Fields, column: string): string {
  const metadata = fieldsOf(testCase['metadata'])
  if (column === 'category' || column === 'difficulty') return toText(metadata[column])
  if (column === 'tags') return Array.isArray(metadata['tags']) ? metadata['tags'].map(toText).join('; ') : ''
  return toText(testCase[column])
}

/** Writes one case per row, as `read-csv.ts` reads it: every option and every variable has a column. */
export function writeSuiteCsv(testCases: readonly unknown[]): string {
  const cases = testCases.map(fieldsOf)
  const options = new Set(
    cases.flatMap((testCase) => optionsOf(testCase).filter((name) => Object.hasOwn(testCase, name))),
  )
  for (const testCase of cases) checkCase(testCase, options)
  const variables = new Set(cases.flatMap((testCase) => Object.keys(fieldsOf(testCase['vars']))))
  const rows = cases.map((testCase) => [
    ...OWN_COLUMNS.map((column) => readOwn(testCase, column)),
    ...[...options].map((name) => toText(testCase[name])),
    ...[...variables].map((name) => toText(fieldsOf(testCase['vars'])[name])),
  ])
  const table = [[...OWN_COLUMNS, ...options, ...variables], ...rows]
  // A variable may be named like a formula, so the header is escaped too.
  return `${Papa.unparse(
    table.map((row) => row.map(escapeFormula)),
    { newline: '\r\n' },
  )}\r\n`
}
