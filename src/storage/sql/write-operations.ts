import { createHash } from 'node:crypto'
import {
  InputError,
  makeLabel,
  type CellKey,
  type Claim,
  type LabelChange,
  type RunHeader,
  type RunLabel,
  type RunRequest,
  type RunStatus,
  type StopReason,
} from '../../contract/index.ts'
import { foldSpending } from './access/spending.ts'
import { checkId, checkTime, nameCell, quoteId } from './check-arguments.ts'
import { jsonColumn, readJson, readOptionalText, textColumn, labelColumns, readLabel, runWords } from './columns.ts'
import { readClaim } from './reading/read-rows.ts'
import { refuseRun } from './cell-operations.ts'
import { changesOf, rowsOf, type Operation } from './operation.ts'
import type { TableReader } from './schema.ts'
import { decodeText, encodeText } from './text-codec.ts'
import type { WriteStatements } from './write-statements.ts'

const CELLS_PER_STATEMENT = 10_000

type Payers = Pick<RunRequest, 'startedBy' | 'project'>

const payerColumns = ({ startedBy, project }: Payers = {}) => ({
  started_by: textColumn(startedBy?.id),
  project: textColumn(project),
})

/** The methods of the storage port that write runs and claims, as operations on the tables. */
export class WriteOperations {
  readonly #statements: WriteStatements
  readonly #db: TableReader

  constructor(statements: WriteStatements, db: TableReader) {
    this.#statements = statements
    this.#db = db
  }

  *createRun(run: RunHeader, cells: Omit<CellKey, 'runId'>[]): Operation<void> {
    const id = checkId(run.id, 'id of the run')
    if (id === 'latest') throw new InputError('A run cannot have the id "latest": that word means the newest run.')
    checkTime(run.startedAt, 'The start of the run')
    const pairs = checkCells(run, cells)
    const content = jsonColumn(run.testSuiteSnapshot)
    const hash = content === null ? null : createHash('sha256').update(content).digest('hex')
    if (content !== null && hash !== null)
      yield* changesOf(this.#statements.insertSuite({ hash, name: textColumn(run.testSuiteSnapshot?.name), content }))
    const seriesId = run.seriesId === undefined ? null : checkId(run.seriesId, 'id of the series')
    const [inserted] = yield* rowsOf(
      this.#statements.insertRun({
        id,
        kind: run.kind,
        series_id: seriesId,
        ...(yield* this.#labelOfNew(run, seriesId)),
        run_words: runWords(run),
        suite: hash,
        suite_id: textColumn(run.testSuiteId),
        suite_name: textColumn(run.testSuiteName),
        models: JSON.stringify(run.models),
        parameters: jsonColumn(run.parameters),
        judge_model: textColumn(run.judgeModel),
        versions: jsonColumn(run.versions),
        request: jsonColumn(run.request),
        ...payerColumns(run.request),
        status: 'running',
        started_at: run.startedAt,
      }),
    )
    if (!inserted)
      throw new InputError(`Run ${quoteId(run.id)} already exists: choose another id, or delete that run first.`)
    for (let first = 0; first < pairs.length; first += CELLS_PER_STATEMENT)
      yield* changesOf(this.#statements.insertCells(inserted.number, pairs.slice(first, first + CELLS_PER_STATEMENT)))
  }

  *setRunStatus(
    runId: string,
    status: RunStatus,
    { completedAt, stopReason }: { completedAt?: number; stopReason?: StopReason } = {},
  ): Operation<void> {
    checkTime(completedAt, 'The end of the run')
    const columns = { status, completed_at: completedAt ?? null, stop_reason: stopReason ?? null }
    const changes = yield* changesOf(this.#statements.setRunStatus(encodeText(runId), columns))
    if (changes === 0) refuseRun(runId)
    if (status !== 'running') yield* foldSpending(this.#db, encodeText(runId))
  }

  *saveRequest(runId: string, request: RunRequest): Operation<void> {
    const columns = { request: JSON.stringify(request), ...payerColumns(request) }
    const saved = yield* rowsOf(this.#statements.saveRequest(encodeText(runId), columns))
    if (saved.length === 0) refuseRun(runId)
    for (const row of saved) {
      const words = runWords({
        id: decodeText(row.id),
        seriesId: readOptionalText(row.series_id),
        testSuiteId: readOptionalText(row.suite_id),
        testSuiteName: readOptionalText(row.suite_name),
        models: readJson(row.models, `The column models of run ${quoteId(runId)}`),
        request,
      })
      if (words !== row.run_words) yield* changesOf(this.#statements.saveWords(row.number, words))
    }
  }

  *savePayers(runId: string, payers: Payers): Operation<void> {
    const changes = yield* changesOf(this.#statements.savePayers(encodeText(runId), payerColumns(payers)))
    if (changes === 0) refuseRun(runId)
  }

  *saveLabel(runId: string, change: LabelChange): Operation<RunLabel | undefined> {
    const id = encodeText(runId)
    const [found] = yield* rowsOf(this.#statements.readSeries(id))
    if (!found) return refuseRun(runId)
    const { series_id: seriesId } = found
    yield* this.#lockLabel(seriesId ?? id)
    const [row] = yield* rowsOf(this.#statements.readLabel(id))
    if (!row) return refuseRun(runId)
    const label = makeLabel({ ...readLabel(row, `of run ${quoteId(runId)}`), ...change })
    yield* changesOf(this.#statements.saveLabel({ id, seriesId }, labelColumns(label)))
    return label
  }

  /** All runs of a series have the same label. */
  *#labelOfNew({ label }: RunHeader, seriesId: string | null): Operation<ReturnType<typeof labelColumns>> {
    if (seriesId === null) return labelColumns(label)
    yield* this.#lockLabel(seriesId)
    const [others] = yield* rowsOf(this.#statements.readLabelOfSeries(seriesId))
    return others ?? labelColumns(label)
  }

  *#lockLabel(seriesOrRun: string): Operation<void> {
    for (const statement of this.#statements.lockLabel(seriesOrRun)) yield statement.compile()
  }

  *claim(
    { id, host, pid, token, since, renewedAt }: Claim,
    { replace = '' }: { replace?: string } = {},
  ): Operation<Claim | undefined> {
    const stored = checkId(id, 'id of the claim')
    const row = { id: stored, host: encodeText(host), pid, token, since, renewed_at: renewedAt, waiting: null }
    const saved = yield* rowsOf(this.#statements.saveClaim(row, replace))
    if (saved.length > 0) return undefined
    const [holder] = yield* rowsOf(this.#statements.readClaim(stored))
    // Released in the meantime: the caller may replace the empty token.
    return holder ? readClaim(holder) : { id, host, pid, token: '', since, renewedAt: 0 }
  }

  *renewClaim(id: string, token: string, renewedAt: number): Operation<boolean> {
    return (yield* changesOf(this.#statements.renewClaim(encodeText(id), token, renewedAt))) > 0
  }

  *releaseClaim(id: string, token: string): Operation<void> {
    yield* changesOf(this.#statements.releaseClaim(encodeText(id), token))
  }

  *reopenErrors(runId: string): Operation<number> {
    const [run] = yield* rowsOf(this.#statements.findRun(encodeText(runId)))
    return run ? yield* changesOf(this.#statements.reopenErrors(run.number)) : refuseRun(runId)
  }

  *deleteRun(runId: string): Operation<boolean> {
    const [deleted] = yield* rowsOf(this.#statements.deleteRun(encodeText(runId)))
    if (deleted) yield* foldSpending(this.#db, encodeText(runId))
    if (deleted && deleted.suite !== null) yield* changesOf(this.#statements.deleteUnusedSuite(deleted.suite))
    return deleted !== undefined
  }
}

function checkCells(run: RunHeader, cells: Omit<CellKey, 'runId'>[]): [caseId: string, modelId: string][] {
  const modelsOfCase = new Map<string, Set<string>>()
  return cells.map(({ testCaseId, modelId }) => {
    const models = modelsOfCase.get(testCaseId) ?? new Set()
    if (models.has(modelId))
      throw new InputError(`${nameCell({ runId: run.id, testCaseId, modelId })} is listed twice: list each cell once.`)
    modelsOfCase.set(testCaseId, models.add(modelId))
    return [checkId(testCaseId, 'id of the test case'), checkId(modelId, 'id of the model')]
  })
}
