import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

export type Row = Record<string, unknown>

/** Reading all of a large file takes seconds, in which a server must answer and a run must go on. */
const queryAll = `
const { DatabaseSync } = require('node:sqlite')
const { parentPort, workerData } = require('node:worker_threads')
const { address, statements } = workerData
const database = new DatabaseSync(new URL(address), { readOnly: true, timeout: 10000 })
parentPort.postMessage(statements.map((sql) => database.prepare(sql).all().map((row) => ({ ...row }))))
database.close()`

/** `immutable` creates no lock or log file, even on a read-only disk, but does not see what is only in the log. */
function databaseAddress(file: string, { isImmutable }: { isImmutable: boolean }): URL {
  const url = pathToFileURL(resolve(file))
  if (isImmutable) url.searchParams.set('immutable', '1')
  return url
}

/** The rows of each statement. The file is not changed. */
export function queryInThread(
  file: string,
  options: { isImmutable: boolean },
  statements: readonly string[],
): Promise<Row[][]> {
  return new Promise((done, fail) => {
    const workerData = { address: databaseAddress(file, options).href, statements }
    const worker = new Worker(queryAll, { eval: true, workerData })
    worker.once('message', done)
    worker.once('error', fail)
    worker.once('exit', () => fail(new Error('the thread ended without a result')))
  })
}

/** Opens the file for reading only: through its log if possible, else as a file that nobody changes. */
export function openForReading(file: string, { isImmutable }: { isImmutable: boolean }): DatabaseSync {
  const database = new DatabaseSync(databaseAddress(file, { isImmutable }), { readOnly: true })
  try {
    // Opens the log, or fails.
    database.prepare('SELECT count(*) FROM sqlite_schema').all()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
