import type { Storage } from '../contract/index.ts'
import type { PostgresStorageOptions, SqliteStorageOptions } from './sql/options.ts'

export { openAnswerCache } from './answer-cache.ts'
export { makePrivateFolder } from './private-files.ts'

/** Opens the database and migrates its tables. Loads only the driver it needs. */
export async function openStorage(options: SqliteStorageOptions | PostgresStorageOptions): Promise<Storage> {
  if ('connectionString' in options) {
    const { openPostgresStorage } = await import('./postgres/postgres-storage.ts')
    return openPostgresStorage(options)
  }
  const { openSqliteStorage } = await import('./sqlite/sqlite-storage.ts')
  return openSqliteStorage(options)
}

/** Checks a file before it replaces the database: throws `StorageError` unless this program can use all of it. */
export async function checkBackup(file: string): Promise<{ runs: number; version: number }> {
  const backup = await import('./sqlite/backup.ts')
  return backup.checkBackup(file)
}

export type { PostgresStorageOptions, SqliteStorageOptions }
