import { open, type FileHandle } from 'node:fs/promises'
import type { AsyncBuffer, Compressors, FileMetaData, SchemaElement, SchemaTree } from 'hyparquet'
import { z } from 'zod'
import { InputError, messageOf, tryParseJson } from '../../../contract/index.ts'
import { lookUpField } from '../../suite-files/column-map.ts'
import type { ResultsFile, ResultsTable } from '../foreign-results.ts'
import { refuseSize, type ImportLimits } from '../import-budget.ts'

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

/** Words that numbers stand for, by column: Hugging Face keeps them in the file's metadata. */
function readLabelNames(metadata: FileMetaData): Map<string, string[]> {
  const written = metadata.key_value_metadata?.find(({ key }) => key === 'huggingface')?.value
  const parsed = labelsSchema.safeParse(tryParseJson(written ?? ''))
  const features = parsed.success ? parsed.data.info.features : {}
  return new Map(
    Object.entries(features).flatMap(([column, feature]) => {
      const label = featureSchema.safeParse(feature)
      const isWords = label.success && label.data.names.some((name) => !/^-?\d+$/.test(name))
      return isWords ? [[column, label.data.names] as const] : []
    }),
  )
}

const labelsSchema = z.object({ info: z.object({ features: z.record(z.string(), z.unknown()) }) })
const featureSchema = z.object({ _type: z.literal('ClassLabel'), names: z.array(z.string()) })

export interface ParquetTable extends ResultsTable {
  rowCount: number
  /** Words that the numbers of a column stand for. */
  labelNames: ReadonlyMap<string, readonly string[]>
  rows(columns: readonly string[], most?: number): ReturnType<ResultsTable['rows']>
}

export async function openParquet({ path, name, limits }: ResultsFile): Promise<ParquetTable> {
  const byteLength = await withFile(path, async (handle) => (await handle.stat()).size)
  const file = {
    byteLength,
    slice: (start: number, end: number = byteLength) => readBytes(path, Math.max(0, start), Math.min(byteLength, end)),
  }
  return openParquetBuffer(file, name, limits)
}

/** Reads Parquet from wherever `file` takes its bytes. */
export async function openParquetBuffer(file: AsyncBuffer, name: string, limits: ImportLimits): Promise<ParquetTable> {
  const [{ parquetMetadataAsync, parquetReadObjects, parquetSchema }, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ])
  const explain = (error: unknown) =>
    error instanceof InputError
      ? error
      : new InputError(`${name}: is not readable Parquet: ${messageOf(error)}; it may be cut off: copy it again`, {
          cause: error,
        })
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    throw explain(error)
  })
  prepareDecimals(metadata.schema)
  const schema = parquetSchema(metadata)
  const scales = findScales(schema)
  const names = schema.children.map(({ element }) => element.name)
  return {
    columns: names,
    rowCount: Number(metadata.num_rows),
    labelNames: readLabelNames(metadata),
    async *rows(columns, most = Infinity) {
      const size = metadata.row_groups.reduce((sum, { total_byte_size: bytes }) => sum + Number(bytes), 0)
      if (most === Infinity && size > limits.readBytes) throw refuseSize(name, limits.readBytes)
      // A dot may be part of a name, or lead into a group of columns.
      const top = [...new Set(columns.map((column) => (names.includes(column) ? column : column.split('.')[0]!)))]
      const bounded = limitPages(compressors, name, limits)
      let rowStart = 0
      for (const group of metadata.row_groups) {
        if (rowStart >= most) return
        const rowEnd = Math.min(most, rowStart + Number(group.num_rows))
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
          throw explain(error)
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
