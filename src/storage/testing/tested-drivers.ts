import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Storage } from '../../contract/index.ts'
import { openPostgresStorage } from '../postgres/postgres-storage.ts'
import { openSqliteStorage } from '../sqlite/sqlite-storage.ts'
import { startPostgres, type PostgresServer } from './postgres-server.ts'

/** An empty database that a test may open several times. */
export interface TestedDatabase {
  open(options?: { now?: () => number; lockTimeoutMs?: number }): Promise<Storage>
  /** Queries the database directly, as a person would. */
  query(sql: string): Promise<Record<string, unknown>[]>
}

export interface TestedDriver {
  name: string
  start(): Promise<void>
  /** Valid until the next call: PostgreSQL empties one database again and again, because creating one takes 0.3 s. */
  createDatabase(): Promise<TestedDatabase>
  /** Nothing has opened it yet, so it has no tables. */
  createNewDatabase(): Promise<TestedDatabase>
  stop(): Promise<void>
}

function sqliteDriver(): TestedDriver {
  let folder: string
  let files = 0
  const createDatabase = async (): Promise<TestedDatabase> => {
    const file = join(folder, `${++files}.db`)
    return {
      open: (options) => openSqliteStorage({ file, ...options }),
      query: async (sql) => {
        const database = new DatabaseSync(file)
        try {
          return database
            .prepare(sql)
            .all()
            .map((row) => ({ ...row }))
        } finally {
          database.close()
        }
      },
    }
  }
  return {
    name: 'SQLite',
    start: async () => {
      folder = mkdtempSync(join(tmpdir(), 'benchmaker-storage-'))
    },
    createDatabase,
    createNewDatabase: createDatabase,
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

function postgresDriver(): TestedDriver {
  let server: PostgresServer
  let emptied: TestedDatabase | undefined
  const createNewDatabase = async (): Promise<TestedDatabase> => {
    const connectionString = await server.createDatabase()
    return {
      open: (options) => openPostgresStorage({ connectionString, ...options }),
      query: (sql) => queryOnce(connectionString, sql),
    }
  }
  return {
    name: 'PostgreSQL',
    start: async () => {
      server = await startPostgres()
    },
    createDatabase: async () => {
      if (emptied) await emptied.query(deleteEverything)
      else {
        emptied = await createNewDatabase()
        await (await emptied.open()).close()
      }
      return emptied
    },
    createNewDatabase,
    stop: () => server.stop(),
  }
}

/** For a few rows, DELETE is nine times as fast as TRUNCATE. Numbers start at 1 again, as in a new database. */
const deleteEverything = `DO $$
DECLARE name text;
BEGIN
  IF EXISTS (SELECT FROM cells OFFSET 1000) THEN TRUNCATE runs CASCADE; END IF;
  FOR name IN SELECT tablename FROM pg_tables
    WHERE schemaname = current_schema() AND tablename <> 'benchmaker_migrations'
    ORDER BY tablename <> 'runs', tablename IN ('suites', 'accounts')
  LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
  FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = current_schema()
  LOOP EXECUTE format('ALTER SEQUENCE %I RESTART', name); END LOOP;
END $$`

async function queryOnce(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

export const testedDrivers = (): TestedDriver[] => [sqliteDriver(), postgresDriver()]
