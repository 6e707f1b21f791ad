import { basename, extname } from 'node:path'
import { isRecord } from '../../contract/index.ts'
import { guessColumns, listFields, lookUpField } from './column-map.ts'
import { looksLikeJsonLines, parseLocated } from './recognise-suite.ts'

/** The first rows of a table, to choose columns by. */
export interface TablePreview {
  columns: string[]
  rows: Record<string, string>[]
  /** What the columns most likely hold. */
  guess: Record<string, string>
}

const ROWS_SHOWN = 5

/** Reads the columns and first rows of CSV, JSON lines or a list of JSON objects; undefined for any other text. */
export async function previewTable(text: string, fileName: string): Promise<TablePreview | undefined> {
  const file = basename(fileName.replaceAll('\\', '/')) || 'suite'
  const extension = extname(file).toLowerCase()
  const show = (columns: string[], rows: Record<string, unknown>[]): TablePreview => ({
    columns,
    rows: rows
      .slice(0, ROWS_SHOWN)
      .map((row) => Object.fromEntries(columns.map((name) => [name, shortenValue(lookUpField(row, name))]))),
    guess: guessColumns(columns),
  })
  const isLines = extension === '.jsonl' || extension === '.ndjson' || looksLikeJsonLines(text)
  if (isLines || /^\s*\[\s*\{/.test(text)) {
    const { readJsonLines } = await import('../text/json-lines.ts')
    const value: unknown = isLines
      ? readJsonLines(text, file).map((line) => line.value)
      : (await parseLocated(text, file)).value
    const rows = (Array.isArray(value) ? value : []).filter(isRecord)
    return rows.length === 0 ? undefined : show(listFields(rows.map((row) => ({ value: row }))), rows)
  }
  if (['.yaml', '.yml', '.json'].includes(extension)) return undefined
  const { readCsv } = await import('../text/csv-rows.ts')
  const { columns, rows } = readCsv(text, file)
  return columns.length < 2
    ? undefined
    : show(
        columns,
        rows.map(({ fields }) => Object.fromEntries(fields)),
      )
}

function shortenValue(value: unknown): string {
  const shown = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown
}
