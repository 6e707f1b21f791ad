import { mkdirSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, SqliteDialect } from 'kysely'
import { StorageError } from '../../contract/index.ts'
import type { Statement, StatementResult } from '../sql/operation.ts'
import type { Tables } from '../sql/schema.ts'
import { isLocked } from './errors.ts'

/** How long SQLite itself waits for a lock, which holds up the whole program; the rest is waited for without that. */
const blockingWaitMs = 10
const statementsKept = 200

interface PreparedStatement {
  statement: StatementSync
  givesRows: boolean
}

/** One connection, for all reads and writes of the process, with its prepared statements. */
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
            const { statement, givesRows } = this.#prepare(sql)
            return {
              reader: givesRows,
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
    const { statement, givesRows } = this.#prepare(sql)
    const values = parameters.map(readParameter)
    if (givesRows) {
      const rows = statement.all(...values)
      return { rows, changes: rows.length }
    }
    return { rows: [], changes: Number(statement.run(...values).changes) }
  }

  /** The one number counts what other connections commit, the other what this one changes. */
  changeToken(): string {
    const read = (sql: string) => String(this.execute({ sql, parameters: [] }).rows[0]?.['number'])
    return `${read('SELECT data_version AS number FROM pragma_data_version')}:${read('SELECT total_changes() AS number')}`
  }

  /** Takes the write lock first: two processes that read and then write would otherwise fail in the middle. */
  async transact(work: () => void): Promise<void> {
    await this.whenUnlocked(() => {
      this.execute({ sql: 'BEGIN IMMEDIATE', parameters: [] })
      try {
        work()
        this.execute({ sql: 'COMMIT', parameters: [] })
      } catch (error) {
        // A full disk or a damaged file makes SQLite roll back by itself.
        if (this.database.isTransaction) this.execute({ sql: 'ROLLBACK', parameters: [] })
        throw error
      }
    })
  }

  /**
   * Settles when all that has been committed is on the disk. SQLite would wait for that inside each commit, and the whole program
   * with it: a busy disk takes milliseconds. Every connection that is open keeps the log where it is.
   */
  async makeDurable(): Promise<void> {
    const file = this.database.location()
    if (file === null) return
    try {
      this.#log ??= await open(`${file}-wal`, 'r+')
      await this.#log.datasync()
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      throw new StorageError(
        `The database ${file} cannot be brought to the disk (${detail}): check the disk and its free space, then try again. What was stored before is left as it is.`,
        { cause: error },
      )
    }
  }

  async close(): Promise<void> {
    await this.#log?.close()
    await this.kysely.destroy()
    // Kysely closes only what it has used.
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
      // Uneven pauses, so that two processes do not keep meeting.
      await pause(1 + Math.random() * 9)
    }
  }

  #prepare(sql: string): PreparedStatement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.database.prepare(sql)
    const prepared = { statement, givesRows: statement.columns().length > 0 }
    if (this.#statements.size >= statementsKept) this.#statements.clear()
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

/** The file with its folder; an empty database when there is none. */
export function openFile(file: string): DatabaseSync {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  return new DatabaseSync(file, { timeout: blockingWaitMs })
}

/**
 * Readable by others while one writes. A commit is whole or not there whatever happens, as the log is on the disk before anything is taken
 * over from it; that it stays when the power fails is for `makeDurable` to see to.
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
