import { extname } from 'node:path'
import { InputError, isRecord } from '../../../contract/index.ts'
import { guessDelimiter, parseCsvRows, type CsvFields } from '../../text/csv-rows.ts'
import { findJsonError } from '../../text/json-places.ts'
import { shortenJsonError } from '../../text/json-lines.ts'
import { parseLooseJson } from '../../text/loose-json.ts'
import { areTooMany, type OddRow } from './odd-rows.ts'
import { RowTable } from './row.ts'
import { findRecords, isWrapped, unwrapRows, type RawRow } from './unwrap.ts'

/** Rows, and lines that are none. */
interface ReadRows {
  rows: RawRow[]
  odd: OddRow[]
}

/** A few lines that are no rows are named and left out; of more the first refuses the file. */
function refuseOdd({ rows, odd }: ReadRows): ReadRows {
  const [first] = odd
  if (first && areTooMany(odd.length, rows.length + odd.length))
    throw new InputError(`${first.place}: ${first.message}`)
  return { rows, odd }
}

function readLines(text: string, file: string): ReadRows {
  const rows: RawRow[] = []
  const odd: OddRow[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const place = `${file}:${index + 1}`
    try {
      const value = parseLooseJson(line)
      if (isRecord(value)) rows.push({ values: value, place })
      else odd.push({ place, message: 'is not a JSON object { … }' })
    } catch (error) {
      const at = (findJsonError(line) ?? 0) + 1
      odd.push({ place: `${place}:${at}`, message: `is not JSON: ${shortenJsonError(error)}` })
    }
  }
  return refuseOdd({ rows, odd })
}

function readDocument(text: string, file: string): RawRow[] | undefined {
  let document: unknown
  try {
    document = parseLooseJson(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
  return findRecords(document)?.map((values, index) => ({ values, place: `${file}: row ${index + 1}` }))
}

/** In tab-separated files of datasets a quote is often just a quote. */
function splitTabs(text: string, file: string): CsvFields[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [{ line: index + 1, fields: line.split('\t'), place: () => `${file}:${index + 1}` }],
    )
}

function readCells(text: string, file: string): CsvFields[] {
  const isTabs = /\.tsv$/i.test(file)
  try {
    return parseCsvRows(text.replace(/^\uFEFF/, ''), file, isTabs ? '\t' : guessDelimiter(text))
  } catch (error) {
    if (isTabs || guessDelimiter(text) === '\t') return splitTabs(text, file)
    throw error
  }
}

const LONGEST_NAME = 60

/** Tells data from names: a sentence, a number, or the same key as in the rows below. */
function isHeader(first: readonly string[], rows: readonly CsvFields[]): boolean {
  const names = first.map((name) => name.trim())
  if (names.every((name) => name === '')) return false
  if (
    names.some(
      (name) => /^[[{]/.test(name) || name.length > LONGEST_NAME || /[?？]$/.test(name) || /^-?[\d.,]+$/.test(name),
    )
  )
    return false
  const last = names.at(-1)!
  const isKey = (value: string | undefined) => /^\(?[A-J]\)?$/.test(value?.trim() ?? '')
  return !(isKey(last) && rows.length > 0 && rows.every(({ fields }) => isKey(fields.at(-1))))
}

/** Names for columns without a header, as in the files of MMLU and MGSM. */
function nameColumns(rows: readonly CsvFields[]): string[] | undefined {
  const width = rows[0]!.fields.length
  if (rows.some(({ fields }) => fields.length !== width)) return undefined
  if (width === 2) return ['question', 'answer']
  const isKeyed = rows.every(({ fields }) => /^\(?[A-J]\)?$/.test(fields.at(-1)!.trim()))
  if (!isKeyed || width < 4 || width > 12) return undefined
  return ['question', ...'ABCDEFGHIJ'.slice(0, width - 2), 'answer']
}

function readTable(text: string, file: string): ReadRows | undefined {
  const [first, ...others] = readCells(text, file)
  if (!first) return undefined
  const hasHeader = isHeader(first.fields, others)
  const rows = hasHeader ? others : [first, ...others]
  // The first column of a table that pandas wrote has no name.
  const columns = hasHeader
    ? first.fields.map((name, index) => name.trim() || (index === 0 ? 'index' : `column ${index + 1}`))
    : nameColumns(rows)
  if (!columns || columns.length < 2) return undefined
  const twice = columns.find((name, index) => columns.indexOf(name) !== index)
  if (twice !== undefined) throw new InputError(`${first.place(0)}: two columns are named ${JSON.stringify(twice)}`)
  const read: ReadRows = { rows: [], odd: [] }
  for (const { fields, line } of rows) {
    const place = `${file}:${line}`
    const kept = [...fields]
    while (kept.length > columns.length && kept.at(-1)!.trim() === '') kept.pop()
    if (kept.length === columns.length)
      read.rows.push({ values: Object.fromEntries(columns.map((name, index) => [name, kept[index]])), place })
    else read.odd.push({ place, message: `has ${kept.length} fields where the header has ${columns.length}` })
  }
  return refuseOdd(read)
}

function looksLikeLines(text: string): boolean {
  const [first, second] = text.split('\n', 400).filter((line) => line.trim() !== '')
  return first !== undefined && /^\s*\{.*\}\s*$/.test(first) && (second === undefined || /^\s*\{.*\}\s*$/.test(second))
}

/** The rows of a dataset's text; undefined if it holds none. */
export function readDatasetRows(text: string, file: string, most?: number): RowTable | undefined {
  const extension = extname(file).toLowerCase()
  const isLines =
    extension === '.jsonl' ||
    extension === '.ndjson' ||
    (extension !== '.csv' && text.trim().includes('\n') && looksLikeLines(text))
  if (isLines) {
    // Some files with this ending hold one list.
    const whole = /^\s*\[/.test(text) ? readDocument(text, file) : readWhole(text, file)
    if (whole || /^\s*\[/.test(text)) return whole && makeTable({ rows: whole, odd: [] }, most)
    return makeTable(readLines(text, file), most)
  }
  if (extension === '.json' || /^\s*[{[]/.test(text)) {
    const rows = readDocument(text, file)
    return rows && makeTable({ rows, odd: [] }, most)
  }
  if (['.yaml', '.yml', '.txt'].includes(extension)) return undefined
  const rows = extension === '.csv' || extension === '.tsv' ? readTable(text, file) : tryTable(text, file)
  return rows && makeTable(rows, most, true)
}

/** Text without a name may be anything: only what is surely a table is one. */
function tryTable(text: string, file: string): ReadRows | undefined {
  try {
    return readTable(text, file)
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

/** A single line may be a whole document that holds rows. */
function readWhole(text: string, file: string): RawRow[] | undefined {
  if (text.trim().includes('\n')) return undefined
  try {
    return isWrapped(parseLooseJson(text)) ? readDocument(text, file) : undefined
  } catch {
    return undefined
  }
}

function makeTable({ rows, odd }: ReadRows, most?: number, isText = false): RowTable | undefined {
  const unwrapped = unwrapRows(rows).slice(0, most)
  return unwrapped.length === 0 ? undefined : new RowTable(unwrapped, { isText, odd })
}
