import type { z } from 'zod'
import { InputError, tryParseJson } from '../../contract/index.ts'
import { scorers, type Scorer } from '../../scoring/index.ts'
import { readCsv, type CsvRow, type CsvTable } from '../text/csv-rows.ts'
import { CASE_COLUMNS, looseName, mapTable, quoteNames, type ColumnMap } from './column-map.ts'
import { hintMap } from './map-hint.ts'
import { finishSuite, nameAfterFile, type FinishedSuite } from './finish-suite.ts'
import { readSource } from '../text/source-text.ts'

/** Cells are text, but an option can be a number, a boolean, a list or an object: the first reading that fits wins. */
function readOption(text: string, schema: z.core.$ZodType): unknown {
  const readings = [
    text,
    tryParseJson(text),
    tryParseJson(text.trim().toLowerCase()),
    text.split(';').map((item) => item.trim()),
  ]
  return readings.find((reading) => reading !== undefined && isAccepted(schema, reading)) ?? text
}

function isAccepted(schema: z.core.$ZodType, value: unknown): boolean {
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && result.issues === undefined
}

function readNumberOrText(text: string): number | string {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

function splitTags(text: string): string[] {
  return text
    .split(/[;,]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

interface ReadCase {
  fields: Record<string, unknown>
  /** Columns of this row that became variables. */
  variables: string[]
}

function methodOf({ fields }: CsvRow): Scorer | undefined {
  return scorers.find(({ name }) => name === fields.get('scoringMethod')?.trim())
}

/** The variables that a prompt or expected output of the table uses. */
function findUsedVariables(rows: readonly CsvRow[]): Set<string> {
  const texts = rows.flatMap(({ fields }) => [fields.get('prompt') ?? '', fields.get('expectedOutput') ?? ''])
  return new Set(texts.flatMap((text) => [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => match[1]!)))
}

/** Columns that are options of some method in the table, and no variables. */
function findOptionColumns({ columns, rows }: CsvTable, used: ReadonlySet<string>): Set<string> {
  const methods = new Set(rows.flatMap((row) => methodOf(row) ?? []))
  const isOption = (name: string) => [...methods].some(({ options }) => Object.hasOwn(options.shape, name))
  return new Set(columns.filter((name) => isOption(name) && !used.has(name)))
}

function readCase(row: CsvRow, position: number, { used, optionColumns }: ColumnUse): ReadCase {
  const { fields } = row
  const filled = new Map([...fields].filter(([, text]) => text.trim() !== ''))
  const textOf = (name: string) => filled.get(name)
  const scorer = methodOf(row)
  const testCase: Record<string, unknown> = { id: textOf('id')?.trim() ?? `row-${position}` }
  for (const name of ['prompt', 'expectedOutput']) if (filled.has(name)) testCase[name] = textOf(name)
  const method = textOf('scoringMethod')?.trim()
  if (method !== undefined) testCase['scoringMethod'] = method
  const cluster = textOf('cluster')?.trim()
  if (cluster !== undefined) testCase['cluster'] = cluster
  for (const name of ['weight', 'passAt']) {
    const text = textOf(name)
    if (text !== undefined) testCase[name] = readNumberOrText(text)
  }

  const [category, difficulty, tags] = ['category', 'difficulty', 'tags'].map((name) => textOf(name)?.trim())
  const metadata = {
    ...(category && { category }),
    ...(difficulty && { difficulty }),
    ...(tags && { tags: splitTags(tags) }),
  }
  if (Object.keys(metadata).length > 0) testCase['metadata'] = metadata

  const variables: [string, string][] = []
  for (const [name, text] of fields) {
    // A prompt may also use what groups the cases.
    if (CASE_COLUMNS.includes(name) && !(name === 'cluster' && used.has(name))) continue
    const option = scorer && Object.hasOwn(scorer.options.shape, name) ? scorer.options.shape[name] : undefined
    if (option) {
      if (filled.has(name)) testCase[name] = readOption(text, option)
    } else if (filled.has(name) || !optionColumns.has(name)) variables.push([name, text])
  }
  if (variables.length > 0) testCase['vars'] = Object.fromEntries(variables)
  return { fields: testCase, variables: variables.map(([name]) => name) }
}

interface ColumnUse {
  /** Variables in a prompt or expected output. */
  used: ReadonlySet<string>
  optionColumns: ReadonlySet<string>
}

/** Warns of columns that no case reads and no `{{name}}` uses: most of them are misspelt. */
function warnOfUnused({ columns, locate }: CsvTable, cases: ReadCase[], { used, optionColumns }: ColumnUse): string[] {
  const asVariable = new Set(cases.flatMap(({ variables }) => variables))
  return columns
    .filter((name) => asVariable.has(name) && !used.has(name))
    .map((name) => {
      const column = `${locate(name)}: column ${JSON.stringify(name)}`
      if (optionColumns.has(name)) {
        const ignoring = cases.filter(({ variables }) => variables.includes(name))
        const methods = new Set(ignoring.map(({ fields }) => String(fields['scoringMethod'])))
        return `${column} is not an option of ${[...methods].join(', ')} and is ignored there`
      }
      const meant = CASE_COLUMNS.find((known) => looseName(known) === looseName(name))
      const hint = meant ? `; did you mean ${meant}?` : ` and no prompt or expectedOutput uses {{${name}}}`
      return `${column} is not a field of a test case${hint}`
    })
}

function checkColumns({ columns, rows, locate }: CsvTable, file: string): void {
  const missing = ['prompt', 'scoringMethod'].filter((name) => !columns.includes(name))
  if (missing.length > 0) {
    // A single one may be the first line of any text.
    const found = columns.length > 1 ? quoteNames('; it has', columns) : ''
    const known = `Columns are ${CASE_COLUMNS.join(', ')}, options of the scoring method, and any other as a {{variable}}`
    throw new InputError(
      `${locate('')}: needs a column ${missing.join(' and a column ')}${found}. ${known}. Name other columns, for example with ${hintMap(columns)}`,
    )
  }
  if (rows.length === 0) throw new InputError(`${file}: has a header but no test cases`)
}

/** The column that holds the value at a path of a test case. */
function columnOf([field, inner]: readonly PropertyKey[]): string {
  return field === 'metadata' || field === 'vars' ? String(inner ?? field) : String(field)
}

/** Reads a suite from CSV, one case per row. Columns are CASE_COLUMNS, options of the scoring method, and variables. */
export function parseCsvSuite(text: string, file: string, map?: ColumnMap): FinishedSuite {
  const written = readCsv(text, file)
  const { item: table, warnings: mapped } = map ? mapTable(written, map, file) : { item: written, warnings: [] }
  checkColumns(table, file)
  const used = findUsedVariables(table.rows)
  const optionColumns = findOptionColumns(table, used)
  const cases = table.rows.map((row, index) => readCase(row, index + 1, { used, optionColumns }))
  const locate = (path: readonly PropertyKey[]) => {
    const [, index, ...inCase] = path
    const row = typeof index === 'number' ? table.rows[index] : undefined
    if (!row) return file
    if (inCase.length === 0) return row.locate('')
    const column = columnOf(inCase)
    return `${row.locate(column)}: column ${JSON.stringify(map?.[column] ?? column)}`
  }
  const name = nameAfterFile(file)
  const { suite, warnings } = finishSuite({ name, testCases: cases.map(({ fields }) => fields) }, locate)
  return { suite, warnings: [...mapped, ...warnOfUnused(table, cases, { used, optionColumns }), ...warnings] }
}

export async function loadCsvSuite(file: string): Promise<FinishedSuite> {
  return parseCsvSuite(await readSource(file), file)
}
