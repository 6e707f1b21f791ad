import { StorageError, type Storage, type WriteGuard } from '../../contract/index.ts'
import { createAccessStorage } from './access/access-storage.ts'
import { listArtifacts, loadArtifact } from './reading/artifact-reads.ts'
import { CellOperations } from './cell-operations.ts'
import { BudgetOperations } from './budget-operations.ts'
import type { SqlDialect } from '../migrations/data-definition.ts'
import { DocumentOperations } from './document-operations.ts'
import { listRunDescriptions, listRuns } from './reading/list-runs.ts'
import { readRatingsToken } from './reading/ratings-token.ts'
import type { Operation, Write } from './operation.ts'
import { ReadOperations } from './reading/read-operations.ts'
import type { TableReader } from './schema.ts'
import type { WriteOptions } from './write-group.ts'
import { WriteOperations } from './write-operations.ts'
import { writeStatements } from './write-statements.ts'

export interface Driver {
  dialect: SqlDialect
  /** For messages. */
  place: string
  kysely: TableReader
  now: () => number
  /** Writes in a transaction, perhaps together with other calls; may restart the operation from the beginning. */
  write: <Result>(write: Write<Result>, options?: WriteOptions) => Promise<Result>
  read: <Result>(query: () => Promise<Result>) => Promise<Result>
  changeToken: () => Promise<string | undefined>
  backupTo: (file: string) => Promise<void>
  toStorageError: (error: unknown) => Error
  /** The same connections, with a guard in the transaction of every write. */
  guardedBy?: (guard: WriteGuard) => Driver
  /** Waits for pending writes first. */
  close: () => Promise<void>
}

/** Implements the storage port on top of either database. */
export function createStorage(driver: Driver): Storage {
  const { kysely, dialect, place, now, toStorageError } = driver
  const statements = writeStatements(kysely, dialect)
  const operations = new WriteOperations(statements, kysely)
  const cells = new CellOperations(statements, now)
  const queries = new ReadOperations(kysely, dialect)
  const documents = new DocumentOperations({ db: kysely, dialect, now })
  const budgets = new BudgetOperations(kysely, now)
  let closing: Promise<void> | undefined

  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closing) throw new StorageError(`${place} is already closed: this call stored nothing. Open it again.`)
    try {
      return await work()
    } catch (error) {
      throw toStorageError(error)
    }
  }
  const write = <Result>(operation: () => Operation<Result>, options?: WriteOptions) =>
    guard(() => driver.write({ operation }, options))
  const writeCell = <Result>(check: () => Write<Result>, options?: WriteOptions) =>
    guard(async () => driver.write(check(), options))
  const read = <Result>(query: () => Promise<Result>) => guard(() => driver.read(query))

  return {
    // Requests to models wait for these two.
    createRun: (run, names) => write(() => operations.createRun(run, names), { settlesWhen: 'committed' }),
    startAttempt: (attempt) => writeCell(() => cells.startAttempt(attempt), { settlesWhen: 'committed' }),
    endAttempt: (id, end) => writeCell(() => cells.endAttempt(id, end)),
    saveAnswer: (id, end, cell, answer) => writeCell(() => cells.saveAnswer(id, end, cell, answer)),
    saveScore: (cell, score) => writeCell(() => cells.saveScore(cell, score), { deferrable: true }),
    saveError: (cell, outcome, error) => writeCell(() => cells.saveError(cell, outcome, error)),
    setRunStatus: (runId, status, end) => write(() => operations.setRunStatus(runId, status, end)),
    saveRequest: (runId, request) => write(() => operations.saveRequest(runId, request)),
    savePayers: (runId, payers) => write(() => operations.savePayers(runId, payers)),
    saveLabel: (runId, change) => write(() => operations.saveLabel(runId, change)),
    claim: (claim, options) => write(() => operations.claim(claim, options), { settlesWhen: 'committed' }),
    renewClaim: (id, token, renewedAt) =>
      write(() => operations.renewClaim(id, token, renewedAt), { settlesWhen: 'committed' }),
    releaseClaim: (id, token) => write(() => operations.releaseClaim(id, token), { settlesWhen: 'committed' }),
    drawBudget: (draw) => write(() => budgets.draw(draw), { settlesWhen: 'committed' }),
    listClaims: () => read(() => queries.listClaims()),
    reopenErrors: (runId) => write(() => operations.reopenErrors(runId)),
    saveRating: (cell, rating, by) => write(() => cells.saveRating(cell, rating, by)),
    changeRating: (cell, change) => write(() => cells.changeRating(cell, change)),
    listRatings: (runId) => read(() => queries.listRatings(runId)),
    deleteRun: (runId) => write(() => operations.deleteRun(runId)),
    loadRun: (runId, options) => read(() => queries.loadRun(runId, options)),
    loadScores: (runIds) => read(() => queries.loadScores(runIds)),
    loadCell: (cell) => read(() => queries.loadCell(cell)),
    ratingsToken: (runIds) => read(() => readRatingsToken(kysely, runIds)),
    countRatings: () => read(() => queries.countRatings()),
    searchAnswers: (runId, text) => read(() => queries.searchAnswers(runId, text)),
    loadOpenCells: (runId, testCaseIds) => read(() => queries.loadOpenCells(runId, testCaseIds)),
    loadAttempts: (runId) => read(() => queries.loadAttempts(runId)),
    findRuns: (idPrefix) => read(() => queries.findRuns(idPrefix)),
    listRuns: (selection) => read(() => listRuns(kysely, dialect, selection)),
    describeRuns: (selection) => read(() => listRunDescriptions(kysely, dialect, selection)),
    runsOfSeries: (seriesId) => read(() => queries.runsOfSeries(seriesId)),
    countRuns: (filter) => read(() => queries.countRuns(filter)),
    saveDocument: (document, options) => write(() => documents.save(document, options)),
    loadDocument: (kind, id, version) => read(() => documents.load(kind, id, version)),
    listDocuments: (kind) => read(() => documents.list(kind)),
    documentVersions: (kind, id) => read(() => documents.versions(kind, id)),
    deleteDocument: (kind, id) => write(() => documents.delete(kind, id)),
    saveArtifact: (cell, artifact) => write(() => cells.saveArtifact(cell, artifact)),
    listArtifacts: (cell) => read(() => listArtifacts(kysely, cell)),
    loadArtifact: (cell, name) => read(() => loadArtifact(kysely, cell, name)),
    access: createAccessStorage({ db: kysely, dialect, write, read }),
    now: () => now(),
    changeToken: () => guard(() => driver.changeToken()),
    backupTo: (file) => guard(() => driver.backupTo(file)),
    ...(driver.guardedBy && { guardedBy: (check) => createStorage(driver.guardedBy!(check)) }),
    close: () => {
      closing ??= driver.close().catch((error: unknown) => {
        throw toStorageError(error)
      })
      return closing
    },
  }
}
