import { existsSync, statSync } from 'node:fs'
import { StorageError } from '../../contract/index.ts'
import { migrations, tablesOfVersion } from '../migrations/migrate.ts'
import { isReadOnly, toStorageError } from './errors.ts'
import { queryInThread, type Row } from './query-in-thread.ts'

const MAX_PROBLEMS = 20

/** Up to this size, the whole file is read before its runs are shown; it takes well under a second. */
const MAX_CHECKED_BYTES = 256 * 1024 ** 2

/** Columns that hold JSON: a text that is cut or overwritten is not damage to SQLite. */
const jsonColumns = {
  runs: ['models', 'parameters', 'versions', 'request', 'tags'],
  suites: ['content'],
  documents: ['content'],
  scores: ['checks', 'details', 'figures'],
  answers: ['tool_calls', 'left_out'],
}

const integrityCheck = `PRAGMA integrity_check(${MAX_PROBLEMS})`

export interface Examined {
  /** One line each; empty if nothing is wrong. */
  problems: string[]
  runs: number
}

/** True if the log holds changes that are not in the file yet. */
export function hasLog(file: string): boolean {
  return existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0
}

/** Without its log a file is complete only if the log is empty. */
async function query(file: string, statements: readonly string[]): Promise<Row[][]> {
  try {
    return await queryInThread(file, { isImmutable: false }, statements)
  } catch (error) {
    if (!isReadOnly(error) || hasLog(file)) throw error
    return queryInThread(file, { isImmutable: true }, statements)
  }
}

function listDamage(rows: Row[] = []): string[] {
  return rows
    .map((row) => String(row['integrity_check']))
    .filter((text) => text !== 'ok')
    .map((text) => text.replace(/\s+/g, ' ').trim())
}

/** Looks for everything that can be wrong with the file, in a thread. Opens it only for reading. */
export async function examineFile(file: string): Promise<Examined> {
  if (!existsSync(file)) return { problems: [], runs: 0 }
  try {
    const [damage, broken, tables] = await query(file, [
      integrityCheck,
      'SELECT "table" AS name, count(*) AS number FROM pragma_foreign_key_check GROUP BY 1',
      "SELECT name FROM sqlite_schema WHERE type = 'table'",
    ])
    const problems = [
      ...listDamage(damage),
      ...(broken ?? []).map(({ name, number }) => `${String(number)} rows of ${String(name)} refer to missing rows`),
    ]
    const names = new Set((tables ?? []).map(({ name }) => String(name)))
    if (names.size === 0) return { problems, runs: 0 }
    if (!names.has('benchmaker_migrations') || !names.has('runs'))
      return { problems: [...problems, 'it has no table of runs: it belongs to another program'], runs: 0 }
    return { problems: [...problems, ...(await examineTables(file, names))], runs: await countRuns(file) }
  } catch (error) {
    return { problems: [toStorageError(error, file).message], runs: 0 }
  }
}

async function countRuns(file: string): Promise<number> {
  const [counted] = await query(file, ['SELECT count(*) AS number FROM runs'])
  return Number(counted?.[0]?.['number'])
}

async function examineTables(file: string, names: ReadonlySet<string>): Promise<string[]> {
  const [versions] = await query(file, ['SELECT coalesce(max(version), 0) AS number FROM benchmaker_migrations'])
  const version = Number(versions?.[0]?.['number'])
  if (version > migrations.length)
    return [`its tables are version ${version}, and this program supports ${migrations.length}: update Benchmaker`]
  const expected = tablesOfVersion(version)
  const missing = expected.filter((name) => !names.has(name))
  if (missing.length > 0) return [`tables are missing: ${missing.join(', ')}`]
  const places = Object.entries(jsonColumns).flatMap(([table, columns]) =>
    names.has(table) ? columns.map((column) => ({ table, column })) : [],
  )
  const counts = version < migrations.length ? [] : await query(file, places.map(countUnreadable))
  return places.flatMap(({ table, column }, index) => {
    const number = Number(counts[index]?.[0]?.['number'] ?? 0)
    return number === 0 ? [] : [`${number} rows of ${table} have an unreadable ${column}`]
  })
}

const countUnreadable = ({ table, column }: { table: string; column: string }) =>
  `SELECT count(*) AS number FROM ${table} WHERE ${column} IS NOT NULL AND NOT json_valid(${column})`

/**
 * Throws if the file is damaged: a query may skip damaged pages without a word, and what is left must not look like
 * everything. Of a very large file, only the tables of runs and cells are checked.
 */
export async function refuseDamaged(file: string): Promise<void> {
  if (!existsSync(file)) return
  const isLarge = statSync(file).size > MAX_CHECKED_BYTES
  try {
    const checks = isLarge ? ['PRAGMA integrity_check(runs)', 'PRAGMA integrity_check(cells)'] : [integrityCheck]
    const problems = (await query(file, checks)).flatMap(listDamage)
    if (problems.length > 0) throw damageError(file, problems)
  } catch (error) {
    throw toStorageError(error, file)
  }
}

function damageError(file: string, problems: readonly string[]): StorageError {
  return new StorageError(
    `The database ${file} is damaged (${problems[0]}), so nothing is shown that could be incomplete: restore a backup, or export what can still be read with: benchmaker export RUN --damaged. benchmaker doctor lists what is wrong.`,
  )
}
