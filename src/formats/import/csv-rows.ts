import Papa from 'papaparse'
import { InputError } from '../../contract/index.ts'
import { rearmFormula } from '../csv-formulas.ts'

export interface CsvRow {
  /** The line of the file on which the row begins, from 1. */
  line: number
  /** By column name; every column of the header is there. */
  fields: Map<string, string>
}

export interface CsvTable {
  columns: string[]
  rows: CsvRow[]
}

interface RawRow {
  line: number
  fields: string[]
}

/** The separator that the header row uses most outside quotes; a comma when it has none. */
function guessDelimiter(text: string): string {
  const counts = new Map([',', ';', '\t'].map((delimiter) => [delimiter, 0]))
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

function explainQuotes(message: string): string {
  return /missing|terminat/i.test(message)
    ? 'a quote is opened and never closed; write a quote inside a quoted field twice: ""'
    : 'text follows a closing quote; write a quote inside a quoted field twice: ""'
}

function parseRows(text: string, file: string): RawRow[] {
  const rows: RawRow[] = []
  let offset = 0
  let line = 1
  Papa.parse<string[]>(text, {
    delimiter: guessDelimiter(text),
    step: ({ data, errors, meta }) => {
      const error = errors.find(({ type }) => type === 'Quotes')
      if (error) throw new InputError(`${file}:${line}: ${explainQuotes(error.message)}`)
      rows.push({ line, fields: data })
      line += countLineBreaks(text, offset, meta.cursor)
      offset = meta.cursor
    },
  })
  return rows.filter(({ fields }) => fields.some((field) => field.trim() !== ''))
}

function readHeader(header: RawRow, file: string): string[] {
  const columns = header.fields.map((name) => name.trim())
  // Spreadsheets leave empty columns at the end.
  while (columns.at(-1) === '') columns.pop()
  const seen = new Map<string, number>()
  columns.forEach((name, index) => {
    const where = `${file}:${header.line}`
    if (name === '') throw new InputError(`${where}: column ${index + 1} has no name`)
    if (seen.has(name))
      throw new InputError(`${where}: columns ${seen.get(name)! + 1} and ${index + 1} are both named ${JSON.stringify(name)}`)
    seen.set(name, index)
  })
  return columns
}

function readRow({ line, fields }: RawRow, columns: string[], file: string): CsvRow {
  const kept = [...fields]
  while (kept.length > columns.length && kept.at(-1)!.trim() === '') kept.pop()
  if (kept.length !== columns.length) {
    const hint =
      kept.length > columns.length
        ? 'put text that holds a comma or a line break in double quotes'
        : `${JSON.stringify(columns[kept.length])} and what follows is missing`
    throw new InputError(`${file}:${line}: has ${kept.length} fields where the header has ${columns.length}; ${hint}`)
  }
  return { line, fields: new Map(columns.map((name, index) => [name, rearmFormula(kept[index]!)])) }
}

/** Reads comma-, semicolon- or tab-separated text with a header row. Empty lines are skipped. */
export function readCsv(source: string, file: string): CsvTable {
  const text = source.replace(/^\uFEFF/, '')
  if (text.includes('\0')) throw new InputError(`${file}: holds zero bytes; if it is UTF-16 text, save it as UTF-8`)
  const [header, ...rows] = parseRows(text, file)
  if (!header) throw new InputError(`${file}: is empty`)
  const columns = readHeader(header, file)
  return { columns, rows: rows.map((row) => readRow(row, columns, file)) }
}
