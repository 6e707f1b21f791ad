import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { InputError, StorageError, type Storage } from '../../contract/index.ts'
import { migrate, migrations as allMigrations } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { runAsync, type Operation } from '../sql/operation.ts'
import type { PostgresStorageOptions } from '../sql/options.ts'
import { isTransient, toStorageError } from './errors.ts'
import type { Tables } from '../sql/schema.ts'
import { createStorage } from '../sql/storage.ts'

const MAX_TRIES = 5
const BIGINT_TYPE = 20

export async function openPostgresStorage(
  options: PostgresStorageOptions & { migrations?: Migration[] },
): Promise<Storage> {
  const {
    connectionString,
    now = Date.now,
    lockTimeoutMs = 10_000,
    connections = 10,
    migrations = allMigrations,
  } = options
  const place = describePlace(connectionString)
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: 10_000,
    lock_timeout: lockTimeoutMs,
    application_name: 'benchmaker',
    // Safe as a number: every 64-bit column read this way is a key or a count; money is selected as text.
    types: { getTypeParser: (type, format) => (type === BIGINT_TYPE ? Number : pg.types.getTypeParser(type, format)) },
  })
  // Without a listener, a lost idle connection would end the process; the next query opens another.
  pool.on('error', () => {})
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await checkEncoding(pool, place)
    await transact(pool, () => migrate({ dialect: 'postgres', place, now, migrations }))
  } catch (error) {
    await kysely.destroy()
    throw toStorageError(error, place)
  }
  const pendingWrites = new Set<Promise<unknown>>()
  return createStorage({
    dialect: 'postgres',
    place,
    kysely,
    now,
    write: (operation) => {
      const done = transact(pool, operation)
      pendingWrites.add(done)
      const forget = () => pendingWrites.delete(done)
      done.then(forget, forget)
      return done
    },
    read: (query) => query(),
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
  })
}

async function transact<Result>(pool: pg.Pool, operation: () => Operation<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await transactOnce(pool, operation)
    } catch (error) {
      if (!isTransient(error) || tries === MAX_TRIES) throw error
    }
  }
}

async function transactOnce<Result>(pool: pg.Pool, operation: () => Operation<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  const rememberBroken = (error: Error) => {
    broken = error
  }
  client.on('error', rememberBroken)
  try {
    await client.query('BEGIN')
    const result = await runAsync(operation(), async ({ sql, parameters }) => {
      const { rows, rowCount } = await client.query(sql, [...parameters])
      return { rows, changes: rowCount ?? 0 }
    })
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(rememberBroken)
    throw error
  } finally {
    client.off('error', rememberBroken)
    client.release(broken)
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
function describePlace(connectionString: string): string {
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
