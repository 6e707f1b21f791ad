import type { LimitStore, Storage, TableVersions, WorkQueue } from '../contract/index.ts'
import type { MovedDatabase, MoveOptions } from './moving/move-database.ts'
import type { Examined } from './sqlite/examine.ts'
import type { WorkQueueOptions } from './queue/open-queue.ts'
import type { DatabaseLocation, PostgresStorageOptions, SqliteStorageOptions } from './sql/options.ts'

export { openAnswerCache } from './answer-cache.ts'
export { DatabaseInUse } from './sqlite/replace-file.ts'
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

/** Opens the limits that all processes with this database share. The storage must have been opened before. */
export async function openSharedLimits(
  options: Pick<PostgresStorageOptions, 'connectionString' | 'reconnectMs'>,
): Promise<LimitStore> {
  const { openLimitStore } = await import('./postgres/limit-store.ts')
  return openLimitStore(options)
}

/** Opens the queue that servers and workers share, in the database of the runs. */
export async function openWorkQueue(options: WorkQueueOptions): Promise<WorkQueue> {
  const queue = await import('./queue/open-queue.ts')
  return queue.openWorkQueue(options)
}

/** What is wrong with the stored data, one line each, and how many runs there are. Creates and changes nothing. */
export async function examineStorage(
  options: Pick<SqliteStorageOptions, 'file'> | PostgresStorageOptions,
): Promise<Examined> {
  if ('connectionString' in options) {
    const { examinePostgres } = await import('./postgres/examine.ts')
    return examinePostgres(options)
  }
  const { examineFile } = await import('./sqlite/examine.ts')
  return examineFile(options.file)
}

/** The versions of the tables, read over a new connection; rejects if the database cannot be reached. */
export async function readTableVersions(
  options: Pick<SqliteStorageOptions, 'file'> | Pick<PostgresStorageOptions, 'connectionString'>,
): Promise<TableVersions> {
  const versions = await import('./table-versions.ts')
  return versions.readTableVersions(options)
}

/** Throws `StorageError` if the file is damaged, so that no part of it is shown as if it were everything. */
export async function refuseDamaged(file: string): Promise<void> {
  const examine = await import('./sqlite/examine.ts')
  return examine.refuseDamaged(file)
}

/** Puts a checked file in the place of a closed database; throws `DatabaseInUse` if another process has it open. */
export async function replaceDatabaseFile(database: string, file: string): Promise<void> {
  const { replaceFile } = await import('./sqlite/replace-file.ts')
  return replaceFile(database, file)
}

/** Checks a file before it replaces the database: throws `StorageError` unless this program can use all of it. */
export async function checkBackup(file: string): Promise<{ runs: number; version: number }> {
  const backup = await import('./sqlite/backup.ts')
  return backup.checkBackup(file)
}

/** Copies everything into another database. Loads both drivers. */
export async function moveDatabase(options: MoveOptions): Promise<MovedDatabase> {
  const moving = await import('./moving/move-database.ts')
  return moving.moveDatabase(options)
}

export type { DatabaseLocation, MovedDatabase }
export type { PostgresStorageOptions, SqliteStorageOptions }
