import Papa from 'papaparse'
import { InputError } from '../../contract/index.ts'
import { unescapeFormula } from '../../contract/files/csv-formulas.ts'

export interface CsvRow {
  /** The line on which the row begins, counted from 1. */
  line: number
  /** Values by column name; every column of the header has one. */
  fields: Map<string, string>
  /** `file:line:column` of the field in that column, or of the row if there is no such column. */
  locate(column: string): string
}

export interface CsvTable {
  columns: string[]
  rows: CsvRow[]
  /** `file:line:column` of a column's name in the header. */
  locate(column: string): string
}

/** The cells of one row, header or not. */
export interface CsvFields {
  line: number
  fields: string[]
  /** `file:line:column` of the field at an index, or of the last field if there are fewer. */
  place(index: number): string
}

/** Finds where each field of the row at `start` begins, and the first misplaced quote. */
function scanFields(text: string, start: number, delimiter: string): { starts: number[]; wrongQuote?: number } {
  const isEnd = (at: number) => at >= text.length || text[at] === '\n' || text[at] === '\r'
  const starts = [start]
  for (let at = start; ; at++) {
    if (text[at] === '"') {
      const opened = at
      do at = text.indexOf('"', at + 1) + 1
      while (at > 0 && text[at] === '"')
      if (at === 0) return { starts, wrongQuote: opened }
      if (!isEnd(at) && text[at] !== delimiter) return { starts, wrongQuote: at }
    } else while (!isEnd(at) && text[at] !== delimiter) at++
    if (isEnd(at)) return { starts }
    starts.push(at + 1)
  }
}

/** Returns `line:column` of an offset inside a row whose line is known. */
function lineAndColumn(text: string, row: { line: number; start: number }, offset: number): string {
  const before = text.slice(row.start, offset)
  const lines = before.split(/\r\n|\n|\r/)
  return `${row.line + lines.length - 1}:${lines.at(-1)!.length + 1}`
}

/** Returns the separator used most often in the header outside quotes; a comma if there is none. */
export function guessDelimiter(text: string): string {
  const counts = new Map([',', ';', '\t', '|'].map((delimiter) => [delimiter, 0]))
  let inQuotes = false
  for (const character of text) {
    if (character === '"') inQuotes = !inQuotes
    else if (inQuotes) continue
    else if (character === '\n' || character === '\r') break
    else if (counts.has(character)) counts.set(character, counts.get(character)! + 1)
  }
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]
}

function countLineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count++
  }
  return count
}

export function explainQuotes(message: string): string {
  return /missing|terminat/i.test(message)
    ? 'a quote is opened and never closed; write a quote inside a quoted field twice: ""'
    : 'text follows a closing quote; write a quote inside a quoted field twice: ""'
}

/** The rows that are not blank, each with its cells as they are. */
export function parseCsvRows(text: string, file: string, delimiter = guessDelimiter(text)): CsvFields[] {
  const rows: CsvFields[] = []
  let offset = 0
  let line = 1
  Papa.parse<string[]>(text, {
    delimiter,
    step: ({ data, errors, meta }) => {
      const row = { line, start: offset }
      const place = (index: number) => {
        const { starts } = scanFields(text, row.start, delimiter)
        return `${file}:${lineAndColumn(text, row, starts[index] ?? starts.at(-1)!)}`
      }
      const error = errors.find(({ type }) => type === 'Quotes')
      if (error)
        throw new InputError(
          `${file}:${lineAndColumn(text, row, scanFields(text, row.start, delimiter).wrongQuote ?? row.start)}: ${explainQuotes(error.message)}`,
        )
      rows.push({ line, fields: data, place })
      line += countLineBreaks(text, offset, meta.cursor)
      offset = meta.cursor
    },
  })
  // Excel writes its separator into a first line of its own: `sep=;`
  if (/^sep=.?$/i.test(rows[0]?.fields.join('').trim() ?? '')) rows.shift()
  return rows.filter(({ fields }) => fields.some((field) => field.trim() !== ''))
}

function readHeader(header: CsvFields): string[] {
  const columns = header.fields.map((name) => unescapeFormula(name.trim()))
  // Spreadsheets leave empty columns at the end.
  while (columns.at(-1) === '') columns.pop()
  const seen = new Map<string, number>()
  columns.forEach((name, index) => {
    const where = header.place(index)
    if (name === '') throw new InputError(`${where}: column ${index + 1} has no name`)
    if (seen.has(name))
      throw new InputError(
        `${where}: columns ${seen.get(name)! + 1} and ${index + 1} are both named ${JSON.stringify(name)}`,
      )
    seen.set(name, index)
  })
  return columns
}

function readRow({ line, fields, place }: CsvFields, columns: string[]): CsvRow {
  const kept = [...fields]
  while (kept.length > columns.length && kept.at(-1)!.trim() === '') kept.pop()
  if (kept.length !== columns.length) {
    const hint =
      kept.length > columns.length
        ? 'put text with a comma or a line break in double quotes'
        : `${JSON.stringify(columns[kept.length])} and what follows is missing`
    throw new InputError(
      `${place(columns.length)}: has ${kept.length} fields where the header has ${columns.length}; ${hint}`,
    )
  }
  const locate = (column: string) => place(Math.max(0, columns.indexOf(column)))
  return { line, locate, fields: new Map(columns.map((name, index) => [name, unescapeFormula(kept[index]!)])) }
}

/** Reads comma-, semicolon- or tab-separated text with a header row. Empty lines are skipped. */
export function readCsv(source: string, file: string): CsvTable {
  const text = source.replace(/^\uFEFF/, '')
  if (text.includes('\0')) throw new InputError(`${file}: contains null bytes; if it is UTF-16 text, save it as UTF-8`)
  const [header, ...rows] = parseCsvRows(text, file)
  if (!header) throw new InputError(`${file}: is empty`)
  const columns = readHeader(header)
  return {
    columns,
    rows: rows.map((row) => readRow(row, columns)),
    locate: (column) => header.place(Math.max(0, columns.indexOf(column))),
  }
}
