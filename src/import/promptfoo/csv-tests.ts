import type { CsvRow } from '../text/csv-rows.ts'
import { ASSERTION_TYPES } from './assertion-types.ts'
import type { ImportWarnings } from './import-warnings.ts'
import type { PlacedTest } from './placed-test.ts'

/** `type:value`, `type(threshold):value`, `not-type:value`. */
const WRITTEN = /^(not-)?([a-z][a-z0-9:-]*?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/

/** Aliases of types in a cell. */
const SHORT = new Map([
  ['grade', 'llm-rubric'],
  ['fn', 'javascript'],
  ['eval', 'javascript'],
])

/** Reads a cell of an `__expected` column; text without a type is the expected output itself. */
export function readExpected(cell: string): Record<string, unknown> {
  const [, not = '', written = '', threshold, value] = WRITTEN.exec(cell) ?? []
  const type = value === undefined ? written : (SHORT.get(written) ?? written)
  if (cell.startsWith('file://')) return { type: 'javascript', value: cell }
  if (!ASSERTION_TYPES.has(type)) return { type: 'equals', value: cell }
  const isList = /^i?contains-(?:any|all)$/.test(type)
  return {
    type: `${not}${type}`,
    ...(value !== undefined && { value: isList ? value.split(',').map((item) => item.trim()) : value }),
    ...(threshold !== undefined && { threshold: Number(threshold) }),
  }
}

/** Reads a row of promptfoo's CSV: columns that begin with `__` have a meaning, all others are variables. */
export function readCsvTest({ line, fields }: CsvRow, path: string, warnings: ImportWarnings): PlacedTest {
  const vars: [string, string][] = []
  const asserts: { column: string; assertion: Record<string, unknown> }[] = []
  const options: Record<string, string> = {}
  const metadata: [string, unknown][] = []
  let description: string | undefined
  for (const [column, cell] of fields) {
    const isBlank = cell.trim() === ''
    if (/^__expected\d*$/.test(column)) {
      if (!isBlank) asserts.push({ column, assertion: readExpected(cell) })
    } else if (column === '__prefix' || column === '__suffix') options[column.slice(2)] = cell
    else if (column === '__description') description = isBlank ? undefined : cell
    else if (column.startsWith('__metadata:')) {
      const key = column.slice('__metadata:'.length)
      if (!isBlank)
        metadata.push(key.endsWith('[]') ? [key.slice(0, -2), cell.split(',').map((item) => item.trim())] : [key, cell])
    } else if (column.startsWith('__')) {
      if (!isBlank) warnings.add(`${path}:${line}`, `column ${JSON.stringify(column)} is not used`)
    } else vars.push([column, cell])
  }
  return {
    fields: {
      vars: Object.fromEntries(vars),
      assert: asserts.map(({ assertion }) => assertion),
      options,
      metadata: Object.fromEntries(metadata),
      ...(description !== undefined && { description }),
    },
    place: ([field, index]) => {
      const column = field === 'assert' && typeof index === 'number' ? asserts[index]?.column : undefined
      return `${path}:${line}${column === undefined ? '' : `: column ${column}`}`
    },
  }
}
