import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import { InputError, StorageError } from '../../contract/index.ts'
import type { SqlDialect } from '../migrations/migration.ts'
import { toStorageError as explainPostgres } from '../postgres/errors.ts'
import { nameDatabase } from '../postgres/postgres-storage.ts'
import { toStorageError as explainSqlite } from '../sqlite/errors.ts'
import type { DatabaseLocation } from '../sql/options.ts'
import { openForReading } from '../sqlite/query-in-thread.ts'

export type RawRow = Record<string, unknown>

/** Either database, row by row as it is stored: 64-bit integers are `bigint`. */
export interface RawDatabase {
  dialect: SqlDialect
  /** For messages; without the password. */
  place: string
  /** Each `?` stands for a parameter. */
  query(sql: string, parameters?: readonly unknown[]): Promise<RawRow[]>
  transact<Result>(work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

const describeLocation = (location: DatabaseLocation): string =>
  'file' in location ? `The database ${location.file}` : nameDatabase(location.connectionString)

const BIGINT_TYPE = 20
const LOCK_TIMEOUT_MS = 30_000

/** Reads one state of the database, whatever others write meanwhile, and changes nothing. */
export async function openSource(location: DatabaseLocation): Promise<RawDatabase> {
  if ('file' in location) {
    if (!existsSync(location.file)) throw new InputError(`there is no database ${location.file}: correct the path`)
    const database = openSqliteSource(location.file)
    database.exec('BEGIN')
    return wrapSqlite(database, location)
  }
  const raw = await connectPostgres(location.connectionString)
  await raw.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  return raw
}

function openSqliteSource(file: string): DatabaseSync {
  try {
    return openForReading(file, { isImmutable: false })
  } catch (error) {
    throw explainSqlite(error, file)
  }
}

/** The tables must be there already. */
export async function openTarget(location: DatabaseLocation): Promise<RawDatabase> {
  if (!('file' in location)) return connectPostgres(location.connectionString)
  const database = new DatabaseSync(location.file, { timeout: LOCK_TIMEOUT_MS })
  database.exec('PRAGMA foreign_keys = ON')
  return wrapSqlite(database, location)
}

function wrapSqlite(database: DatabaseSync, location: { file: string }): RawDatabase {
  const query = async (sql: string, parameters: readonly unknown[] = []) => {
    try {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      return statement.all(...parameters.map(toSqlite)).map((row) => ({ ...row }))
    } catch (error) {
      throw explainSqlite(error, location.file)
    }
  }
  return {
    dialect: 'sqlite',
    place: describeLocation(location),
    query,
    transact: (work) => transactOn(query, 'BEGIN IMMEDIATE', work),
    close: async () => database.close(),
  }
}

function toSqlite(value: unknown): SQLInputValue {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Uint8Array
  )
    return value
  throw new StorageError(`A ${typeof value} cannot be stored in SQLite.`)
}

async function connectPostgres(connectionString: string): Promise<RawDatabase> {
  const place = nameDatabase(connectionString)
  const client = new pg.Client({
    connectionString,
    application_name: 'benchmaker import',
    connectionTimeoutMillis: 10_000,
    lock_timeout: LOCK_TIMEOUT_MS,
    types: { getTypeParser: (type, format) => (type === BIGINT_TYPE ? BigInt : pg.types.getTypeParser(type, format)) },
  })
  client.on('error', () => {})
  const query = async (sql: string, parameters: readonly unknown[] = []) => {
    let count = 0
    const text = parameters.length === 0 ? sql : sql.replaceAll('?', () => `$${++count}`)
    try {
      return (await client.query<RawRow>(text, [...parameters])).rows
    } catch (error) {
      throw explainPostgres(error, place)
    }
  }
  try {
    await client.connect()
  } catch (error) {
    throw explainPostgres(error, place)
  }
  return {
    dialect: 'postgres',
    place,
    query,
    transact: (work) => transactOn(query, 'BEGIN', work),
    close: () => client.end(),
  }
}

async function transactOn<Result>(
  query: RawDatabase['query'],
  begin: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await query(begin)
  try {
    const result = await work()
    await query('COMMIT')
    return result
  } catch (error) {
    await query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
