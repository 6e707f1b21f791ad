import type { RawDatabase, RawRow } from './raw-database.ts'

/** One database returns numbers as bigint, the other as text or as a number. */
const writeNumber = (_key: string, value: unknown) =>
  typeof value === 'bigint' || typeof value === 'number' ? String(value) : value

/**
 * The entries of a log that the target does not have. They have no name by which they could be found again, so they are
 * compared with all of the same time: one query for a page of them.
 */
export async function leaveOutSame(
  rows: RawRow[],
  { table, key, target }: { table: string; key: string; target: RawDatabase },
): Promise<RawRow[]> {
  if (rows.length === 0) return rows
  const columns = Object.keys(rows[0]!).filter((column) => column !== key)
  const describe = (row: RawRow) =>
    JSON.stringify(
      columns.map((column) => row[column] ?? null),
      writeNumber,
    )
  const times = rows.map(({ at }) => Number(at))
  const known = await target.query(`SELECT * FROM ${table} WHERE at BETWEEN ? AND ?`, [
    times.reduce((a, b) => Math.min(a, b)),
    times.reduce((a, b) => Math.max(a, b)),
  ])
  const same = new Set(known.map(describe))
  return rows.filter((row) => !same.has(describe(row)))
}
