import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { InputError, StorageError } from '../../contract/index.ts'
import { migrations } from '../migrations/migrate.ts'
import { makeFolder, OWNER_ONLY_FILE } from '../private-files.ts'
import type { SqliteConnection } from './connection.ts'
import { toStorageError } from './errors.ts'
import { hasLog } from './examine.ts'
import { queryInThread } from './query-in-thread.ts'

/**
 * Runs in a thread, because copying a large database takes seconds and must not block a run. Readers do not block
 * writers, so the copy is a consistent snapshot.
 */
const copyInThread = `
const { DatabaseSync } = require('node:sqlite')
const { workerData } = require('node:worker_threads')
const database = new DatabaseSync(workerData.file, { readOnly: true, timeout: 10000 })
database.prepare('VACUUM INTO ?').run(workerData.target)
database.close()`

function copyDatabase(file: string, target: string): Promise<void> {
  return new Promise((done, fail) => {
    const worker = new Worker(copyInThread, { eval: true, workerData: { file, target } })
    worker.once('error', fail)
    worker.once('exit', () => done())
  })
}

/** Writes under a temporary name first: an interrupted copy must not look like a backup. */
export async function writeBackup({
  connection,
  file,
  target,
}: {
  connection: SqliteConnection
  file: string
  target: string
}): Promise<void> {
  if (target === '') throw new InputError('The path of the backup is empty: name a file.')
  const partial = `${target}.${randomUUID()}.partial`
  try {
    reserve(target)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(target))
      throw new InputError(
        `The file ${target} already exists: choose another one for the backup. Nothing was written.`,
        {
          cause: error,
        },
      )
    throw toStorageError(error, target)
  }
  try {
    // SQLite writes into an empty file and keeps its permissions.
    closeSync(openSync(partial, 'wx', OWNER_ONLY_FILE))
    if (file === ':memory:') connection.execute({ sql: 'VACUUM INTO ?', parameters: [partial] })
    else await copyDatabase(file, partial)
    syncToDisk(partial)
    renameSync(partial, target)
    syncToDisk(dirname(target))
  } catch (error) {
    rmSync(partial, { force: true })
    rmSync(target, { force: true })
    throw toStorageError(error, target)
  }
}

function reserve(target: string): void {
  makeFolder(dirname(target))
  closeSync(openSync(target, 'wx', OWNER_ONLY_FILE))
}

function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Throws unless the file is a complete Benchmaker database that this program can use. Changes nothing; reads in a thread. */
export async function checkBackup(file: string): Promise<{ runs: number; version: number }> {
  const place = `The file ${file}`
  if (!existsSync(file) || !statSync(file).isFile())
    throw new StorageError(`${place} does not exist or is not a file: check the path of the backup.`)
  if (hasLog(file))
    throw new StorageError(
      `${place} is a database in use, and its last changes are still in ${file}-wal: close the program that uses it, or back it up first.`,
    )
  try {
    return await readBackup(file, place)
  } catch (error) {
    throw toStorageError(error, file)
  }
}

async function readBackup(file: string, place: string): Promise<{ runs: number; version: number }> {
  const query = async (sql: string) => (await queryInThread(file, { isImmutable: true }, [sql]))[0] ?? []
  const readNumber = async (sql: string) => Number((await query(sql))[0]?.['number'])
  const [problem] = await query('PRAGMA integrity_check(1)')
  if (problem?.['integrity_check'] !== 'ok')
    throw new StorageError(`${place} is damaged (${String(problem?.['integrity_check'])}): use another backup.`)
  const tables = await readNumber(
    "SELECT count(*) AS number FROM sqlite_schema WHERE type = 'table' AND name IN ('benchmaker_migrations', 'runs', 'cells')",
  )
  if (tables < 3)
    throw new StorageError(`${place} is a database of another program: choose a backup created by Benchmaker.`)
  const version = await readNumber('SELECT coalesce(max(version), 0) AS number FROM benchmaker_migrations')
  if (!(version >= 1 && version <= migrations.length))
    throw new StorageError(
      `${place} was created by a newer Benchmaker (its tables are version ${version}, this program supports ${migrations.length}): update Benchmaker first.`,
    )
  return { runs: await readNumber('SELECT count(*) AS number FROM runs'), version }
}
