import Papa from 'papaparse'
import { unescapeFormula } from '../../../contract/files/csv-formulas.ts'
import { InputError } from '../../../contract/index.ts'
import { explainQuotes, guessDelimiter } from '../../text/csv-rows.ts'
import { readRecordLines } from '../../text/line-stream.ts'
import { skipByteOrderMark, splitJson } from '../../text/split-json.ts'
import { lookUpField } from '../../suite-files/column-map.ts'
import type { ResultsFile, ResultsTable } from '../foreign-results.ts'
import { isParquet, openParquet } from './parquet-rows.ts'

const MAX_RECORD = 64 * 1024 * 1024
const MAX_COLUMNS = 100_000

interface CsvBlock {
  text: string
  line: number
  delimiter: string
}

/** Blocks of whole records: a line break inside quotes ends none. A quote opens a field only where the field begins. */
async function* readBlocks(file: ResultsFile): AsyncGenerator<CsvBlock> {
  const { name } = file
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let held = ''
  let scanned = 0
  let isQuoted = false
  let end = 0
  let fields = 1
  let line = 1
  let delimiter: string | undefined
  const isFieldStart = (at: number) => at === 0 || held[at - 1] === '\n' || held[at - 1] === delimiter
  const scan = (): void => {
    for (; scanned < held.length; scanned += 1) {
      const code = held.charCodeAt(scanned)
      if (code === 0x22 && isQuoted) {
        // Two of them stand for one: whether it is two may show only in the next chunk.
        if (scanned + 1 === held.length) return
        if (held.charCodeAt(scanned + 1) === 0x22) scanned += 1
        else isQuoted = false
      } else if (code === 0x22) isQuoted = isFieldStart(scanned)
      else if (isQuoted) continue
      else if (code === 0x0a) {
        end = scanned + 1
        fields = 1
      } else if (code === delimiter?.charCodeAt(0) && ++fields > MAX_COLUMNS)
        throw new InputError(
          `${name}: has more than ${MAX_COLUMNS} columns, so nothing was imported; leave out those that are not needed`,
        )
    }
  }
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch (error) {
      throw new InputError(`${name}: is not UTF-8 text; save it as UTF-8`, { cause: error })
    }
  }
  for await (const chunk of skipByteOrderMark(file.read(), name)) {
    held += decode(chunk)
    delimiter ??= guessDelimiter(held)
    scan()
    if (held.length - end > MAX_RECORD)
      throw new InputError(`${name}: ${explainQuotes('never terminated')} (after line ${line})`)
    if (end === 0) continue
    const text = held.slice(0, end)
    yield { text, line, delimiter }
    line += text.split('\n').length - 1
    held = held.slice(end)
    scanned -= end
    end = 0
  }
  held += decode()
  if (held !== '') yield { text: held, line, delimiter: delimiter ?? guessDelimiter(held) }
}

interface CsvLine {
  line: number
  fields: string[]
}

/** The records of a CSV file; blank ones are left out. */
export async function* readCsvLines(file: ResultsFile): AsyncGenerator<CsvLine> {
  for await (const { text, line, delimiter } of readBlocks(file)) {
    if (text.includes('\0'))
      throw new InputError(`${file.name}: contains null bytes; if it is UTF-16 text, save it as UTF-8`)
    const { data, errors } = Papa.parse<string[]>(text, { delimiter })
    const wrong = errors.find(({ type }) => type === 'Quotes')
    if (wrong) throw new InputError(`${file.name}:${line + (wrong.row ?? 0)}: ${explainQuotes(wrong.message)}`)
    let at = line
    for (const fields of data) {
      if (fields.some((field) => field.trim() !== '')) yield { line: at, fields }
      at += 1 + fields.reduce((breaks, field) => breaks + field.split('\n').length - 1, 0)
    }
  }
}

/** The names in the first record of a CSV text. */
export function splitHeader(text: string): string[] {
  const start = text.replace(/^\uFEFF/, '')
  const [header = []] = Papa.parse<string[]>(start, { delimiter: guessDelimiter(start), preview: 1 }).data
  return header.map((name) => name.trim())
}

/** A copy: a part of a text keeps the whole text in memory, here with columns and rows that nobody wants. */
function detach(text: string): string {
  return Buffer.from(text).toString()
}

async function readFirst<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item
  return undefined
}

async function openCsv(file: ResultsFile): Promise<ResultsTable> {
  const header = await readFirst(readCsvLines(file))
  if (!header) throw new InputError(`${file.name}: is empty`)
  const columns = header.fields.map((name) => unescapeFormula(name.trim()))
  return {
    columns,
    async *rows() {
      let isHeader = true
      for await (const { line, fields } of readCsvLines(file)) {
        if (isHeader) {
          isHeader = false
          continue
        }
        const place = `${file.name}:${line}`
        if (fields.length < columns.length)
          throw new InputError(
            `${place}: has ${fields.length} fields where the header has ${columns.length}; is the file cut off?`,
          )
        if (fields.slice(columns.length).some((field) => field.trim() !== ''))
          throw new InputError(
            `${place}: has ${fields.length} fields where the header has ${columns.length}; put text with a comma or a line break in double quotes`,
          )
        yield {
          place,
          get: (column) => {
            const index = columns.indexOf(column)
            return index < 0 ? undefined : unescapeFormula(detach(fields[index] ?? ''))
          },
        }
      }
    },
  }
}

function openRecords(
  file: ResultsFile,
  readAll: () => AsyncIterable<{ place: string; value: Record<string, unknown> }>,
): Promise<ResultsTable> {
  const find = async () => {
    const columns = new Set<string>()
    let count = 0
    for await (const { value } of readAll()) {
      for (const key of Object.keys(value)) columns.add(key)
      if (++count === 20) break
    }
    if (count === 0) throw new InputError(`${file.name}: has no rows`)
    return [...columns]
  }
  return find().then((columns) => ({
    columns,
    async *rows() {
      for await (const { place, value } of readAll())
        yield { place, get: (column: string) => lookUpField(value, column) }
    },
  }))
}

function openJsonl(file: ResultsFile): Promise<ResultsTable> {
  return openRecords(file, async function* () {
    for await (const { line, value } of readRecordLines(file.read(), file.name))
      yield { place: `${file.name}:${line}`, value }
  })
}

function openJsonList(file: ResultsFile): Promise<ResultsTable> {
  return openRecords(file, async function* () {
    let row = 0
    const parts = splitJson(file.read(), {
      name: file.name,
      decide: (path) => (path.length === 0 ? 'enter' : 'take'),
    })
    for await (const part of parts) {
      if (part.kind !== 'value') continue
      row += 1
      const place = `${file.name}: row ${row}`
      if (typeof part.value !== 'object' || part.value === null || Array.isArray(part.value))
        throw new InputError(`${place}: is not a JSON object { … }`)
      yield { place, value: { ...part.value } }
    }
  })
}

/** Opens a table by its content: Parquet, a JSON list, JSON lines, else CSV. */
export function openTable(file: ResultsFile): Promise<ResultsTable> {
  if (isParquet(file)) return openParquet(file)
  const start = /^\uFEFF?\s*(\S)/.exec(file.start.toString('utf8', 0, 4096))?.[1]
  if (start === '[') return openJsonList(file)
  return start === '{' ? openJsonl(file) : openCsv(file)
}
