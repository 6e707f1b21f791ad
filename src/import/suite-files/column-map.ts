import { InputError, isScalar } from '../../contract/index.ts'
import { scorers } from '../../scoring/index.ts'
import { escapeVariables } from '../../scoring/text/fill-text.ts'
import type { CsvRow, CsvTable } from '../text/csv-rows.ts'

/** What people call a field or column. */
const LOOKS_LIKE_NAME = /^[\p{L}_][\p{L}\p{N} _.()/#?%-]{0,39}$/u

/**
 * The names for a message, with a lead: `its fields are colour, size`. Empty if one of them does not look like a name:
 * then the file is of another kind, perhaps of passwords, and nothing of it is repeated.
 */
export function quoteNames(lead: string, names: readonly string[], most = 20): string {
  return names.every((name) => LOOKS_LIKE_NAME.test(name)) ? `${lead} ${names.slice(0, most).join(', ')}` : ''
}

/** Which column of a table is which field of a test case: `{ prompt: 'question' }`. */
export type ColumnMap = Readonly<Record<string, string>>

/** The fields of a test case that a column can hold, besides options of scoring methods and variables. */
export const CASE_COLUMNS = [
  'id',
  'prompt',
  'expectedOutput',
  'scoringMethod',
  'weight',
  'passAt',
  'cluster',
  'category',
  'difficulty',
  'tags',
]

/** A scoring method may be named itself instead of a column: `scoringMethod=boolean`. */
function isConstant(field: string, column: string, columns: readonly string[]): boolean {
  return field === 'scoringMethod' && !columns.includes(column) && scorers.some(({ name }) => name === column)
}

const IN_TEMPLATE = /\{\{\s*([^{}]+?)\s*\}\}/g

/** `{{context}} {{question}}`: columns put together; `\\n` is a line break. A column of that very name comes first. */
function isTemplate(column: string, columns: readonly string[]): boolean {
  return !columns.includes(column) && column.search(IN_TEMPLATE) >= 0
}

function columnsIn(template: string): string[] {
  return [...template.matchAll(IN_TEMPLATE)].map((match) => match[1]!)
}

/** Lists and objects are written as JSON, what is missing as nothing. */
function fillTemplate(template: string, read: (column: string) => unknown): string {
  return template.replaceAll(String.raw`\n`, '\n').replaceAll(IN_TEMPLATE, (_whole, column: string) => {
    const value = read(column)
    if (value === undefined || value === null) return ''
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

/** The columns that a map reads, in its templates too. */
function columnsOf(map: ColumnMap, columns: readonly string[]): string[] {
  return Object.values(map).flatMap((column) => (isTemplate(column, columns) ? columnsIn(column) : [column]))
}

/** Text of a table is literal, never a template: LaTeX has double braces too. */
const LITERAL = new Set(['prompt', 'expectedOutput', 'context', 'criteria'])

/** Refuses columns that are not there, all at once, and lists those that are. */
function checkColumnMap(map: ColumnMap, columns: readonly string[], file: string): void {
  const missing = Object.entries(map)
    .flatMap(([field, column]) =>
      isTemplate(column, columns) ? columnsIn(column).map((one) => [field, one] as const) : [[field, column] as const],
    )
    .filter(([field, column]) => !columns.includes(column) && !isConstant(field, column, columns))
  if (missing.length === 0) return
  const named = missing.map(([field, column]) => `${JSON.stringify(column)} (for ${field})`).join(', ')
  const hint = missing.some(([field]) => field === 'scoringMethod')
    ? ` A scoring method is a column or one of ${scorers.map(({ name }) => name).join(', ')}.`
    : ''
  throw new InputError(
    `${file}: there is no column ${named}; the columns are ${columns.map((name) => JSON.stringify(name)).join(', ')}.${hint}`,
  )
}

/** The scoring method of rows that name none: they have a right answer to compare with, or none at all. */
function defaultMethod(hasExpected: boolean): 'exact-match' | 'none' {
  return hasExpected ? 'exact-match' : 'none'
}

interface Mapped<Item> {
  item: Item
  warnings: string[]
}

function warnOfDefault(file: string, hasExpected: boolean): string {
  return hasExpected
    ? `${file}: no scoringMethod: answers must equal the expected output (exact-match); for another method use --map scoringMethod=…`
    : `${file}: no scoringMethod and no expectedOutput: answers are collected, not scored (none)`
}

/** Renames the columns of a table to the fields they hold. Columns that are not named keep their names. */
export function mapTable(table: CsvTable, map: ColumnMap, file: string): Mapped<CsvTable> {
  const { columns } = table
  checkColumnMap(map, columns, file)
  const used = new Set(columnsOf(map, columns))
  const others = columns.filter((name) => !used.has(name) && !Object.hasOwn(map, name))
  const replaced = columns.filter((name) => !used.has(name) && Object.hasOwn(map, name))
  const hasMethod = Object.hasOwn(map, 'scoringMethod') || others.includes('scoringMethod')
  const hasExpected = Object.hasOwn(map, 'expectedOutput') || others.includes('expectedOutput')
  const columnOf = (name: string) => map[name] ?? name
  const mapRow = (row: CsvRow): CsvRow => {
    const fields = new Map<string, string>()
    for (const [field, column] of Object.entries(map)) {
      const text = isTemplate(column, columns)
        ? fillTemplate(column, (name) => row.fields.get(name))
        : isConstant(field, column, columns)
          ? column
          : row.fields.get(column)!
      fields.set(field, LITERAL.has(field) ? escapeVariables(text) : text)
    }
    if (!hasMethod) {
      fields.set('scoringMethod', defaultMethod(hasExpected))
      if (hasExpected) fields.set('partial', 'false')
    }
    for (const name of others) {
      const text = row.fields.get(name)!
      fields.set(name, LITERAL.has(name) ? escapeVariables(text) : text)
    }
    return { line: row.line, fields, locate: (name) => row.locate(columnOf(name)) }
  }
  const names = [...Object.keys(map), ...(hasMethod ? [] : ['scoringMethod']), ...others]
  return {
    item: {
      columns: names,
      rows: table.rows.map(mapRow),
      locate: (name) => table.locate(columnOf(name)),
    },
    warnings: [
      ...(hasMethod ? [] : [warnOfDefault(file, hasExpected)]),
      ...replaced.map(
        (name) => `${table.locate(name)}: column ${JSON.stringify(name)} is not used: ${map[name]} is the ${name}`,
      ),
    ],
  }
}

/** A field of a JSON object, or of an object inside it: `doc.question`. */
export function lookUpField(value: unknown, path: string): unknown {
  const ownOf = (from: unknown, key: string): unknown =>
    typeof from === 'object' && from !== null && Object.hasOwn(from, key)
      ? new Map<string, unknown>(Object.entries(from)).get(key)
      : undefined
  const whole = ownOf(value, path)
  return whole === undefined ? path.split('.').reduce(ownOf, value) : whole
}

interface JsonRow {
  value: Record<string, unknown>
  /** `file:line:column` of the row. */
  place: string
}

/** All field names of the rows, those inside objects with dots. */
export function listFields(rows: readonly { value: Record<string, unknown> }[]): string[] {
  const names = new Set<string>()
  const collect = (value: object, prefix: string, depth: number): void => {
    for (const [key, inner] of Object.entries(value)) {
      names.add(prefix + key)
      if (depth > 0 && typeof inner === 'object' && inner !== null && !Array.isArray(inner))
        collect(inner, `${prefix}${key}.`, depth - 1)
    }
  }
  for (const { value } of rows) collect(value, '', 2)
  return [...names]
}

const METADATA = new Set(['category', 'difficulty', 'tags'])

/** Makes test cases of JSON objects with other field names. Texts and numbers that are no field become variables. */
export function mapRows(rows: readonly JsonRow[], map: ColumnMap, file: string): Mapped<Record<string, unknown>[]> {
  const columns = listFields(rows)
  checkColumnMap(map, columns, file)
  const hasMethod = Object.hasOwn(map, 'scoringMethod') || columns.includes('scoringMethod')
  const hasExpected = Object.hasOwn(map, 'expectedOutput') || columns.includes('expectedOutput')
  const options = new Set(scorers.flatMap((scorer) => Object.keys(scorer.options.shape)))
  const known = new Set([...CASE_COLUMNS, 'messages', 'checks', 'metadata', 'vars', 'passAt', 'cluster', ...options])
  const used = new Set(columnsOf(map, columns))
  const literal = (field: string, value: unknown) =>
    LITERAL.has(field) && typeof value === 'string' ? escapeVariables(value) : value
  const unused = new Set<string>()

  const mapRow = ({ value, place }: JsonRow): Record<string, unknown> => {
    const testCase: Record<string, unknown> = {}
    const vars: Record<string, unknown> = {}
    const metadata: Record<string, unknown> = {}
    for (const [field, column] of Object.entries(map)) {
      const found = isTemplate(column, columns)
        ? fillTemplate(column, (name) => lookUpField(value, name))
        : isConstant(field, column, columns)
          ? column
          : lookUpField(value, column)
      if (found === undefined && field === 'prompt')
        throw new InputError(
          `${place}: has no ${JSON.stringify(column)}; its fields are ${Object.keys(value).join(', ')}`,
        )
      if (found === undefined || found === null) continue
      if (METADATA.has(field)) metadata[field] = field === 'tags' ? [found].flat().map(String) : String(found)
      else if (known.has(field))
        testCase[field] = field === 'id' || field === 'cluster' ? String(found) : literal(field, found)
      else if (isScalar(found)) vars[field] = found
    }
    for (const [name, inner] of Object.entries(value)) {
      if (used.has(name) || Object.hasOwn(map, name)) continue
      if (known.has(name)) testCase[name] = literal(name, inner)
      else if (isScalar(inner)) vars[name] = inner
      else if (inner !== null && ![...used].some((column) => column.startsWith(`${name}.`))) unused.add(name)
    }
    if (!hasMethod) {
      testCase['scoringMethod'] = defaultMethod(hasExpected)
      if (hasExpected) testCase['partial'] = false
    }
    return {
      ...testCase,
      ...(Object.keys(metadata).length > 0 && { metadata }),
      ...(Object.keys(vars).length > 0 && { vars: { ...vars, ...Object(testCase['vars']) } }),
    }
  }
  const item = rows.map(mapRow)
  return {
    item,
    warnings: [
      ...(hasMethod ? [] : [warnOfDefault(file, hasExpected)]),
      ...[...unused].map((name) => `${file}: the field ${JSON.stringify(name)} is a list or an object and not used`),
    ],
  }
}

const GUESSES: Record<string, string[]> = {
  prompt: ['prompt', 'question', 'input', 'query', 'instruction', 'problem', 'text', 'user'],
  expectedOutput: [
    'expectedoutput',
    'expected',
    'answer',
    'output',
    'target',
    'ideal',
    'reference',
    'label',
    'solution',
    'completion',
  ],
  id: ['id', 'qid', 'questionid', 'uid', 'taskid'],
  category: ['category', 'subject', 'topic', 'type'],
}

/** Ignores case and separators: `Expected_Output` most likely means expectedOutput. */
export function looseName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}

/** Guesses which columns hold what, for a form that the user can change. */
export function guessColumns(columns: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(GUESSES).flatMap(([field, names]) => {
      const found = names.map((name) => columns.find((column) => looseName(column) === name)).find((name) => name)
      return found === undefined ? [] : [[field, found]]
    }),
  )
}
