import type { CsvRow } from '../../text/csv-rows.ts'
import { ASSERTION_TYPES } from '../assertions/assertion-types.ts'
import type { ImportWarnings } from '../import-warnings.ts'
import type { PlacedTest } from './placed-test.ts'

/** `type:value`, `type(threshold):value`, `not-type:value`. */
const WRITTEN = /^(not-)?([a-z][a-z0-9:-]*?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?$/

/** Aliases of types in a cell. */
const SHORT = new Map([
  ['grade', 'llm-rubric'],
  ['fn', 'javascript'],
  ['eval', 'javascript'],
])

const LISTS = new Set(['contains-any', 'contains-all', 'icontains-any', 'icontains-all'])
/** Their value is taken as it is written. */
const RAW = new Set(['is-json', 'contains-json', 'llm-rubric'])
/** In a cell, these have a threshold even if it is not written. */
const WITH_THRESHOLD = new Map([
  ['similar', 0.8],
  ...['answer-relevance', 'context-faithfulness', 'context-recall', 'context-relevance'].map(
    (type) => [type, 0.75] as const,
  ),
  ...['classifier', 'levenshtein', 'perplexity', 'perplexity-score', 'rouge-n'].map((type) => [type, 0.75] as const),
])

/** Reads a cell of an `__expected` column as promptfoo does; text without a type is the expected output itself. */
export function readExpected(written: string): Record<string, unknown> {
  const cell = written.trim()
  const [, not = '', name = '', threshold, value] = WRITTEN.exec(cell) ?? []
  const type = value === undefined ? name : (SHORT.get(name) ?? name)
  if (cell.startsWith('file://')) return { type: /\.py\b/.test(cell) ? 'python' : 'javascript', value: cell }
  if (!ASSERTION_TYPES.has(type)) return { type: 'equals', value: cell }
  const limit = threshold === undefined ? WITH_THRESHOLD.get(type) : Number(threshold)
  return {
    type: `${not}${type}`,
    ...(value !== undefined && {
      value: LISTS.has(type) ? value.split(',').map((item) => item.trim()) : RAW.has(type) ? value : value.trim(),
    }),
    ...(limit !== undefined && { threshold: limit }),
  }
}

function readNumber(cell: string): number | undefined {
  const value = Number.parseFloat(cell)
  return Number.isFinite(value) ? value : undefined
}

/** Commas inside an item are written `\\,`. */
function splitList(cell: string): string[] {
  return cell.split(/(?<!\\),/).map((item) => item.trim().replaceAll(String.raw`\,`, ','))
}

/** `__config:__expected2:threshold` is for the second expected column. */
function thresholdOf(column: string, index: number, limits: ReadonlyMap<string, number>): { threshold?: number } {
  const limit = limits.get(column) ?? (index === 0 ? limits.get('__expected1') : undefined)
  return limit === undefined ? {} : { threshold: limit }
}

/** Reads a row of promptfoo's CSV: columns that begin with `__` have a meaning, all others are variables. */
export function readCsvTest({ line, fields }: CsvRow, path: string, warnings: ImportWarnings): PlacedTest {
  const vars: [string, string][] = []
  const asserts: { column: string; assertion: Record<string, unknown> }[] = []
  const options: Record<string, string> = {}
  const metadata: [string, unknown][] = []
  const limits = new Map<string, number>()
  let description: string | undefined
  let metric: string | undefined
  let threshold: number | undefined
  for (const [column, cell] of fields) {
    const isBlank = cell.trim() === ''
    if (/^__expected\d*$/.test(column)) {
      if (!isBlank) asserts.push({ column, assertion: readExpected(cell) })
    } else if (column === '__prefix' || column === '__suffix') options[column.slice(2)] = cell
    else if (column === '__description') description = isBlank ? undefined : cell
    else if (column === '__metric') metric = isBlank ? undefined : cell.trim()
    else if (column === '__threshold') threshold = isBlank ? undefined : readNumber(cell)
    else if (/^__config:__expected\d*:threshold$/.test(column)) {
      const limit = isBlank ? undefined : readNumber(cell)
      if (limit !== undefined) limits.set(column.split(':')[1]!, limit)
    } else if (column.startsWith('__metadata:')) {
      const key = column.slice('__metadata:'.length)
      if (!isBlank) metadata.push(key.endsWith('[]') ? [key.slice(0, -2), splitList(cell)] : [key, cell])
    } else if (column.startsWith('__')) {
      if (!isBlank) warnings.add(`${path}:${line}`, `column ${JSON.stringify(column)} is not used`)
    } else vars.push([column, cell])
  }
  return {
    fields: {
      vars: Object.fromEntries(vars),
      assert: asserts.map(({ column, assertion }, index) => ({
        ...assertion,
        ...(metric !== undefined && { metric }),
        ...thresholdOf(column, index, limits),
      })),
      ...(threshold !== undefined && { threshold }),
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
