import { open } from 'node:fs/promises'
import type { ParquetTable } from '../../results/formats/parquet-rows.ts'
import { RowTable } from './row.ts'
import { unwrapRows, type RawRow } from './unwrap.ts'

/** True for a file that begins as Parquet does. */
export async function isParquetFile(path: string): Promise<boolean> {
  const handle = await open(path).catch(() => undefined)
  if (!handle) return false
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.toString('latin1') === 'PAR1'
  } catch {
    return false
  } finally {
    await handle.close()
  }
}

/** The rows of Parquet with all columns; numbers that stand for words are those words. */
export async function readParquetRows(table: ParquetTable, most?: number): Promise<RawRow[]> {
  const { columns, labelNames } = table
  const rows: RawRow[] = []
  for await (const row of table.rows(columns, most)) {
    const values = columns.map((column): [string, unknown] => {
      const value = row.get(column)
      const names = labelNames.get(column)
      return [column, names && typeof value === 'number' ? (names[value] ?? null) : value]
    })
    rows.push({ place: row.place, values: Object.fromEntries(values) })
  }
  return rows
}

export async function loadParquetRows(path: string, most?: number): Promise<RawRow[]> {
  const [{ openParquet }, { openResultsFile, withSeekable }] = await Promise.all([
    import('../../results/formats/parquet-rows.ts'),
    import('../../results/results-file.ts'),
  ])
  return withSeekable(await openResultsFile(path), async (file) => readParquetRows(await openParquet(file), most))
}

export async function decodeParquetRows(bytes: Buffer, name: string): Promise<RawRow[]> {
  const [{ openParquetBuffer }, { readImportLimits }] = await Promise.all([
    import('../../results/formats/parquet-rows.ts'),
    import('../../results/import-budget.ts'),
  ])
  const whole = new Uint8Array(bytes).buffer
  const file = { byteLength: whole.byteLength, slice: (start: number, end?: number) => whole.slice(start, end) }
  return readParquetRows(await openParquetBuffer(file, name, readImportLimits()))
}

export function makeParquetTable(rows: readonly RawRow[]): RowTable | undefined {
  return rows.length === 0 ? undefined : new RowTable(unwrapRows(rows))
}
