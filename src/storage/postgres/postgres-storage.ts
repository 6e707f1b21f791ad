import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { InputError, StorageError, type Storage, type WriteGuard } from '../../contract/index.ts'
import { migrate, migrations as allMigrations } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { readText, runAsync, type Operation } from '../sql/operation.ts'
import type { PostgresStorageOptions } from '../sql/options.ts'
import { isConnectionLost, isTransient, toStorageError } from './errors.ts'
import { createReconnector } from './reconnect.ts'
import type { Tables } from '../sql/schema.ts'
import { createStorage, type Driver } from '../sql/storage.ts'

const MAX_TRIES = 5
const BIGINT_TYPE = 20

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 10_000
/** A frozen program must not hold its locks for long; transactions here never wait for models. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000
/** Upgrading the tables may take long. */
const UPGRADE_TIMEOUT_MS = 24 * 3_600_000

export async function openPostgresStorage(
  options: PostgresStorageOptions & { migrations?: Migration[] },
): Promise<Storage> {
  const {
    connectionString,
    now = Date.now,
    lockTimeoutMs = 10_000,
    connections = 10,
    reconnectMs = 60_000,
    statementTimeoutMs = 120_000,
    migrations = allMigrations,
  } = options
  const place = describePlace(connectionString)
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: statementTimeoutMs,
    // Notices a server that vanished without closing the connection; longer, so that the server's own limit comes first.
    query_timeout: 1.1 * statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    lock_timeout: lockTimeoutMs,
    application_name: 'benchmaker',
    // Safe as a number: every 64-bit column read this way is a key or a count; money is selected as text.
    types: { getTypeParser: (type, format) => (type === BIGINT_TYPE ? Number : pg.types.getTypeParser(type, format)) },
  })
  // Without listeners, a lost connection would end the process, whether it is idle or in use.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: discardBroken(pool) }) })
  try {
    await checkEncoding(pool, place)
    await transact(pool, () => migrate({ dialect: 'postgres', place, now, migrations }), {
      timeoutMs: UPGRADE_TIMEOUT_MS,
    })
  } catch (error) {
    await kysely.destroy()
    throw toStorageError(error, place)
  }
  const reconnect = createReconnector({ place, waitMs: reconnectMs })
  const pendingWrites = new Set<Promise<unknown>>()
  const track = <Result>(done: Promise<Result>): Promise<Result> => {
    pendingWrites.add(done)
    const forget = () => pendingWrites.delete(done)
    done.then(forget, forget)
    return done
  }
  const driver: Driver = {
    dialect: 'postgres',
    place,
    kysely,
    now,
    write: (operation) => track(transact(pool, operation, { reconnect })),
    read: (query) => reconnect(query),
    changeToken: async () => undefined,
    backupTo: async () => {
      throw new StorageError(
        `${place} is backed up with PostgreSQL's own tools: run pg_dump, and pg_restore to restore the backup.`,
      )
    },
    toStorageError: (error) => toStorageError(error, place),
    close: async () => {
      await Promise.allSettled(pendingWrites)
      await kysely.destroy()
      if (!pool.ended) await pool.end()
    },
    guardedBy: (guard) => ({
      ...driver,
      write: (operation) => track(transact(pool, operation, { reconnect, guard })),
      // The connections belong to the storage that was opened.
      close: async () => {},
    }),
  }
  return createStorage(driver)
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

/** The connection was lost during COMMIT: only the server knows whether the transaction counts. */
class UnknownCommit<Result> {
  readonly transactionId: string
  readonly result: Result
  readonly lost: unknown

  constructor(transactionId: string, result: Result, lost: unknown) {
    this.transactionId = transactionId
    this.result = result
    this.lost = lost
  }
}

interface TransactOptions {
  /** Without it, a lost connection fails the call. */
  reconnect?: ReturnType<typeof createReconnector>
  /** For each statement, instead of the usual limit. */
  timeoutMs?: number
  guard?: WriteGuard
}

async function transact<Result>(
  pool: pg.Pool,
  operation: () => Operation<Result>,
  { reconnect = (attempt) => attempt(), ...limits }: TransactOptions,
): Promise<Result> {
  let unknown: UnknownCommit<Result> | undefined
  let conflicts = 0
  return reconnect(async () => {
    for (;;) {
      if (unknown) {
        if (await isCommitted(pool, unknown)) return unknown.result
        unknown = undefined
      }
      try {
        return await transactOnce(pool, operation, limits)
      } catch (error) {
        if (error instanceof UnknownCommit) {
          unknown = error
          throw error.lost
        }
        if (!isTransient(error) || ++conflicts === MAX_TRIES) throw error
      }
    }
  })
}

/** Asks the server, so that an operation whose reply was lost is not written twice. */
async function isCommitted(pool: pg.Pool, { transactionId, lost }: UnknownCommit<unknown>): Promise<boolean> {
  const { rows } = await pool.query<{ status: string | null }>('SELECT txid_status($1) AS status', [transactionId])
  const status = rows[0]?.status
  if (status === 'committed') return true
  if (status === 'aborted') return false
  // Still in progress: the server has not noticed yet that the connection is gone.
  if (status === 'in progress') throw lost
  throw new StorageError(
    'The PostgreSQL server no longer knows whether the last write was stored: check the run before you resume it.',
    { cause: lost },
  )
}

async function transactOnce<Result>(
  pool: pg.Pool,
  operation: () => Operation<Result>,
  { timeoutMs, guard }: Omit<TransactOptions, 'reconnect'>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  const rememberBroken = (error: unknown) => {
    if (error instanceof Error && isConnectionLost(error)) broken = error
  }
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs }
  try {
    const transactionId = await begin(client, timeoutMs)
    await guard?.((text, values = []) => client.query<Record<string, unknown>>(text, [...values]))
    const result = await runAsync(operation(), async ({ sql, parameters }) => {
      const { rows, rowCount } = await client.query({ text: sql, values: [...parameters], ...limit })
      return { rows, changes: rowCount ?? 0 }
    })
    await client.query({ text: 'COMMIT', ...limit }).catch((error: unknown) => {
      throw isConnectionLost(error) ? new UnknownCommit(transactionId, result, error) : error
    })
    return result
  } catch (error) {
    rememberBroken(error instanceof UnknownCommit ? error.lost : error)
    if (!broken) await client.query('ROLLBACK').catch(rememberBroken)
    throw error
  } finally {
    client.release(broken)
  }
}

/** Starts a transaction and returns its id, in one round trip. */
async function begin(client: pg.PoolClient, timeoutMs: number | undefined): Promise<string> {
  const limit = timeoutMs === undefined ? '' : `; SET LOCAL statement_timeout = ${timeoutMs}`
  const replies = await client.query<{ id: unknown }>(`BEGIN${limit}; SELECT txid_current()::text AS id`)
  // Several statements have several replies, which pg's types leave out.
  return readText([replies].flat().at(-1)?.rows[0]?.id)
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
export function describePlace(connectionString: string): string {
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
