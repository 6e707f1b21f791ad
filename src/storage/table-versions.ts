import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { TableVersions } from '../contract/index.ts'
import { migrations } from './migrations/migrate.ts'
import type { PostgresStorageOptions, SqliteStorageOptions } from './sql/options.ts'

const CONNECT_TIMEOUT_MS = 2_500
const READ_VERSION = 'SELECT coalesce(max(version), 0) AS version FROM benchmaker_migrations'

async function readPostgres(connectionString: string): Promise<number> {
  const { default: pg } = await import('pg')
  // A connection of its own: one from a pool waits while all of them are in use.
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    application_name: 'benchmaker readiness',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number }>(READ_VERSION)
    return Number(rows[0]?.version)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function readSqlite(file: string): number {
  if (!existsSync(file)) throw new Error('the file is gone')
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(database.prepare(READ_VERSION).get()?.['version'])
  } finally {
    database.close()
  }
}

/** Reads the version of the tables over a new connection; rejects if the database cannot be reached. */
export async function readTableVersions(
  options: Pick<SqliteStorageOptions, 'file'> | Pick<PostgresStorageOptions, 'connectionString'>,
): Promise<TableVersions> {
  const stored = 'connectionString' in options ? await readPostgres(options.connectionString) : readSqlite(options.file)
  return { stored, supported: migrations.length }
}
