import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { InputError, StorageError, type Storage, type WriteGuard } from '../../contract/index.ts'
import { migrate, migrations as allMigrations } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { runAsync } from '../sql/operation.ts'
import type { PostgresStorageOptions } from '../sql/options.ts'
import { openDatabaseClock, type DatabaseClock } from './database-clock.ts'
import { isConnectionLost, isServerGone, toStorageError } from './errors.ts'
import { createReconnector } from './reconnect.ts'
import type { Tables } from '../sql/schema.ts'
import { createStorage, type Driver } from '../sql/storage.ts'
import { WriteGroup } from '../sql/write-group.ts'
import { transact, type Execute } from './transact.ts'

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
    lockTimeoutMs = 10_000,
    connections = 10,
    reconnectMs = 60_000,
    statementTimeoutMs = 120_000,
    migrations = allMigrations,
  } = options
  const place = nameDatabase(connectionString)
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
    const inTransaction = <Result>(work: (execute: Execute) => Promise<Result>) =>
      transact(
        pool,
        async (execute) => {
          await guard?.((sql, parameters = []) => execute({ sql, parameters })).catch((error: unknown) => {
            if (error instanceof Error && !isConnectionLost(error)) refusals.add(error)
            throw error
          })
          return work(execute)
        },
        { reconnect },
      )
    const cells = new WriteGroup({
      perform: (writes) =>
        inTransaction(async (execute) => {
          const results: unknown[] = []
          for (const { operation } of writes) results.push(await runAsync(operation(), execute))
          return results
        }),
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
