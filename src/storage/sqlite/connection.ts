import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, SqliteDialect } from 'kysely'
import { StorageError, messageOf } from '../../contract/index.ts'
import { makeFolder, makePrivateFile, tightenFile, type Note } from '../private-files.ts'
import type { Statement, StatementResult } from '../sql/operation.ts'
import type { Tables } from '../sql/schema.ts'
import { isLocked } from './errors.ts'

/** SQLite's own wait for a lock blocks the whole program, so it is short; `whenUnlocked` retries without blocking. */
const BLOCKING_WAIT_MS = 10
const MAX_CACHED_STATEMENTS = 200

interface PreparedStatement {
  statement: StatementSync
  returnsRows: boolean
}

/** The one connection for all reads and writes of the process, with its prepared statements. */
export class SqliteConnection {
  readonly database: DatabaseSync
  readonly kysely: Kysely<Tables>
  readonly #lockTimeoutMs: number
  readonly #statements = new Map<string, PreparedStatement>()
  #log: FileHandle | undefined

  constructor(database: DatabaseSync, lockTimeoutMs: number) {
    this.database = database
    this.#lockTimeoutMs = lockTimeoutMs
    this.kysely = new Kysely<Tables>({
      dialect: new SqliteDialect({
        database: {
          close: () => this.database.close(),
          prepare: (sql) => {
            const { statement, returnsRows } = this.#prepare(sql)
            return {
              reader: returnsRows,
              all: (parameters) => statement.all(...parameters.map(readParameter)),
              run: (parameters) => statement.run(...parameters.map(readParameter)),
              iterate: (parameters) => statement.iterate(...parameters.map(readParameter)),
            }
          },
        },
      }),
    })
  }

  execute({ sql, parameters }: Statement): StatementResult {
    const { statement, returnsRows } = this.#prepare(sql)
    const values = parameters.map(readParameter)
    if (returnsRows) {
      const rows = statement.all(...values)
      return { rows, changes: rows.length }
    }
    return { rows: [], changes: Number(statement.run(...values).changes) }
  }

  /** The first number counts commits of other connections, the second counts changes by this one. */
  changeToken(): string {
    const read = (sql: string) => String(this.execute({ sql, parameters: [] }).rows[0]?.['number'])
    return `${read('SELECT data_version AS number FROM pragma_data_version')}:${read('SELECT total_changes() AS number')}`
  }

  /** Takes the write lock first: otherwise two processes that read and then write would fail halfway. */
  async transact<Result>(work: () => Result): Promise<Result> {
    return this.whenUnlocked(() => {
      this.execute({ sql: 'BEGIN IMMEDIATE', parameters: [] })
      try {
        const result = work()
        this.execute({ sql: 'COMMIT', parameters: [] })
        return result
      } catch (error) {
        // On a full disk or a damaged file SQLite has already rolled back.
        if (this.database.isTransaction) this.execute({ sql: 'ROLLBACK', parameters: [] })
        throw error
      }
    })
  }

  /**
   * Resolves when everything committed so far is on disk. SQLite would otherwise sync inside each commit and block the
   * whole program; a busy disk takes milliseconds. The log file is not replaced while a connection is open.
   */
  async makeDurable(): Promise<void> {
    const file = this.database.location()
    if (file === null) return
    try {
      this.#log ??= await open(`${file}-wal`, 'r+')
      await this.#log.datasync()
    } catch (error) {
      const detail = messageOf(error)
      throw new StorageError(
        `The database ${file} cannot be written to disk (${detail}): check the disk and its free space, then try again. Everything stored before is unchanged.`,
        { cause: error },
      )
    }
  }

  async close(): Promise<void> {
    await this.#log?.close()
    await this.kysely.destroy()
    // Kysely closes the database only if it has used it.
    if (this.database.isOpen) this.database.close()
  }

  async whenUnlocked<Result>(action: () => Result | Promise<Result>): Promise<Result> {
    const deadline = performance.now() + this.#lockTimeoutMs
    for (;;) {
      try {
        return await action()
      } catch (error) {
        if (!isLocked(error) || performance.now() >= deadline) throw error
      }
      // Random pauses, so that two processes do not keep colliding.
      await pause(1 + Math.random() * 9)
    }
  }

  #prepare(sql: string): PreparedStatement {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const statement = this.database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }
}

function readParameter(value: unknown): SQLInputValue {
  if (
    value === null ||
    value instanceof Uint8Array ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint'
  )
    return value
  throw new TypeError(`${String(value)} cannot be a parameter of a statement.`)
}

/** Opens the file, which only its owner can read; creates it and its folder if missing. */
export function openFile(file: string, note?: Note): DatabaseSync {
  if (file !== ':memory:') {
    makeFolder(dirname(file))
    makePrivateFile(file, note)
    // SQLite gives new ones the permissions of the database.
    for (const log of [`${file}-wal`, `${file}-shm`]) tightenFile(log, note)
  }
  return new DatabaseSync(file, { timeout: BLOCKING_WAIT_MS })
}

/**
 * Write-ahead mode lets others read during a write. Commits are atomic even if the power fails, because the log is on
 * disk before its pages move to the database; `makeDurable` ensures that they also survive.
 */
export async function configure(connection: SqliteConnection, file: string): Promise<void> {
  const { rows } = await connection.whenUnlocked(() =>
    connection.execute({ sql: 'PRAGMA journal_mode = WAL', parameters: [] }),
  )
  const mode = rows[0]?.['journal_mode']
  if (mode !== 'wal' && mode !== 'memory')
    throw new StorageError(
      `The database ${file} cannot keep a write-ahead log there: use a data folder on a local, writable disk.`,
    )
  for (const pragma of ['synchronous = NORMAL', 'foreign_keys = ON', 'trusted_schema = OFF'])
    connection.database.exec(`PRAGMA ${pragma}`)
}
