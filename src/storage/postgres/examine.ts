import pg from 'pg'
import { migrations, tablesOfVersion } from '../migrations/migrate.ts'
import type { PostgresStorageOptions } from '../sql/options.ts'
import type { Examined } from '../sqlite/examine.ts'
import { toStorageError } from './errors.ts'
import { nameDatabase } from './postgres-storage.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** Connects, compares versions and reads from every table. A database without our tables is simply new. */
export async function examinePostgres({ connectionString }: PostgresStorageOptions): Promise<Examined> {
  const place = nameDatabase(connectionString)
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    return await examineTables(client)
  } catch (error) {
    return { problems: [toStorageError(error, place).message], runs: 0 }
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function examineTables(client: pg.Client): Promise<Examined> {
  const found = await client.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()',
  )
  const names = new Set(found.rows.map(({ name }) => name))
  if (!names.has('benchmaker_migrations')) return { problems: [], runs: 0 }
  const newest = await client.query<{ version: number }>(
    'SELECT coalesce(max(version), 0)::int AS version FROM benchmaker_migrations',
  )
  const version = newest.rows[0]?.version ?? 0
  if (version > migrations.length)
    return {
      problems: [
        `its tables are version ${version}, and this program supports ${migrations.length}: update Benchmaker`,
      ],
      runs: 0,
    }
  const expected = tablesOfVersion(version)
  const missing = expected.filter((name) => !names.has(name))
  if (missing.length > 0) return { problems: [`tables are missing: ${missing.join(', ')}`], runs: 0 }
  for (const name of expected) await client.query(`SELECT * FROM ${name} LIMIT 1`)
  const counted = await client.query<{ number: number }>('SELECT count(*)::int AS number FROM runs')
  return { problems: [], runs: counted.rows[0]?.number ?? 0 }
}
