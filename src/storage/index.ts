import type { Storage } from '../contract/index.ts'
import type { PostgresStorageOptions, SqliteStorageOptions } from './options.ts'

export { openAnswerCache } from './answer-cache.ts'

/** Opens the database and brings its tables up to date. Each driver is loaded only by those who use it. */
export async function openStorage(options: SqliteStorageOptions | PostgresStorageOptions): Promise<Storage> {
  if ('connectionString' in options) {
    const { openPostgresStorage } = await import('./postgres-storage.ts')
    return openPostgresStorage(options)
  }
  const { openSqliteStorage } = await import('./sqlite-storage.ts')
  return openSqliteStorage(options)
}

export type { PostgresStorageOptions, SqliteStorageOptions }
