import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, SqliteDialect } from 'kysely'
import { StorageError } from '../contract/index.ts'
import type { Statement, StatementResult } from './operation.ts'
import type { Tables } from './schema.ts'
import { isLocked } from './sqlite-errors.ts'

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
  readonly #listStatements = new Map<string, PreparedStatement>()

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
              // Without the empty object a first parameter that is an object would be taken for named parameters.
              all: (parameters) => statement.all({}, ...parameters.map(readParameter)),
              run: (parameters) => statement.run({}, ...parameters.map(readParameter)),
              iterate: (parameters) => statement.iterate({}, ...parameters.map(readParameter)),
            }
          },
        },
      }),
    })
  }

  execute({ sql, parameters }: Statement): StatementResult {
    const { statement, givesRows } = this.#prepare(sql)
    if (givesRows) {
      const rows = statement.all({}, ...parameters)
      return { rows, changes: rows.length }
    }
    return { rows: [], changes: Number(statement.run({}, ...parameters).changes) }
  }

  /** Each row as a list of its values. */
  readRows({ sql, parameters }: Statement): unknown[][] {
    const { statement } = this.#prepare(sql, { asLists: true })
    return statement.all({}, ...parameters).map((row) => (Array.isArray(row) ? row : Object.values(row)))
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

  #prepare(sql: string, { asLists = false } = {}): PreparedStatement {
    const statements = asLists ? this.#listStatements : this.#statements
    const known = statements.get(sql)
    if (known) return known
    const statement = this.database.prepare(sql)
    // Node 22 gives objects only.
    if (asLists && 'setReturnArrays' in statement) statement.setReturnArrays(true)
    const prepared = { statement, givesRows: statement.columns().length > 0 }
    if (statements.size >= statementsKept) statements.clear()
    statements.set(sql, prepared)
    return prepared
  }
}

function readParameter(value: unknown): SQLInputValue {
  if (value === null || value instanceof Uint8Array || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  throw new TypeError(`${String(value)} cannot be a parameter of a statement.`)
}

/** The file with its folder; an empty database when there is none. */
export function openFile(file: string): DatabaseSync {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  return new DatabaseSync(file, { timeout: blockingWaitMs })
}

/** Durable at every commit, readable by others while one writes. */
export async function configure(connection: SqliteConnection, file: string): Promise<void> {
  const { rows } = await connection.whenUnlocked(() => connection.execute({ sql: 'PRAGMA journal_mode = WAL', parameters: [] }))
  const mode = rows[0]?.['journal_mode']
  if (mode !== 'wal' && mode !== 'memory')
    throw new StorageError(`The database ${file} cannot keep a write-ahead log there: use a data folder on a local, writable disk.`)
  for (const pragma of ['synchronous = FULL', 'foreign_keys = ON', 'trusted_schema = OFF'])
    connection.database.exec(`PRAGMA ${pragma}`)
}
