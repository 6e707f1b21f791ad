import { stringify } from 'yaml'
import { InputError, isRecord, readCluster, type Suite, asText } from '../../contract/index.ts'
import Papa from 'papaparse'
import { escapeFormula } from '../../contract/files/csv-formulas.ts'
import { scorers } from '../../scoring/index.ts'
import { CASE_COLUMNS } from './column-map.ts'
import { escapeSuiteVariables } from './variables.ts'

/** Writes a suite that reads back the same: braces that came from values are escaped. */
export function writeSuiteYaml(suite: Suite): string {
  return stringify(escapeSuiteVariables(suite), { lineWidth: 0 })
}

/** The same, as JSON. */
export function writeSuiteJson(suite: Suite): string {
  return `${JSON.stringify(escapeSuiteVariables(suite), null, 2)}\n`
}

type Fields = Record<string, unknown>

function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

function optionNames({ scoringMethod }: Fields): string[] {
  return Object.keys(scorers.find(({ name }) => name === scoringMethod)?.options.shape ?? {})
}

/** Refuses a case that CSV cannot express: a row has one prompt and one scoring method, and a column one meaning. */
function checkCase(testCase: Fields, options: ReadonlySet<string>): void {
  const name = `test case ${asText(testCase['id'])}`
  const why =
    testCase['messages'] !== undefined
      ? 'has several messages'
      : testCase['checks'] !== undefined
        ? 'has several checks'
        : undefined
  if (why !== undefined)
    throw new InputError(`${name} ${why}, which a row of CSV cannot hold; choose YAML, JSON or JSON lines`)
  const clash = Object.keys(recordOf(testCase['vars'])).find(
    (variable) => CASE_COLUMNS.includes(variable) || options.has(variable),
  )
  if (clash !== undefined)
    throw new InputError(
      `${name} has a variable ${clash}, which is also the name of a column; choose YAML, JSON or JSON lines`,
    )
}

function readOwn(testCase: Fields, column: string): string {
  const metadata = recordOf(testCase['metadata'])
  if (column === 'category' || column === 'difficulty') return asText(metadata[column])
  if (column === 'tags') return Array.isArray(metadata['tags']) ? metadata['tags'].map(asText).join('; ') : ''
  return asText(testCase[column])
}

/** Writes one case per row, as `read-csv.ts` reads it: every option and every variable has a column. */
function writeSuiteCsv(testCases: readonly unknown[]): string {
  const cases = testCases.map(recordOf)
  const options = new Set(
    cases.flatMap((testCase) => optionNames(testCase).filter((name) => Object.hasOwn(testCase, name))),
  )
  for (const testCase of cases) checkCase(testCase, options)
  const variables = new Set(cases.flatMap((testCase) => Object.keys(recordOf(testCase['vars']))))
  const rows = cases.map((testCase) => [
    ...CASE_COLUMNS.map((column) => readOwn(testCase, column)),
    ...[...options].map((name) => asText(testCase[name])),
    ...[...variables].map((name) => asText(recordOf(testCase['vars'])[name])),
  ])
  const table = [[...CASE_COLUMNS, ...options, ...variables], ...rows]
  // A variable may be named like a formula, so the header is escaped too.
  return `${Papa.unparse(
    table.map((row) => row.map(escapeFormula)),
    { newline: '\r\n' },
  )}\r\n`
}

type RawSuite = Record<string, unknown>

/** The formats in which a suite can be saved; {{variables}} are kept. To add one, write its function and add a line here. */
export const suiteFormats: { name: string; mediaType: string; format: (suite: RawSuite) => string }[] = [
  { name: 'yaml', mediaType: 'application/yaml; charset=utf-8', format: (suite) => stringify(suite, { lineWidth: 0 }) },
  {
    name: 'json',
    mediaType: 'application/json; charset=utf-8',
    format: (suite) => `${JSON.stringify(suite, null, 2)}\n`,
  },
  {
    name: 'jsonl',
    mediaType: 'application/jsonl; charset=utf-8',
    format: (suite) =>
      casesOf(suite)
        .map((testCase) => `${JSON.stringify(testCase)}\n`)
        .join(''),
  },
  { name: 'csv', mediaType: 'text/csv; charset=utf-8', format: (suite) => writeSuiteCsv(casesOf(suite)) },
]

/** Without the suite, the field that groups its cases is not known: each case names its cluster. */
function casesOf({ testCases, clusterBy }: RawSuite): unknown[] {
  const cases: unknown[] = Array.isArray(testCases) ? testCases : []
  if (typeof clusterBy !== 'string') return cases
  return cases.map((testCase) => {
    const cluster = isRecord(testCase) ? readCluster(testCase, clusterBy) : undefined
    return isRecord(testCase) && cluster !== undefined ? { ...testCase, cluster } : testCase
  })
}

/** JSON lines and CSV have only the cases, not the suite's prompts and variants. */
export function writeSuite(suite: RawSuite, name: string): string {
  const found = suiteFormats.find((format) => format.name === name)
  if (!found)
    throw new InputError(
      `there is no format ${name}; there are ${suiteFormats.map((format) => format.name).join(', ')}`,
    )
  return found.format(suite)
}
