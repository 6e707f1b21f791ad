import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Storage } from '../../contract/index.ts'
import { openPostgresStorage } from '../postgres/postgres-storage.ts'
import { openSqliteStorage } from '../sqlite/sqlite-storage.ts'
import { startPostgres, type PostgresServer } from './postgres-server.ts'

/** A new, empty database that a test may open several times. */
export interface TestedDatabase {
  open(options?: { now?: () => number; lockTimeoutMs?: number }): Promise<Storage>
  /** Queries the database directly, as a person would. */
  query(sql: string): Promise<Record<string, unknown>[]>
}

export interface TestedDriver {
  name: string
  start(): Promise<void>
  createDatabase(): Promise<TestedDatabase>
  stop(): Promise<void>
}

function sqliteDriver(): TestedDriver {
  let folder: string
  let files = 0
  return {
    name: 'SQLite',
    start: async () => {
      folder = mkdtempSync(join(tmpdir(), 'benchmaker-storage-'))
    },
    createDatabase: async () => {
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
    },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

function postgresDriver(): TestedDriver {
  let server: PostgresServer
  return {
    name: 'PostgreSQL',
    start: async () => {
      server = await startPostgres()
    },
    createDatabase: async () => {
      const connectionString = await server.createDatabase()
      return {
        open: (options) => openPostgresStorage({ connectionString, ...options }),
        query: async (sql) => {
          const client = new pg.Client({ connectionString })
          await client.connect()
          try {
            return (await client.query<Record<string, unknown>>(sql)).rows
          } finally {
            await client.end()
          }
        },
      }
    },
    stop: () => server.stop(),
  }
}

export const testedDrivers = (): TestedDriver[] => [sqliteDriver(), postgresDriver()]
