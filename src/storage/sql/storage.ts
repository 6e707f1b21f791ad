import {
  StorageError,
  type Storage,
  type WriteGuard,
  InputError,
  VersionConflict,
  type DocumentKind,
  type StoredDocument,
} from '../../contract/index.ts'
import { createAccessStorage } from './access/access-storage.ts'
import { listArtifacts, loadArtifact } from './reading/artifact-reads.ts'
import { CellOperations } from './cell-operations.ts'
import { BudgetOperations } from './budget-operations.ts'
import type { SqlDialect } from '../migrations/migration.ts'
import { listRunDescriptions, listRuns } from './reading/list-runs.ts'
import { readRatingsToken } from './reading/list-runs.ts'
import { type Operation, type Write, changesOf, rowsOf, type Statement } from './operation.ts'
import { ReadOperations } from './reading/read-operations.ts'
import type { TableReader } from './schema.ts'
import type { WriteOptions } from './write-group.ts'
import { WriteOperations } from './write-operations.ts'
import { writeStatements } from './write-statements.ts'
import { checkId, quoteId } from './check-arguments.ts'
import { readJson } from './columns.ts'
import { decodeText, encodeText } from './text-codec.ts'

type Names = { kind: string; id: string }

/** Writers of the same document wait for each other here; SQLite allows one writer at a time anyway. */
const lockStatements: Record<SqlDialect, (names: Names) => Statement[]> = {
  sqlite: () => [],
  postgres: ({ kind, id }) => [
    { sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', parameters: [JSON.stringify([kind, id])] },
  ],
}

/** Versioned documents, stored alongside runs. A version never changes. */
class DocumentOperations {
  readonly #db: TableReader
  readonly #dialect: SqlDialect
  readonly #now: () => number

  constructor({ db, dialect, now }: { db: TableReader; dialect: SqlDialect; now: () => number }) {
    this.#db = db
    this.#dialect = dialect
    this.#now = now
  }

  *save(
    document: { kind: DocumentKind; id: string; content: unknown },
    { after }: { after?: number } = {},
  ): Operation<StoredDocument> {
    const { kind, id } = document
    const names = { kind: checkId(kind, 'kind of the document'), id: checkId(id, 'id of the document') }
    if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0))
      throw new InputError(
        `${after} is not a version of ${describeDocument(document)}: versions start at 1, and 0 means a new document.`,
      )
    const content = toJson(document)
    yield* this.#lock(names)
    const [newest] = yield* rowsOf(
      this.#db
        .selectFrom('documents')
        .where('kind', '=', names.kind)
        .where('id', '=', names.id)
        .select((eb) => eb.fn.max('version').as('version')),
    )
    const current = newest?.version ?? 0
    if (after !== undefined && after !== current) throw conflictOf(document, after, current)
    const version = current + 1
    const savedAt = this.#now()
    yield* changesOf(this.#db.insertInto('documents').values({ ...names, version, saved_at: savedAt, content }))
    return { kind, id, version, savedAt, content: JSON.parse(content) }
  }

  *delete(kind: DocumentKind, id: string): Operation<boolean> {
    const names = { kind: encodeText(kind), id: encodeText(id) }
    yield* this.#lock(names)
    const changes = yield* changesOf(
      this.#db.deleteFrom('documents').where('kind', '=', names.kind).where('id', '=', names.id),
    )
    return changes > 0
  }

  async load(kind: DocumentKind, id: string, version?: number): Promise<StoredDocument | undefined> {
    if (version !== undefined && !Number.isSafeInteger(version)) return undefined
    let query = this.#db.selectFrom('documents').where('kind', '=', encodeText(kind)).where('id', '=', encodeText(id))
    if (version !== undefined) query = query.where('version', '=', version)
    const row = await query
      .select(['id', 'version', 'saved_at', 'content'])
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && readDocument(kind, row)
  }

  async list(kind: DocumentKind): Promise<StoredDocument[]> {
    const rows = await this.#db
      .selectFrom('documents')
      .where('kind', '=', encodeText(kind))
      .where('version', '=', (eb) =>
        eb
          .selectFrom('documents as other')
          .whereRef('other.kind', '=', 'documents.kind')
          .whereRef('other.id', '=', 'documents.id')
          .select((inner) => inner.fn.max('other.version').as('newest')),
      )
      .select(['id', 'version', 'saved_at', 'content'])
      .orderBy('saved_at', 'desc')
      .orderBy('number', 'desc')
      .execute()
    return rows.map((row) => readDocument(kind, row))
  }

  async versions(kind: DocumentKind, id: string): Promise<Omit<StoredDocument, 'content'>[]> {
    const rows = await this.#db
      .selectFrom('documents')
      .where('kind', '=', encodeText(kind))
      .where('id', '=', encodeText(id))
      .select(['version', 'saved_at'])
      .orderBy('version', 'desc')
      .execute()
    return rows.map((row) => ({ kind, id, version: row.version, savedAt: row.saved_at }))
  }

  *#lock(names: Names): Operation<void> {
    for (const statement of lockStatements[this.#dialect](names)) yield statement
  }
}

const describeDocument = ({ kind, id }: { kind: string; id: string }) => `the ${kind.slice(0, 80)} ${quoteId(id)}`

function conflictOf(document: Names, after: number, current: number): VersionConflict {
  const actual = current === 0 ? 'it does not exist (any more)' : `it is now at version ${current}`
  const expected = after === 0 ? 'a new document' : `version ${after}`
  return new VersionConflict(
    `Saving ${describeDocument(document)} expected ${expected}, but ${actual}: reload it and repeat the change. Nothing was written.`,
    current,
  )
}

function toJson(document: Names & { content: unknown }): string {
  const refuse = (reason: string, cause?: unknown): never => {
    throw new InputError(
      `The content of ${describeDocument(document)} is not plain JSON (${reason}): use only strings, numbers, lists and objects.`,
      { cause },
    )
  }
  let json: string | undefined
  try {
    json = JSON.stringify(document.content)
  } catch (cause) {
    return refuse(cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause), cause)
  }
  return json ?? refuse(`it is ${typeof document.content}`)
}

function readDocument(
  kind: DocumentKind,
  row: { id: string; version: number; saved_at: number; content: string },
): StoredDocument {
  const id = decodeText(row.id)
  const content = readJson<unknown>(row.content, `Version ${row.version} of ${describeDocument({ kind, id })}`)
  return { kind, id, version: row.version, savedAt: row.saved_at, content }
}

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
    saveTurn: (id, end, cell, said) => writeCell(() => cells.saveTurn(id, end, cell, said)),
    // Nothing is sent before the request that follows, whose attempt is written after these.
    appendEvents: (cell, events) => writeCell(() => cells.appendEvents(cell, events), { settlesWhen: 'committed' }),
    saveConversation: (cell, answer, end) => writeCell(() => cells.saveConversation(cell, answer, end)),
    loadEvents: (cell) => read(() => queries.loadEvents(cell)),
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
