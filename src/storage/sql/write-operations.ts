import { createHash } from 'node:crypto'
import {
  InputError,
  makeLabel,
  type Artifact,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type CellKey,
  type Claim,
  type HumanRating,
  type Rater,
  type LabelChange,
  type ModelAnswer,
  type Outcome,
  type RunHeader,
  type RunLabel,
  type RunRequest,
  type RunStatus,
  type ScoringResult,
  type StopReason,
  type Unscored,
} from '../../contract/index.ts'
import {
  checkAnswer,
  checkAttemptEnd,
  checkId,
  checkRating,
  checkScore,
  checkTime,
  describeCell,
  quoteId,
} from './check-arguments.ts'
import { endColumns, jsonColumn, moneyColumn, textColumn } from './columns.ts'
import { labelColumns, readLabel, runWords } from './label-columns.ts'
import { readClaim } from './read-rows.ts'
import { gradesColumn } from './grades-column.ts'
import { changesOf, rowsOf, type Operation } from './operation.ts'
import { encodeText } from './text-codec.ts'
import type { CellNames, WriteStatements } from './write-statements.ts'

const CELLS_PER_STATEMENT = 10_000

/** The writing methods of the storage port, as operations on the tables. */
export class WriteOperations {
  readonly #statements: WriteStatements
  readonly #now: () => number

  constructor(statements: WriteStatements, now: () => number) {
    this.#statements = statements
    this.#now = now
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
        started_by: textColumn(run.request?.startedBy?.id),
        project: textColumn(run.request?.project),
        status: 'running',
        started_at: run.startedAt,
      }),
    )
    if (!inserted)
      throw new InputError(`Run ${quoteId(run.id)} already exists: choose another id, or delete that run first.`)
    for (let first = 0; first < pairs.length; first += CELLS_PER_STATEMENT)
      yield* changesOf(this.#statements.insertCells(inserted.number, pairs.slice(first, first + CELLS_PER_STATEMENT)))
  }

  *startAttempt(attempt: AttemptStart): Operation<AttemptId> {
    checkTime(attempt.startedAt, 'The start of the attempt')
    const [inserted] = yield* rowsOf(
      this.#statements.insertAttempt(namesOf(attempt), {
        purpose: attempt.purpose,
        asked_model: encodeText(attempt.askedModel),
        started_at: attempt.startedAt,
      }),
    )
    return inserted ? inserted.id : yield* this.#refuseCell(attempt, 'asked')
  }

  *endAttempt(id: AttemptId, end: AttemptEnd): Operation<void> {
    checkAttemptEnd(end)
    const changes = yield* changesOf(this.#statements.endAttempt(checkAttemptId(id), endColumns(end)))
    if (changes === 0) yield* this.#refuseAttempt(id)
  }

  *saveAnswer(id: AttemptId, end: AttemptEnd, cell: CellKey, answer: ModelAnswer): Operation<void> {
    checkAttemptEnd(end)
    checkAnswer(answer)
    const [ended] = yield* rowsOf(this.#statements.endAttemptOfCell(checkAttemptId(id), endColumns(end), namesOf(cell)))
    if (!ended) {
      yield* this.#findCell(cell)
      return yield* this.#refuseAttempt(id, cell)
    }
    const markAnswered = this.#statements.markAnswered(ended.cell, answer.outcome)
    if ((yield* changesOf(markAnswered)) === 0) {
      yield* this.#forgetAnswer(ended.cell)
      yield* changesOf(markAnswered)
    }
    yield* changesOf(
      this.#statements.insertAnswer({
        cell: ended.cell,
        attempt: id,
        outcome: answer.outcome,
        prompt_tokens: answer.promptTokens ?? null,
        completion_tokens: answer.completionTokens ?? null,
        cost: moneyColumn(answer.cost),
        latency_ms: answer.latencyMs,
        first_token_ms: answer.firstTokenMs ?? null,
        finish_reason: textColumn(answer.finishReason),
        left_out: jsonColumn(answer.leftOut),
        tool_calls: jsonColumn(answer.toolCalls),
        response: encodeText(answer.response),
        reasoning: textColumn(answer.reasoning),
      }),
    )
  }

  *saveScore(cell: CellKey, score: ScoringResult | { unscored: Unscored }): Operation<void> {
    checkScore(score)
    const state = 'unscored' in score ? 'unscored' : 'scored'
    const [marked] = yield* rowsOf(this.#statements.markScored(namesOf(cell), state))
    if (!marked) return yield* this.#refuseCell(cell, 'scored')
    yield* changesOf(this.#statements.saveScore({ cell: marked.id, ...scoreColumns(score) }))
  }

  *saveError(cell: CellKey, outcome: Outcome, error: string): Operation<void> {
    const marked = yield* rowsOf(this.#statements.markError(namesOf(cell), outcome, encodeText(error)))
    if (marked.length === 0) yield* this.#refuseCell(cell, 'ended in error')
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
  }

  *saveRequest(runId: string, request: RunRequest): Operation<void> {
    const changes = yield* changesOf(this.#statements.saveRequest(encodeText(runId), JSON.stringify(request)))
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
    { staleBefore, replace = '' }: { staleBefore: number; replace?: string },
  ): Operation<Claim | undefined> {
    const stored = checkId(id, 'id of the claim')
    const row = { id: stored, host: encodeText(host), pid, token, since, renewed_at: renewedAt }
    const saved = yield* rowsOf(this.#statements.saveClaim(row, { staleBefore, replace }))
    if (saved.length > 0) return undefined
    const [holder] = yield* rowsOf(this.#statements.readClaim(stored))
    // Released in the meantime: the caller may replace the empty token.
    return holder ? readClaim(holder) : { id, host, pid, token: '', since, renewedAt: staleBefore }
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

  *saveRating(
    cell: CellKey,
    { rating, note }: HumanRating,
    { rater, queueId }: Rater = { rater: '' },
  ): Operation<void> {
    checkRating({ rating })
    const key = { cell: yield* this.#findCell(cell), rater: encodeText(rater) }
    const isCleared = rating === undefined && note === undefined && queueId === undefined
    const said = { rating: rating ?? null, note: textColumn(note), rated_at: this.#now(), queue: textColumn(queueId) }
    yield* changesOf(isCleared ? this.#statements.deleteRating(key) : this.#statements.saveRating({ ...key, ...said }))
  }

  *saveArtifact(cell: CellKey, { name, mediaType, content }: Artifact): Operation<void> {
    const stored = checkId(name, 'name of the artifact')
    const id = yield* this.#findCell(cell)
    const columns = { cell: id, name: stored, media_type: encodeText(mediaType), saved_at: this.#now(), content }
    yield* changesOf(this.#statements.saveArtifact(columns))
  }

  *deleteRun(runId: string): Operation<boolean> {
    const [deleted] = yield* rowsOf(this.#statements.deleteRun(encodeText(runId)))
    if (deleted && deleted.suite !== null) yield* changesOf(this.#statements.deleteUnusedSuite(deleted.suite))
    return deleted !== undefined
  }

  *#findCell(cell: CellKey): Operation<number> {
    const [found] = yield* rowsOf(this.#statements.findCell(namesOf(cell)))
    return found ? found.id : yield* this.#refuseCell(cell, '')
  }

  /** A score, rating or screenshot belongs to one answer and must not be shown with another. */
  *#forgetAnswer(cell: number): Operation<void> {
    yield* changesOf(this.#statements.deleteScore(cell))
    yield* changesOf(this.#statements.deleteRatings(cell))
    yield* changesOf(this.#statements.deleteArtifacts(cell))
    yield* changesOf(this.#statements.deleteAnswer(cell))
    yield* changesOf(this.#statements.reopenCell(cell))
  }

  /** Queries for the reason only after a write changed nothing. */
  *#refuseCell(cell: CellKey, what: string): Operation<never> {
    const runs = yield* rowsOf(this.#statements.findRun(encodeText(cell.runId)))
    if (runs.length === 0) refuseRun(cell.runId)
    const [found] = yield* rowsOf(this.#statements.findCell(namesOf(cell)))
    if (!found)
      throw new InputError(`${describeCell(cell)} is not part of that run: cells are written when the run is created.`)
    throw new InputError(
      found.state === 'pending' || found.state === 'error'
        ? `${describeCell(cell)} has no answer, so it cannot be ${what}: save the answer first.`
        : `${describeCell(cell)} has an answer, so it cannot be ${what}: save a score, or the reason why there is none.`,
    )
  }

  *#refuseAttempt(id: AttemptId, cell?: CellKey): Operation<never> {
    const [attempt] = yield* rowsOf(this.#statements.readAttempt(id))
    if (!attempt) throw new InputError(`There is no attempt ${id}: its run was deleted, or it was never started.`)
    if (attempt.ended_at !== null) throw new InputError(`Attempt ${id} has already ended: an attempt ends only once.`)
    throw new InputError(`Attempt ${id} belongs to another cell. ${cell ? describeCell(cell) : ''} is unchanged.`)
  }
}

function refuseRun(runId: string): never {
  throw new InputError(`There is no run ${quoteId(runId)}: list the runs to see their ids.`)
}

function namesOf({ runId, testCaseId, modelId }: CellKey): CellNames {
  return { run_id: encodeText(runId), case_id: encodeText(testCaseId), model_id: encodeText(modelId) }
}

function checkAttemptId(id: AttemptId): number {
  if (!Number.isSafeInteger(id))
    throw new InputError(`${id} is not an attempt id: use the one that startAttempt returned.`)
  return id
}

function checkCells(run: RunHeader, cells: Omit<CellKey, 'runId'>[]): [caseId: string, modelId: string][] {
  const modelsOfCase = new Map<string, Set<string>>()
  return cells.map(({ testCaseId, modelId }) => {
    const models = modelsOfCase.get(testCaseId) ?? new Set()
    if (models.has(modelId))
      throw new InputError(
        `${describeCell({ runId: run.id, testCaseId, modelId })} is listed twice: list each cell once.`,
      )
    modelsOfCase.set(testCaseId, models.add(modelId))
    return [checkId(testCaseId, 'id of the test case'), checkId(modelId, 'id of the model')]
  })
}

function scoreColumns(score: ScoringResult | { unscored: Unscored }) {
  const unset = {
    score: null,
    confidence: null,
    raw_score: null,
    max_score: null,
    notes: null,
    checks: null,
    details: null,
    figures: null,
  }
  if ('unscored' in score)
    return {
      ...unset,
      unscored_code: encodeText(score.unscored.code),
      unscored_message: encodeText(score.unscored.message),
    }
  // Some scorers return more than the port requires: reasons, criteria.
  const { score: value, confidence, notes, rawScore, maxScore, checks, ...details } = score
  return {
    score: value,
    confidence: confidence ?? null,
    raw_score: rawScore ?? null,
    max_score: maxScore ?? null,
    notes: textColumn(notes),
    checks: jsonColumn(checks),
    details: Object.keys(details).length > 0 ? JSON.stringify(details) : null,
    figures: gradesColumn(score),
    unscored_code: null,
    unscored_message: null,
  }
}
