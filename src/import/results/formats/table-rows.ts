import { open, type FileHandle } from 'node:fs/promises'
import Papa from 'papaparse'
import { unescapeFormula } from '../../../contract/files/csv-formulas.ts'
import { InputError, messageOf } from '../../../contract/index.ts'
import { explainQuotes, guessDelimiter } from '../../text/csv-rows.ts'
import { readRecordLines } from '../../text/line-stream.ts'
import { skipByteOrderMark, splitJson } from '../../text/split-json.ts'
import { lookUpField } from '../../suite-files/column-map.ts'
import type { ResultsFile } from '../foreign-results.ts'
import { refuseSize, type ImportLimits } from '../import-budget.ts'
import type { Compressors, SchemaElement, SchemaTree } from 'hyparquet'

/**
 * Parquet's decimals are integers with a scale; hyparquet makes floating-point numbers of them, and knows only the older of
 * the two ways to mark them. Whole ones are left as integers here, so that long ids keep all their digits.
 */
function prepareDecimals(schema: readonly SchemaElement[]): void {
  for (const element of schema) {
    const { logical_type: logical, type } = element
    if (logical?.type === 'DECIMAL') {
      element.converted_type = 'DECIMAL'
      element.scale = logical.scale
    }
    const isWhole = element.converted_type === 'DECIMAL' && !element.scale
    if (isWhole && (type === 'INT32' || type === 'INT64')) {
      delete element.converted_type
      delete element.logical_type
    }
  }
}

/** By column, with a dot for each group: the digits after the point of those that are decimals. */
function findScales({ children }: SchemaTree, group = ''): Map<string, number> {
  return new Map(
    children.flatMap((child): [string, number][] => {
      const { name, converted_type: kind, scale = 0 } = child.element
      const column = `${group}${name}`
      return [
        ...(kind === 'DECIMAL' ? [[column, scale] satisfies [string, number]] : []),
        ...findScales(child, `${column}.`),
      ]
    }),
  )
}

/** 57 hundredths are 0.57, and not 0.5700000000000001 as by multiplication. A rounded id would be that of another. */
function readDecimal(value: unknown, scale: number | undefined, place: string): unknown {
  if (typeof value !== 'number' || scale === undefined) return value
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new InputError(`${place}: the decimal ${value} is too large to be exact; write the column as text`)
  return Number(value.toFixed(Math.min(scale, 100)))
}

/** A row of a table of results. */
export interface TableRow {
  place: string
  /** The value in a column; in JSON also inside objects, as in `doc.question`. */
  get(column: string): unknown
}

export interface ResultsTable {
  columns: string[]
  /** Reads all rows once; only these columns where the format allows it. */
  rows(columns: readonly string[]): AsyncIterable<TableRow>
}

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

/** Of one page, which is unpacked as a whole. Writers end pages at 1 MB or so. */
const MAX_PAGE_BYTES = 256 * 1024 ** 2
/** Of one row group, whose rows are in memory together. */
const MAX_GROUP_CELLS = 20_000_000

async function withFile<T>(path: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path)
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

async function readBytes(path: string, start: number, end: number): Promise<ArrayBuffer> {
  return withFile(path, async (handle) => {
    const buffer = new ArrayBuffer(end - start)
    const bytes = new Uint8Array(buffer)
    for (let done = 0; done < bytes.length;) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done)
      if (bytesRead === 0) throw new Error('the file ends too early')
      done += bytesRead
    }
    return buffer
  })
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainValue(inner)]))
}

/** The decompressors for one pass: pages say how large they are when unpacked, and the memory is taken at once. */
function limitPages(compressors: Compressors, name: string, { readBytes: limit }: ImportLimits): Compressors {
  let total = 0
  return Object.fromEntries(
    Object.entries(compressors).map(([codec, unpack]): [string, typeof unpack] => [
      codec,
      (input, size) => {
        total += size
        if (size > MAX_PAGE_BYTES) throw refuseSize(`${name}: a page`, MAX_PAGE_BYTES)
        if (total > limit) throw refuseSize(name, limit)
        return unpack(input, size)
      },
    ]),
  )
}

async function openParquet({ path, name, limits }: ResultsFile): Promise<ResultsTable> {
  const [{ parquetMetadataAsync, parquetReadObjects, parquetSchema }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ])
  const byteLength = await withFile(path, async (handle) => (await handle.stat()).size)
  const file = {
    byteLength,
    slice: (start: number, end: number = byteLength) => readBytes(path, Math.max(0, start), Math.min(byteLength, end)),
  }
  const explain = (error: unknown) =>
    new InputError(`${name}: is not readable Parquet: ${messageOf(error)}; it may be cut off: copy it again`, {
      cause: error,
    })
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    throw explain(error)
  })
  const size = metadata.row_groups.reduce((sum, { total_byte_size: bytes }) => sum + Number(bytes), 0)
  if (size > limits.readBytes) throw refuseSize(name, limits.readBytes)
  prepareDecimals(metadata.schema)
  const schema = parquetSchema(metadata)
  const scales = findScales(schema)
  const names = schema.children.map(({ element }) => element.name)
  return {
    columns: names,
    async *rows(columns) {
      // A dot may be part of a name, or lead into a group of columns.
      const top = [...new Set(columns.map((column) => (names.includes(column) ? column : column.split('.')[0]!)))]
      const bounded = limitPages(compressors, name, limits)
      let rowStart = 0
      for (const group of metadata.row_groups) {
        const rowEnd = rowStart + Number(group.num_rows)
        if ((rowEnd - rowStart) * top.length > MAX_GROUP_CELLS)
          throw new InputError(
            `${name}: has a row group of ${rowEnd - rowStart} rows, so nothing was imported; at most ${Math.floor(MAX_GROUP_CELLS / top.length)} are read at once: write it with smaller row groups`,
          )
        const rows = await parquetReadObjects({
          file,
          metadata,
          compressors: bounded,
          columns: top,
          rowStart,
          rowEnd,
        }).catch((error: unknown) => {
          throw error instanceof InputError ? error : explain(error)
        })
        if (rows.length !== rowEnd - rowStart) throw explain(new Error(`it has fewer rows than it declares`))
        const first = rowStart + 1
        for (const [index, row] of rows.entries()) {
          const place = `${name}: row ${first + index}`
          const get = (column: string) => readDecimal(plainValue(lookUpField(row, column)), scales.get(column), place)
          yield { place, get }
        }
        rowStart = rowEnd
      }
    },
  }
}

export function isParquet({ start }: ResultsFile): boolean {
  return start.toString('latin1', 0, 4) === 'PAR1'
}

/** Opens a table by its content: Parquet, a JSON list, JSON lines, else CSV. */
export function openTable(file: ResultsFile): Promise<ResultsTable> {
  if (isParquet(file)) return openParquet(file)
  const start = /^\uFEFF?\s*(\S)/.exec(file.start.toString('utf8', 0, 4096))?.[1]
  if (start === '[') return openJsonList(file)
  return start === '{' ? openJsonl(file) : openCsv(file)
}
