import { constants, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { copyFile, link, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { isLocked } from './errors.ts'
import { StorageError } from '../../contract/index.ts'

/** Another program has the database open: nothing was changed. */
export class DatabaseInUse extends StorageError {
  override name = 'DatabaseInUse'

  constructor(file: string, processes: readonly number[], options?: ErrorOptions) {
    const who =
      processes.length === 0
        ? 'another program'
        : `another program (${processes.map((pid) => `process ${pid}`).join(', ')})`
    super(
      `The database ${file} is in use by ${who}: end it or wait for it, and try again. Nothing was changed.`,
      options,
    )
  }
}

/**
 * Puts another file in the place of a database that this process has closed, and keeps the old one next to it. Refused
 * while another process has it open: it would go on writing to a file that has no name any more, and its log would be
 * lost. A database exists under the name at all times.
 */
export async function replaceFile(database: string, file: string): Promise<void> {
  const users = findUsers(database)
  if (users.length > 0) throw new DatabaseInUse(database, users)
  const lock = lockAlone(database)
  try {
    const before = `${database}.before-restore`
    await rm(before, { force: true })
    await link(database, before).catch(() => copyFile(database, before, constants.COPYFILE_EXCL))
    for (const log of [`${database}-wal`, `${database}-shm`]) await rm(log, { force: true })
    await rename(file, database)
  } finally {
    lock?.close()
  }
}

/** Moves the log into the file and locks it. Undefined for a file so damaged that nothing can lock it. */
function lockAlone(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    // Fails as long as another connection is open.
    database.exec('PRAGMA journal_mode = DELETE')
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    if (isLocked(error)) throw new DatabaseInUse(file, findUsers(file), { cause: error })
    return undefined
  }
}

/** The other processes of this user that have the file open; only Linux tells. */
function findUsers(file: string): number[] {
  const path = realpathSync(file)
  return listProcesses().filter((pid) => pid !== process.pid && listOpenFiles(pid).includes(path))
}

function listProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function listOpenFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).map((name) => readlink(`${folder}/${name}`))
  } catch {
    // It has ended, or belongs to another user.
    return []
  }
}

function readlink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
