import { StorageError, type Storage } from '../../contract/index.ts'
import { createAccessStorage } from './access-storage.ts'
import { listArtifacts, loadArtifact } from './artifact-reads.ts'
import type { SqlDialect } from '../migrations/data-definition.ts'
import { DocumentOperations } from './document-operations.ts'
import { listRuns } from './list-runs.ts'
import type { Operation } from './operation.ts'
import { ReadOperations } from './read-operations.ts'
import type { TableReader } from './schema.ts'
import type { WriteOptions } from '../sqlite/write-group.ts'
import { WriteOperations } from './write-operations.ts'
import { writeStatements } from './write-statements.ts'

export interface Driver {
  dialect: SqlDialect
  /** For messages. */
  place: string
  kysely: TableReader
  now: () => number
  /** Runs the operation in a transaction; may restart it from the beginning. */
  write: <Result>(operation: () => Operation<Result>, options?: WriteOptions) => Promise<Result>
  read: <Result>(query: () => Promise<Result>) => Promise<Result>
  changeToken: () => Promise<string | undefined>
  backupTo: (file: string) => Promise<void>
  toStorageError: (error: unknown) => Error
  /** Waits for pending writes first. */
  close: () => Promise<void>
}

/** Implements the storage port on top of either database. */
export function createStorage(driver: Driver): Storage {
  const { kysely, dialect, place, now, toStorageError } = driver
  const operations = new WriteOperations(writeStatements(kysely, dialect), now)
  const queries = new ReadOperations(kysely, dialect)
  const documents = new DocumentOperations({ db: kysely, dialect, now })
  let closing: Promise<void> | undefined

  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closing) throw new StorageError(`${place} is already closed: this call stored nothing. Open it again.`)
    try {
      return await work()
    } catch (error) {
      throw toStorageError(error)
    }
  }
  const write = <Result>(operation: () => Operation<Result>, options = {}) =>
    guard(() => driver.write(operation, options))
  const read = <Result>(query: () => Promise<Result>) => guard(() => driver.read(query))

  return {
    // Requests to models wait for these two.
    createRun: (run, cells) => write(() => operations.createRun(run, cells), { settlesWhen: 'committed' }),
    startAttempt: (attempt) => write(() => operations.startAttempt(attempt), { settlesWhen: 'committed' }),
    endAttempt: (id, end) => write(() => operations.endAttempt(id, end)),
    saveAnswer: (id, end, cell, answer) => write(() => operations.saveAnswer(id, end, cell, answer)),
    saveScore: (cell, score) => write(() => operations.saveScore(cell, score), { deferrable: true }),
    saveError: (cell, outcome, error) => write(() => operations.saveError(cell, outcome, error)),
    setRunStatus: (runId, status, end) => write(() => operations.setRunStatus(runId, status, end)),
    saveRequest: (runId, request) => write(() => operations.saveRequest(runId, request)),
    saveLabel: (runId, change) => write(() => operations.saveLabel(runId, change)),
    claim: (claim, options) => write(() => operations.claim(claim, options), { settlesWhen: 'committed' }),
    renewClaim: (id, token, renewedAt) =>
      write(() => operations.renewClaim(id, token, renewedAt), { settlesWhen: 'committed' }),
    releaseClaim: (id, token) => write(() => operations.releaseClaim(id, token), { settlesWhen: 'committed' }),
    listClaims: () => read(() => queries.listClaims()),
    reopenErrors: (runId) => write(() => operations.reopenErrors(runId)),
    saveRating: (cell, rating, by) => write(() => operations.saveRating(cell, rating, by)),
    listRatings: (runId) => read(() => queries.listRatings(runId)),
    deleteRun: (runId) => write(() => operations.deleteRun(runId)),
    loadRun: (runId, options) => read(() => queries.loadRun(runId, options)),
    loadCell: (cell) => read(() => queries.loadCell(cell)),
    countRatings: () => read(() => queries.countRatings()),
    searchAnswers: (runId, text) => read(() => queries.searchAnswers(runId, text)),
    loadOpenCells: (runId) => read(() => queries.loadOpenCells(runId)),
    loadAttempts: (runId) => read(() => queries.loadAttempts(runId)),
    findRuns: (idPrefix) => read(() => queries.findRuns(idPrefix)),
    listRuns: (selection) => read(() => listRuns(kysely, dialect, selection)),
    runsOfSeries: (seriesId) => read(() => queries.runsOfSeries(seriesId)),
    countRuns: (filter) => read(() => queries.countRuns(filter)),
    saveDocument: (document, options) => write(() => documents.save(document, options)),
    loadDocument: (kind, id, version) => read(() => documents.load(kind, id, version)),
    listDocuments: (kind) => read(() => documents.list(kind)),
    documentVersions: (kind, id) => read(() => documents.versions(kind, id)),
    deleteDocument: (kind, id) => write(() => documents.delete(kind, id)),
    saveArtifact: (cell, artifact) => write(() => operations.saveArtifact(cell, artifact)),
    listArtifacts: (cell) => read(() => listArtifacts(kysely, cell)),
    loadArtifact: (cell, name) => read(() => loadArtifact(kysely, cell, name)),
    access: createAccessStorage({ db: kysely, dialect, write, read }),
    changeToken: () => guard(() => driver.changeToken()),
    backupTo: (file) => guard(() => driver.backupTo(file)),
    close: () => {
      closing ??= driver.close().catch((error: unknown) => {
        throw toStorageError(error)
      })
      return closing
    },
  }
}
