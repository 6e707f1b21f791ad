import { InputError, StorageError, type Claim } from '../../contract/index.ts'
import { migrations } from '../migrations/migrate.ts'
import { quoteId } from '../sql/check-arguments.ts'
import { readInteger, readText } from '../sql/operation.ts'
import { decodeText } from '../sql/text-codec.ts'
import type { DatabaseLocation } from '../sql/options.ts'
import { openSource, openTarget, type RawDatabase, type RawRow } from './raw-database.ts'
import { keyColumns, tablesOfCells, teamTables, type KeyedTable, type LogTable } from './tables.ts'

/** One database returns numbers as bigint, the other as text or as a number. */
const writeNumber = (_key: string, value: unknown) =>
  typeof value === 'bigint' || typeof value === 'number' ? String(value) : value

/**
 * The entries of a log that the target does not have. They have no name by which they could be found again, so they are
 * compared with all of the same time: one query for a page of them.
 */
async function leaveOutSame(
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

interface MoveProgress {
  cells: number
  totalCells: number
}

export interface MovedDatabase {
  runs: string[]
  /** Already there: not changed. */
  skippedRuns: string[]
  cells: number
  documents: number
  /** Documents that differ from the ones that were there, which were kept: kind and id. */
  keptDocuments: string[]
  /** Accounts, invitations, keys, budgets and lines of the log. */
  teamRows: number
}

export interface MoveOptions {
  from: DatabaseLocation
  /** Its tables must be up to date. */
  to: DatabaseLocation
  /** Whether the process that holds the claim still works. */
  isLive: (claim: Claim) => boolean
  onProgress?: (progress: MoveProgress) => void
}

const CELLS_PER_PAGE = 500
/** Answers and screenshots of a page are in memory together. */
const BYTES_PER_PAGE = 4_000_000
const LOG_ROWS_PER_PAGE = 500
/** SQLite allows 32,766. */
const PARAMETERS_PER_STATEMENT = 8000

/**
 * Copies everything into another database of the same version. A run is written whole or not at all, so that an
 * interrupted move can be repeated: runs that are there already are skipped.
 */
export async function moveDatabase({ from, to, isLive, onProgress = () => {} }: MoveOptions): Promise<MovedDatabase> {
  const source = await openSource(from)
  try {
    await checkSource(source, isLive)
    const target = await openTarget(to)
    try {
      return await new Move(source, target, onProgress).run()
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

const listTables = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table'",
  postgres: 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()',
}

async function checkSource(source: RawDatabase, isLive: MoveOptions['isLive']): Promise<void> {
  const tables = (await source.query(listTables[source.dialect])).map(({ name }) => name)
  if (!tables.includes('benchmaker_migrations'))
    throw new InputError(`${source.place} is not a database of Benchmaker: nothing was imported.`)
  const [newest] = await source.query('SELECT coalesce(max(version), 0) AS version FROM benchmaker_migrations')
  const version = readInteger(newest?.['version'])
  if (version > migrations.length)
    throw new StorageError(
      `${source.place} was created by a newer Benchmaker (its tables are version ${version}, this program supports ${migrations.length}): update Benchmaker. Nothing was imported.`,
    )
  if (version < migrations.length)
    throw new StorageError(
      `${source.place} was created by an older Benchmaker (its tables are version ${version}, this program needs ${migrations.length}): open it once with this program, for instance with benchmaker list, which upgrades it; or do that to a copy. Nothing was imported.`,
    )
  for (const row of await source.query('SELECT id, host, pid, token, since, renewed_at FROM claims')) {
    const claim = readClaimRow(row)
    if (isLive(claim))
      throw new InputError(
        `${source.place} is in use: process ${claim.pid} on ${claim.host} is working on ${quoteId(claim.id)}. Wait until it is done, or stop it, and try again. Nothing was imported.`,
      )
  }
}

function readClaimRow(row: RawRow): Claim {
  return {
    id: decodeText(readText(row['id'])),
    host: decodeText(readText(row['host'])),
    pid: readInteger(row['pid']),
    token: readText(row['token']),
    since: Number(row['since']),
    renewedAt: Number(row['renewed_at']),
  }
}

class Move {
  readonly #source: RawDatabase
  readonly #target: RawDatabase
  readonly #onProgress: (progress: MoveProgress) => void
  readonly #progress: MoveProgress = { cells: 0, totalCells: 0 }
  /** Added to the keys of the source: the range was reserved, so that nobody else uses it. */
  readonly #offsets = new Map<KeyedTable, bigint>()

  constructor(source: RawDatabase, target: RawDatabase, onProgress: (progress: MoveProgress) => void) {
    this.#source = source
    this.#target = target
    this.#onProgress = onProgress
  }

  async run(): Promise<MovedDatabase> {
    const known = new Set((await this.#target.query('SELECT id FROM runs')).map(({ id }) => id))
    const rows = await this.#source.query(
      'SELECT number, id, suite, (SELECT count(*) FROM cells WHERE run = runs.number) AS cells FROM runs ORDER BY number',
    )
    const missing = rows.filter(({ id }) => !known.has(id))
    for (const { cells } of missing) this.#progress.totalCells += readInteger(cells)
    this.#onProgress(this.#progress)
    const tables = ['runs', 'cells', 'attempts', 'spending'] as const
    if (missing.length > 0) for (const table of tables) await this.#reserve(table)
    for (const { number, id, suite } of missing)
      await this.#target.transact(async () => {
        if (suite !== null) await this.#copySuite(suite)
        await this.#copy('runs', await this.#source.query('SELECT * FROM runs WHERE number = ?', [number]), {
          number: 'runs',
        })
        await this.#copyCells(number)
        await this.#copySpending(id)
      })
    const nameOf = ({ id }: RawRow) => decodeText(readText(id))
    return {
      runs: missing.map(nameOf),
      skippedRuns: rows.filter(({ id }) => known.has(id)).map(nameOf),
      cells: this.#progress.cells,
      ...(await this.#copyDocuments()),
      teamRows: (await this.#copyTeam()) + (await this.#copyLogs(known)),
    }
  }

  /** Reserves as many keys as the source has used, so that order and references are kept by adding a number. */
  async #reserve(table: KeyedTable): Promise<void> {
    const key = keyColumns[table]
    const [highest] = await this.#source.query(`SELECT max(${key}) AS number FROM ${table}`)
    const count = BigInt(readInteger(highest?.['number'] ?? 0))
    this.#offsets.set(table, count === 0n ? 0n : await reserveKeys(this.#target, table, count))
  }

  async #copySuite(hash: unknown): Promise<void> {
    const known = await this.#target.query('SELECT hash FROM suites WHERE hash = ?', [hash])
    if (known.length > 0) return
    const rows = await this.#source.query('SELECT * FROM suites WHERE hash = ?', [hash])
    await this.#copy('suites', rows, {}, ' ON CONFLICT (hash) DO NOTHING')
  }

  async #copyCells(run: unknown): Promise<void> {
    for (let after: unknown = -1n; ;) {
      const page = await this.#choosePage(run, after)
      const last = page.at(-1)
      if (last === undefined) return
      const range = 'SELECT id FROM cells WHERE run = ? AND id > ? AND id <= ?'
      const cells = await this.#source.query('SELECT * FROM cells WHERE run = ? AND id > ? AND id <= ? ORDER BY id', [
        run,
        after,
        last,
      ])
      await this.#copy('cells', cells, { id: 'cells', run: 'runs' })
      for (const { name, references } of tablesOfCells) {
        // The limits are said twice: without them, a database might read the whole table.
        const sql = `SELECT * FROM ${name} WHERE cell > ? AND cell <= ? AND cell IN (${range})`
        await this.#copy(name, await this.#source.query(sql, [after, last, run, after, last]), references)
      }
      after = last
      this.#progress.cells += cells.length
      this.#onProgress(this.#progress)
    }
  }

  /** The ids of the next cells whose texts and files fit into memory together. */
  async #choosePage(run: unknown, after: unknown): Promise<unknown[]> {
    const rows = await this.#source.query(
      `SELECT id, coalesce((SELECT octet_length(response) FROM answers WHERE cell = cells.id), 0)
        + coalesce((SELECT sum(octet_length(content)) FROM artifacts WHERE cell = cells.id), 0) AS bytes
      FROM cells WHERE run = ? AND id > ? ORDER BY id LIMIT ${CELLS_PER_PAGE}`,
      [run, after],
    )
    let bytes = 0
    const end = rows.findIndex((row, index) => (bytes += Number(row['bytes'])) > BYTES_PER_PAGE && index > 0)
    return (end === -1 ? rows : rows.slice(0, end)).map(({ id }) => id)
  }

  /** A run that was deleted in the target comes back, and counts once. */
  async #copySpending(run: unknown): Promise<void> {
    await this.#target.query('DELETE FROM spending WHERE run = ?', [run])
    const rows = await this.#source.query('SELECT * FROM spending WHERE run = ?', [run])
    await this.#copy('spending', rows, { number: 'spending' })
  }

  async #copyDocuments(): Promise<{ documents: number; keptDocuments: string[] }> {
    let documents = 0
    const kept = new Set<string>()
    const rows = await this.#source.query('SELECT number, kind, id, version FROM documents ORDER BY number')
    for (const { number, kind, id, version } of rows) {
      const [row] = await this.#source.query('SELECT * FROM documents WHERE number = ?', [number])
      const [known] = await this.#target.query(
        'SELECT content FROM documents WHERE kind = ? AND id = ? AND version = ?',
        [kind, id, version],
      )
      if (!row) continue
      const name = `${decodeText(readText(kind))} ${decodeText(readText(id))}`
      if (known && known['content'] !== row['content']) kept.add(name)
      // A later version must not follow a different earlier one.
      if (known || kept.has(name)) continue
      if (documents === 0) await this.#reserve('documents')
      await this.#target.transact(() =>
        this.#copy('documents', [row], { number: 'documents' }, ' ON CONFLICT (kind, id, version) DO NOTHING'),
      )
      documents++
    }
    return { documents, keptDocuments: [...kept] }
  }

  async #copyTeam(): Promise<number> {
    let moved = 0
    for (const table of teamTables) {
      const rows = await this.#source.query(`SELECT * FROM ${table}`)
      const before = await countRows(this.#target, table)
      await this.#target.transact(() => this.#copy(table, rows, {}, ' ON CONFLICT DO NOTHING'))
      moved += (await countRows(this.#target, table)) - before
    }
    return moved
  }

  async #copyLogs(known: Set<unknown>): Promise<number> {
    return (
      (await this.#copyLog('activity')) +
      // What runs cost is moved with them, unless they were deleted.
      (await this.#copyLog('spending', {
        where: 'NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = spending.run)',
        isWanted: ({ run }) => !known.has(run),
      }))
    )
  }

  async #copyLog(
    table: LogTable,
    { where = '1 = 1', isWanted = () => true }: { where?: string; isWanted?: (row: RawRow) => boolean } = {},
  ): Promise<number> {
    let moved = 0
    const key = keyColumns[table]
    for (let after: unknown = -1n; ;) {
      const rows = await this.#source.query(
        `SELECT * FROM ${table} WHERE ${key} > ? AND ${where} ORDER BY ${key} LIMIT ${LOG_ROWS_PER_PAGE}`,
        [after],
      )
      if (rows.length === 0) return moved
      after = rows.at(-1)![key]
      const missing = await leaveOutSame(rows.filter(isWanted), { table, key, target: this.#target })
      if (missing.length > 0 && !this.#offsets.has(table)) await this.#reserve(table)
      await this.#target.transact(() => this.#copy(table, missing, { [key]: table }))
      moved += missing.length
    }
  }

  async #copy(table: string, rows: RawRow[], references: Record<string, KeyedTable>, conflict = ''): Promise<void> {
    const columns = Object.keys(rows[0] ?? {})
    if (columns.length === 0) return
    const offsets = columns.map((column) => {
      const referred = references[column]
      return referred === undefined ? undefined : this.#offsets.get(referred)
    })
    const size = Math.max(1, Math.floor(PARAMETERS_PER_STATEMENT / columns.length))
    const places = `(${columns.map(() => '?').join(', ')})`
    for (let first = 0; first < rows.length; first += size) {
      const some = rows.slice(first, first + size)
      const values = some.flatMap((row) =>
        columns.map((column, index) => {
          const offset = offsets[index]
          return offset === undefined || row[column] === null ? row[column] : BigInt(String(row[column])) + offset
        }),
      )
      await this.#target.query(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${some.map(() => places).join(', ')}${conflict}`,
        values,
      )
    }
  }
}

async function countRows(database: RawDatabase, table: string): Promise<number> {
  const [row] = await database.query(`SELECT count(*) AS rows FROM ${table}`)
  return Number(row?.['rows'])
}

/** Returns the last key in use; the next `count` are ours. */
async function reserveKeys(target: RawDatabase, table: KeyedTable, count: bigint): Promise<bigint> {
  if (target.dialect === 'sqlite')
    return target.transact(async () => {
      const [row] = await target.query('SELECT seq FROM sqlite_sequence WHERE name = ?', [table])
      const last = BigInt(readInteger(row?.['seq'] ?? 0))
      await target.query(
        row
          ? 'UPDATE sqlite_sequence SET seq = ? WHERE name = ?'
          : 'INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?)',
        [last + count, table],
      )
      return last
    })
  // Nobody may insert between the two calls.
  return target.transact(async () => {
    await target.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`)
    const sequence = `pg_get_serial_sequence('${table}', '${keyColumns[table]}')`
    const [row] = await target.query(`SELECT nextval(${sequence}) AS number`)
    const first = BigInt(String(row?.['number']))
    await target.query(`SELECT setval(${sequence}, ?::bigint)`, [String(first - 1n + count)])
    return first - 1n
  })
}
