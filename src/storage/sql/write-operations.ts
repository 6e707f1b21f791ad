import { createHash } from 'node:crypto'
import {
  InputError,
  type Artifact,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type CellKey,
  type HumanRating,
  type ModelAnswer,
  type Outcome,
  type RunHeader,
  type RunStatus,
  type ScoringResult,
  type Unscored,
} from '../../contract/index.ts'
import {
  checkAnswer,
  checkAttemptEnd,
  checkId,
  checkRating,
  checkScore,
  checkTime,
  nameCell,
  nameId,
} from './check-arguments.ts'
import { endColumns, jsonColumn, moneyColumn, textColumn } from './columns.ts'
import { gradesColumn } from './grades-column.ts'
import { readInteger, readText, type Operation } from './operation.ts'
import { encodeText } from './text-codec.ts'
import type { WriteStatements } from './write-statements.ts'

const cellsAtOnce = 10_000

/** What each writing method of the storage port does, in the words of the tables. */
export class WriteOperations {
  readonly #statements: WriteStatements
  readonly #now: () => number

  constructor(statements: WriteStatements, now: () => number) {
    this.#statements = statements
    this.#now = now
  }

  *createRun(run: RunHeader, cells: Omit<CellKey, 'runId'>[]): Operation<void> {
    const id = checkId(run.id, 'id of the run')
    if (id === 'latest') throw new InputError('A run cannot have the id "latest": that word stands for the newest run.')
    checkTime(run.startedAt, 'The start of the run')
    const pairs = checkCells(run, cells)
    const content = jsonColumn(run.testSuiteSnapshot)
    const hash = content === null ? null : createHash('sha256').update(content).digest('hex')
    if (content !== null && hash !== null)
      yield this.#statements.insertSuite({ hash, name: textColumn(run.testSuiteSnapshot?.name), content })
    const inserted = yield this.#statements.insertRun({
      id,
      series_id: run.seriesId === undefined ? null : checkId(run.seriesId, 'id of the series'),
      suite: hash,
      suite_id: textColumn(run.testSuiteId),
      suite_name: textColumn(run.testSuiteName),
      models: JSON.stringify(run.models),
      parameters: jsonColumn(run.parameters),
      judge_model: textColumn(run.judgeModel),
      versions: jsonColumn(run.versions),
      status: 'running',
      started_at: run.startedAt,
    })
    if (inserted.rows.length === 0)
      throw new InputError(`There is a run ${nameId(run.id)} already: choose another id, or delete that run first.`)
    const number = readInteger(inserted.rows[0]?.['number'])
    for (let first = 0; first < pairs.length; first += cellsAtOnce)
      yield this.#statements.insertCells(number, pairs.slice(first, first + cellsAtOnce))
  }

  *startAttempt(attempt: AttemptStart): Operation<AttemptId> {
    checkTime(attempt.startedAt, 'The start of the attempt')
    const { rows } = yield this.#statements.insertAttempt({
      ...namesOf(attempt),
      purpose: attempt.purpose,
      asked_model: encodeText(attempt.askedModel),
      started_at: attempt.startedAt,
    })
    if (rows.length === 0) return yield* this.#refuseCell(attempt, 'asked')
    return readInteger(rows[0]?.['id'])
  }

  *endAttempt(id: AttemptId, end: AttemptEnd): Operation<void> {
    checkAttemptEnd(end)
    const { changes } = yield this.#statements.endAttempt({ id: checkAttemptId(id), ...endColumns(end) })
    if (changes === 0) yield* this.#refuseAttempt(id)
  }

  *saveAnswer(id: AttemptId, end: AttemptEnd, cell: CellKey, answer: ModelAnswer): Operation<void> {
    checkAttemptEnd(end)
    checkAnswer(answer)
    const ended = yield this.#statements.endAttemptOfCell({
      ...namesOf(cell),
      id: checkAttemptId(id),
      ...endColumns(end),
    })
    if (ended.rows.length === 0) {
      yield* this.#findCell(cell)
      yield* this.#refuseAttempt(id, cell)
    }
    const cellId = readInteger(ended.rows[0]?.['cell'])
    const answered = { cell: cellId, outcome: answer.outcome }
    const { changes } = yield this.#statements.markAnswered(answered)
    if (changes === 0) {
      yield* this.#forgetAnswer(cellId)
      yield this.#statements.markAnswered(answered)
    }
    yield this.#statements.insertAnswer({
      cell: cellId,
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
    })
  }

  *saveScore(cell: CellKey, score: ScoringResult | { unscored: Unscored }): Operation<void> {
    checkScore(score)
    const marked = yield this.#statements.markScored({
      ...namesOf(cell),
      state: 'unscored' in score ? 'unscored' : 'scored',
    })
    if (marked.rows.length === 0) yield* this.#refuseCell(cell, 'scored')
    const id = readInteger(marked.rows[0]?.['id'])
    yield this.#statements.saveScore({ cell: id, ...scoreColumns(score) })
  }

  *saveError(cell: CellKey, outcome: Outcome, error: string): Operation<void> {
    const marked = yield this.#statements.markError({ ...namesOf(cell), outcome, error: encodeText(error) })
    if (marked.rows.length === 0) yield* this.#refuseCell(cell, 'ended in error')
  }

  *setRunStatus(runId: string, status: RunStatus, completedAt?: number): Operation<void> {
    checkTime(completedAt, 'The end of the run')
    const { changes } = yield this.#statements.setRunStatus({
      id: encodeText(runId),
      status,
      completed_at: completedAt ?? null,
    })
    if (changes === 0) refuseRun(runId)
  }

  *reopenErrors(runId: string): Operation<number> {
    const { rows } = yield this.#statements.findRun({ id: encodeText(runId) })
    if (rows.length === 0) refuseRun(runId)
    const { changes } = yield this.#statements.reopenErrors({ run: readInteger(rows[0]?.['number']) })
    return changes
  }

  *saveRating(cell: CellKey, { rating, note }: HumanRating): Operation<void> {
    checkRating({ rating })
    const id = yield* this.#findCell(cell)
    if (rating === undefined && note === undefined) yield this.#statements.deleteRating({ cell: id })
    else
      yield this.#statements.saveRating({
        cell: id,
        rating: rating ?? null,
        note: textColumn(note),
        rated_at: this.#now(),
      })
  }

  *saveArtifact(cell: CellKey, { name, mediaType, content }: Artifact): Operation<void> {
    const stored = checkId(name, 'name of the artifact')
    const id = yield* this.#findCell(cell)
    yield this.#statements.saveArtifact({
      cell: id,
      name: stored,
      media_type: encodeText(mediaType),
      saved_at: this.#now(),
      content,
    })
  }

  *deleteRun(runId: string): Operation<boolean> {
    const { rows } = yield this.#statements.deleteRun({ id: encodeText(runId) })
    const suite = rows[0]?.['suite']
    if (typeof suite === 'string') yield this.#statements.deleteUnusedSuite({ hash: suite })
    return rows.length > 0
  }

  *#findCell(cell: CellKey): Operation<number> {
    const { rows } = yield this.#statements.findCell(namesOf(cell))
    const [row] = rows
    return row ? readInteger(row['id']) : yield* this.#refuseCell(cell, '')
  }

  /** A score or a rating speaks of one answer, a screenshot shows one: they must not stand beside another. */
  *#forgetAnswer(cell: number): Operation<void> {
    yield this.#statements.deleteScore({ cell })
    yield this.#statements.deleteRating({ cell })
    yield this.#statements.deleteArtifacts({ cell })
    yield this.#statements.deleteAnswer({ cell })
    yield this.#statements.reopenCell({ cell })
  }

  /** Only now is it worth asking what is wrong. */
  *#refuseCell(cell: CellKey, what: string): Operation<never> {
    const run = yield this.#statements.findRun({ id: encodeText(cell.runId) })
    if (run.rows.length === 0) refuseRun(cell.runId)
    const { rows } = yield this.#statements.findCell(namesOf(cell))
    if (rows.length === 0)
      throw new InputError(`${nameCell(cell)} is not part of that run: cells are written when the run is created.`)
    const state = readText(rows[0]?.['state'])
    throw new InputError(
      state === 'pending' || state === 'error'
        ? `${nameCell(cell)} has no answer and cannot be ${what}: save the answer first.`
        : `${nameCell(cell)} has an answer and cannot be ${what}: save a score, or the reason for none.`,
    )
  }

  *#refuseAttempt(id: AttemptId, cell?: CellKey): Operation<never> {
    const { rows } = yield this.#statements.readAttempt({ id })
    if (rows.length === 0)
      throw new InputError(`There is no attempt ${id}: its run was deleted, or it was never started.`)
    if (rows[0]?.['ended_at'] !== null) throw new InputError(`Attempt ${id} has ended already: an attempt ends once.`)
    throw new InputError(
      `Attempt ${id} belongs to another cell than this one. ${cell ? nameCell(cell) : ''} keeps what it has.`,
    )
  }
}

function refuseRun(runId: string): never {
  throw new InputError(`There is no run ${nameId(runId)}: list the runs to see their ids.`)
}

function namesOf({ runId, testCaseId, modelId }: CellKey) {
  return { run_id: encodeText(runId), case_id: encodeText(testCaseId), model_id: encodeText(modelId) }
}

function checkAttemptId(id: AttemptId): number {
  if (!Number.isSafeInteger(id)) throw new InputError(`${id} is no attempt: give what startAttempt gave.`)
  return id
}

function checkCells(run: RunHeader, cells: Omit<CellKey, 'runId'>[]): [caseId: string, modelId: string][] {
  const modelsOfCase = new Map<string, Set<string>>()
  return cells.map(({ testCaseId, modelId }) => {
    const models = modelsOfCase.get(testCaseId) ?? new Set()
    if (models.has(modelId))
      throw new InputError(
        `${nameCell({ runId: run.id, testCaseId, modelId })} stands there twice: list each cell once.`,
      )
    modelsOfCase.set(testCaseId, models.add(modelId))
    return [checkId(testCaseId, 'id of the test case'), checkId(modelId, 'id of the model')]
  })
}

function scoreColumns(score: ScoringResult | { unscored: Unscored }) {
  const nothing = {
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
      ...nothing,
      unscored_code: encodeText(score.unscored.code),
      unscored_message: encodeText(score.unscored.message),
    }
  // Some scorers say more than the port asks for: reasons, criteria.
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
