import { StorageError, type Storage } from '../../contract/index.ts'
import { migrations } from '../migrations/migrate.ts'
import { createStorage } from '../sql/storage.ts'
import { SqliteConnection } from './connection.ts'
import { toStorageError } from './errors.ts'
import { hasLog } from './examine.ts'
import { openForReading } from './query-in-thread.ts'

/** Opens an existing database that cannot be written here: on a read-only disk, or another user's. */
export async function openReadOnlyStorage(file: string, cause: unknown): Promise<Storage> {
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
  if (version === migrations.length) return
  throw new StorageError(
    version > migrations.length
      ? `${place} was created by a newer Benchmaker (its tables are version ${version}, this program supports ${migrations.length}): update Benchmaker.`
      : `${place} was created by an older Benchmaker and cannot be upgraded because it is read-only here: copy its folder to a writable place and open it there.`,
  )
}
