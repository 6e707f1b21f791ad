import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { InputError, StorageError, type Storage } from '../../contract/index.ts'
import { migrate, migrations as allMigrations } from '../migrations/migrate.ts'
import type { Migration } from '../migrations/migration.ts'
import { runSync } from '../sql/operation.ts'
import type { SqliteStorageOptions } from '../sql/options.ts'
import { writeBackup } from './backup.ts'
import { configure, openFile, SqliteConnection } from './connection.ts'
import { isLocked, isReadOnly, toStorageError } from './errors.ts'
import type { Note } from '../private-files.ts'
import { createStorage } from '../sql/storage.ts'
import { WriteGroup } from '../sql/write-group.ts'
import { hasLog } from './examine.ts'
import { openForReading } from './query-in-thread.ts'

/** Opens an existing database that cannot be written here: on a read-only disk, or another user's. */
async function openReadOnlyStorage(file: string, cause: unknown): Promise<Storage> {
  const place = `The database ${file}`
  const connection = new SqliteConnection(openReadable(file, place, cause), 10_000)
  try {
    checkVersion(connection, place)
  } catch (error) {
    await connection.close()
    throw toStorageError(error, file)
  }
  const refuse = async (): Promise<never> => {
    throw new StorageError(`${place} is read-only here, so nothing can be stored: use another data folder.`, { cause })
  }
  return createStorage({
    dialect: 'sqlite',
    place,
    kysely: connection.kysely,
    now: Date.now,
    write: refuse,
    read: (query) => connection.whenUnlocked(query),
    changeToken: async () => connection.changeToken(),
    backupTo: refuse,
    toStorageError: (error) => toStorageError(error, file),
    close: () => connection.close(),
  })
}

function openReadable(file: string, place: string, cause: unknown) {
  try {
    return openForReading(file, { isImmutable: false })
  } catch (error) {
    if (hasLog(file))
      throw new StorageError(
        `${place} is read-only here, and its last changes are still in ${file}-wal: copy its folder to a writable place and open it there.`,
        { cause: error },
      )
  }
  try {
    return openForReading(file, { isImmutable: true })
  } catch {
    throw toStorageError(cause, file)
  }
}

function checkVersion(connection: SqliteConnection, place: string): void {
  const sql = 'SELECT coalesce(max(version), 0) AS version FROM benchmaker_migrations'
  const version = Number(connection.execute({ sql, parameters: [] }).rows[0]?.['version'])
  if (version === allMigrations.length) return
  throw new StorageError(
    version > allMigrations.length
      ? `${place} was created by a newer Benchmaker (its tables are version ${version}, this program supports ${allMigrations.length}): update Benchmaker.`
      : `${place} was created by an older Benchmaker and cannot be upgraded because it is read-only here: copy its folder to a writable place and open it there.`,
  )
}

export async function openSqliteStorage(options: SqliteStorageOptions): Promise<Storage> {
  // SQLite treats an empty path as a temporary database that is deleted on close.
  if (options.file === '') throw new InputError('The path of the database is empty: specify a file.')
  const { file, note, isReadOnlyAllowed = false } = options
  try {
    return await openCurrent(options, note)
  } catch (error) {
    const cause = error instanceof StorageError ? error.cause : error
    if (isReadOnlyAllowed && isReadOnly(cause) && existsSync(file)) return openReadOnlyStorage(file, cause)
    throw toStorageError(error, file)
  }
}

/** A restore may replace the file while this waits for its lock: then it is opened again. */
async function openCurrent(options: SqliteStorageOptions, note: Note | undefined): Promise<Storage> {
  const { file } = options
  const identify = () => (file === ':memory:' ? undefined : statSync(file).ino)
  for (;;) {
    const database = openFile(file, note)
    const opened = identify()
    const storage = await createSqliteStorage(database, options)
    if (identify() === opened) return storage
    await storage.close()
  }
}

/** Uses an open connection; tests limit or lock it first, or pass other migrations. */
export async function createSqliteStorage(
  database: DatabaseSync,
  {
    file,
    now = Date.now,
    lockTimeoutMs = 10_000,
    migrations = allMigrations,
  }: SqliteStorageOptions & { migrations?: Migration[] },
): Promise<Storage> {
  const connection = new SqliteConnection(database, lockTimeoutMs)
  const execute = connection.execute.bind(connection)
  const place = `The database ${file}`
  try {
    await configure(connection, file)
    await connection.transact(() => runSync(migrate({ dialect: 'sqlite', place, now, migrations }), execute))
  } catch (error) {
    database.close()
    throw toStorageError(error, file)
  }
  const writes = new WriteGroup({
    perform: (calls) => connection.transact(() => calls.map(({ operation }) => runSync(operation(), execute))),
    makeDurable: () => connection.makeDurable(),
    affectsAll: isLocked,
  })
  return createStorage({
    dialect: 'sqlite',
    place,
    kysely: connection.kysely,
    now,
    write: (write, options) => writes.add(write, options),
    read: (query) => connection.whenUnlocked(query),
    changeToken: () => connection.whenUnlocked(() => connection.changeToken()),
    backupTo: (target) => writeBackup({ connection, file, target }),
    toStorageError: (error) => toStorageError(error, file),
    close: async () => {
      await writes.drain()
      await connection.close()
    },
  })
}
