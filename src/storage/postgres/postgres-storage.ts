import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { InputError, StorageError, type Storage, type WriteGuard } from '../../contract/index.ts'
import { migrate, migrations as allMigrations } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { runAsync, readText, type Statement, type StatementResult } from '../sql/operation.ts'
import type { PostgresStorageOptions } from '../sql/options.ts'
import { isConnectionLost, isServerGone, toStorageError, isTransient } from './errors.ts'
import { createReconnector, type Reconnect } from './reconnect.ts'
import type { Tables } from '../sql/schema.ts'
import { createStorage, type Driver } from '../sql/storage.ts'
import { WriteGroup } from '../sql/write-group.ts'
import { openPool } from './open-pool.ts'

const MAX_CONFLICTS = 5

interface TransactOptions {
  /** Without it, a lost connection fails the call. */
  reconnect?: Reconnect
  /** For each statement, instead of the usual limit. */
  timeoutMs?: number
  /** The server keeps the statements, which saves planning those that come again for every cell. */
  isPrepared?: boolean
}

type Execute = (statement: Statement) => Promise<StatementResult>

/** The connection was lost: only the server knows whether the transaction was committed. */
class UnknownOutcome<Result> {
  readonly transactionId: string
  /** Undefined if the work had not ended, so that nothing can have been committed. */
  readonly done: { result: Result } | undefined
  readonly lost: unknown

  constructor(transactionId: string, done: { result: Result } | undefined, lost: unknown) {
    this.transactionId = transactionId
    this.done = done
    this.lost = lost
  }
}

/**
 * Runs the work in a transaction, and again if it conflicts with another one or the connection is lost, but never twice
 * with success: after a lost connection the server is asked first.
 */
async function transact<Result>(
  pool: pg.Pool,
  work: (execute: Execute) => Promise<Result>,
  { reconnect = (attempt) => attempt(), ...options }: TransactOptions,
): Promise<Result> {
  let unknown: UnknownOutcome<Result> | undefined
  let conflicts = 0
  return reconnect(async () => {
    for (;;) {
      if (unknown) {
        const isCommitted = await endTransaction(pool, unknown)
        if (isCommitted && unknown.done) return unknown.done.result
        unknown = undefined
      }
      try {
        return await transactOnce(pool, work, options)
      } catch (error) {
        if (error instanceof UnknownOutcome) {
          unknown = error
          throw error.lost
        }
        if (!isTransient(error) || ++conflicts === MAX_CONFLICTS) throw error
      }
    }
  })
}

/**
 * Ends the transaction on the server, which may not have noticed yet that its connection is gone and might commit or hold
 * its locks long after. Returns whether it was committed.
 */
async function endTransaction(pool: pg.Pool, { transactionId, lost }: UnknownOutcome<unknown>): Promise<boolean> {
  const { rows } = await pool.query<{ status: string | null }>(
    `SELECT txid_status($1::bigint) AS status, (SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND backend_xid = $1::text::xid8::xid) AS ended`,
    [transactionId],
  )
  const status = rows[0]?.status
  if (status === 'committed') return true
  if (status === 'aborted') return false
  // Ending takes a moment: asked again soon.
  if (status === 'in progress') throw lost
  throw new StorageError(
    'The PostgreSQL server no longer knows whether the last write was stored: check the run before you resume it.',
    { cause: lost },
  )
}

const statementNames = new Map<string, string>()

function nameStatement(sql: string): string {
  const name = statementNames.get(sql) ?? createHash('sha256').update(sql).digest('base64url')
  statementNames.set(sql, name)
  return name
}

async function transactOnce<Result>(
  pool: pg.Pool,
  work: (execute: Execute) => Promise<Result>,
  { timeoutMs, isPrepared = false }: TransactOptions,
): Promise<Result> {
  const client = await pool.connect()
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs }
  const execute: Execute = async ({ sql, parameters }) => {
    const named = isPrepared ? { name: nameStatement(sql) } : {}
    const { rows, rowCount } = await client.query({ text: sql, values: [...parameters], ...named, ...limit })
    return { rows, changes: rowCount ?? 0 }
  }
  let isBroken = false
  let transactionId: string | undefined
  let done: { result: Result } | undefined
  try {
    await client.query('BEGIN')
    if (timeoutMs !== undefined) await client.query(`SET LOCAL statement_timeout = ${timeoutMs}`)
    const begun = await client.query('SELECT txid_current()::text AS id')
    transactionId = readText(begun.rows[0].id)
    done = { result: await work(execute) }
    await client.query({ text: 'COMMIT', ...limit })
    return done.result
  } catch (error) {
    isBroken = isConnectionLost(error)
    if (isBroken && transactionId !== undefined) throw new UnknownOutcome(transactionId, done, error)
    if (!isBroken) await client.query('ROLLBACK').catch(() => (isBroken = true))
    throw error
  } finally {
    client.release(isBroken)
  }
}

const MEASURE_EVERY_MS = 60_000
/** Clocks that differ by less agree well enough, and a clock that is left alone never jumps. */
const TOLERATED_MS = 2_000

interface DatabaseClock {
  /** Milliseconds since 1970 by the database's clock. */
  now(): number
  close(): void
}

/**
 * The time by which processes on several machines judge whether a claim or a reservation has expired: the clock of one of
 * them may be wrong by hours.
 */
async function openDatabaseClock(pool: pg.Pool): Promise<DatabaseClock> {
  let aheadMs = 0
  const measure = async () => {
    const asked = Date.now()
    const { rows } = await pool.query<{ now: number }>(
      'SELECT (1000 * extract(epoch FROM clock_timestamp()))::float8 AS now',
    )
    const replied = Date.now()
    const difference = Math.round(rows[0]!.now - (asked + replied) / 2)
    aheadMs = Math.abs(difference) < TOLERATED_MS + (replied - asked) ? 0 : difference
  }
  await measure()
  // A database that is away keeps the last measurement.
  const timer = setInterval(() => void measure().catch(() => undefined), MEASURE_EVERY_MS)
  timer.unref()
  return { now: () => Date.now() + aheadMs, close: () => clearInterval(timer) }
}

const BIGINT_TYPE = 20

/** Upgrading the tables may take long. */
const UPGRADE_TIMEOUT_MS = 24 * 3_600_000

export async function openPostgresStorage(
  options: PostgresStorageOptions & { migrations?: Migration[] },
): Promise<Storage> {
  const {
    connectionString,
    lockTimeoutMs = 10_000,
    connections = 10,
    reconnectMs = 60_000,
    statementTimeoutMs = 120_000,
    migrations = allMigrations,
  } = options
  const place = nameDatabase(connectionString)
  const pool = openPool({
    connectionString,
    max: connections,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    application_name: 'benchmaker',
    // Safe as a number: every 64-bit column read this way is a key or a count; money is selected as text.
    types: { getTypeParser: (type, format) => (type === BIGINT_TYPE ? Number : pg.types.getTypeParser(type, format)) },
  })
  let clock: DatabaseClock | undefined
  const now = options.now ?? (() => clock?.now() ?? Date.now())
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: discardBroken(pool) }) })
  try {
    await checkEncoding(pool, place)
    clock = await openDatabaseClock(pool)
    await transact(pool, (execute) => runAsync(migrate({ dialect: 'postgres', place, now, migrations }), execute), {
      timeoutMs: UPGRADE_TIMEOUT_MS,
    })
  } catch (error) {
    clock?.close()
    await kysely.destroy()
    throw toStorageError(error, place)
  }
  const reconnect = createReconnector({ place, waitMs: reconnectMs })
  const pending = new Set<Promise<unknown>>()
  const openDriver = (guard?: WriteGuard): Driver => {
    const refusals = new WeakSet<Error>()
    const inTransaction = <Result>(work: (execute: Execute) => Promise<Result>, isPrepared = false) =>
      transact(
        pool,
        async (execute) => {
          await guard?.((sql, parameters = []) => execute({ sql, parameters })).catch((error: unknown) => {
            if (error instanceof Error && !isConnectionLost(error)) refusals.add(error)
            throw error
          })
          return work(execute)
        },
        { reconnect, isPrepared },
      )
    const cells = new WriteGroup({
      perform: (writes) =>
        inTransaction(async (execute) => {
          const results: unknown[] = []
          for (const { operation } of writes) results.push(await runAsync(operation(), execute))
          return results
        }, true),
      affectsAll: (error) => isServerGone(error) || (error instanceof Error && refusals.has(error)),
    })
    return {
      dialect: 'postgres',
      place,
      kysely,
      now,
      write(call, writeOptions) {
        // Others go apart: deleting a large run takes seconds, for which no cell should wait.
        const done = call.isOfCell
          ? cells.add(call, writeOptions)
          : inTransaction((execute) => runAsync(call.operation(), execute))
        pending.add(done)
        const forget = () => pending.delete(done)
        done.then(forget, forget)
        return done
      },
      read: (query) => reconnect(query),
      changeToken: async () => undefined,
      backupTo: async () => {
        throw new StorageError(
          `${place} is backed up with PostgreSQL's own tools: run pg_dump, and pg_restore to restore the backup.`,
        )
      },
      toStorageError: (error) => toStorageError(error, place),
      guardedBy: openDriver,
      async close() {
        // The connections belong to the storage that was opened.
        if (guard) return
        clock?.close()
        await Promise.allSettled(pending)
        await kysely.destroy()
        if (!pool.ended) await pool.end()
      },
    }
  }
  return createStorage(openDriver())
}

/** Kysely returns every connection to the pool; one that no longer replies must not be used again. */
function discardBroken(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect()
      let broken: Error | undefined
      const query = async (sql: string, parameters: unknown[]) => {
        try {
          return await client.query(sql, parameters)
        } catch (error) {
          if (error instanceof Error && isConnectionLost(error)) broken = error
          throw error
        }
      }
      // Kysely's type also allows cursors, which nothing here uses.
      return { query, release: () => client.release(broken) } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
    options: {},
  }
}

async function checkEncoding(pool: pg.Pool, place: string): Promise<void> {
  const { rows } = await pool.query<{ server_encoding: string }>('SHOW server_encoding')
  const encoding = rows[0]?.server_encoding
  if (encoding !== 'UTF8')
    throw new StorageError(
      `${place} is encoded in ${encoding}, which cannot store every text: create one with createdb --encoding=UTF8 --template=template0.`,
    )
}

/** For messages: never includes the password. */
export function nameDatabase(connectionString: string): string {
  let url: URL
  try {
    url = new URL(connectionString)
  } catch (cause) {
    throw new InputError('The connection string is not a URL: write postgres://user:password@host:port/database.', {
      cause,
    })
  }
  return `The PostgreSQL database ${decodeURIComponent(url.pathname.slice(1)) || 'without a name'} at ${url.host || 'this machine'}`
}
