import {
  ClaimLost,
  InputError,
  type Artifact,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type CellEvent,
  type CellKey,
  type HumanRating,
  type ModelAnswer,
  type Outcome,
  type Rater,
  type RatingChange,
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
  quoteId,
} from './check-arguments.ts'
import { answerColumns, endColumns, eventColumns, scoreColumns, textColumn } from './columns.ts'
import { changesOf, rowsOf, type Operation, type Write } from './operation.ts'
import type { CellState } from './schema.ts'
import { encodeText } from './text-codec.ts'
import type { CellNames, WriteStatements } from './write-statements.ts'

/**
 * The methods of the storage port that write a cell. Those called for every cell of a run check their arguments first
 * and return a `Write`, which a driver may write together with others.
 */
export class CellOperations {
  readonly #statements: WriteStatements
  readonly #now: () => number

  constructor(statements: WriteStatements, now: () => number) {
    this.#statements = statements
    this.#now = now
  }

  startAttempt(attempt: AttemptStart): Write<AttemptId> {
    checkTime(attempt.startedAt, 'The start of the attempt')
    const names = namesOf(attempt)
    const columns = {
      purpose: attempt.purpose,
      asked_model: encodeText(attempt.askedModel),
      started_at: attempt.startedAt,
    }
    return {
      operation: () => this.#startAttempt(attempt, this.#statements.insertAttempt(names, columns, attempt.claim)),
      isOfCell: true,
    }
  }

  *#startAttempt(attempt: AttemptStart, insert: ReturnType<WriteStatements['insertAttempt']>): Operation<AttemptId> {
    const [inserted] = yield* rowsOf(insert)
    const { claim, event, startedAt } = attempt
    if (inserted && event) {
      const asked: CellEvent = { ...event, at: startedAt, kind: 'asked', attempt: inserted.id }
      yield* changesOf(this.#statements.insertEvent({ cell: inserted.cell, ...eventColumns(asked) }))
    }
    if (inserted) return inserted.id
    if (claim !== undefined && (yield* rowsOf(this.#statements.findClaim(claim))).length === 0)
      throw new ClaimLost('Another process has taken over the run.')
    return yield* this.#refuseCell(attempt, 'asked')
  }

  endAttempt(id: AttemptId, end: AttemptEnd): Write<void> {
    checkAttemptEnd(end)
    const columns = endColumns(end)
    return {
      operation: () => this.#endAttempt(checkAttemptId(id), columns),
      isOfCell: true,
    }
  }

  *#endAttempt(id: AttemptId, columns: ReturnType<typeof endColumns>): Operation<void> {
    const changes = yield* changesOf(this.#statements.endAttempt(id, columns))
    if (changes === 0) yield* this.#refuseAttempt(id)
    yield* this.#addSpending(id, columns)
  }

  *#addSpending(id: AttemptId, { cost }: ReturnType<typeof endColumns>): Operation<void> {
    if (cost) yield* changesOf(this.#statements.addSpending(id))
  }

  saveAnswer(id: AttemptId, end: AttemptEnd, cell: CellKey, answer: ModelAnswer): Write<void> {
    checkAttemptEnd(end)
    checkAnswer(answer)
    const columns = { attempt: checkAttemptId(id), ...answerColumns(answer) }
    const endOfAttempt = endColumns(end)
    return {
      operation: () => this.#saveAnswer(cell, endOfAttempt, columns),
      isOfCell: true,
    }
  }

  *#saveAnswer(
    cell: CellKey,
    end: ReturnType<typeof endColumns>,
    answer: ReturnType<typeof answerColumns> & { attempt: AttemptId },
  ): Operation<void> {
    const [ended] = yield* rowsOf(this.#statements.endAttemptOfCell(answer.attempt, end, namesOf(cell)))
    if (!ended) {
      yield* this.#findCell(cell)
      return yield* this.#refuseAttempt(answer.attempt, cell)
    }
    yield* this.#addSpending(answer.attempt, end)
    yield* this.#writeAnswer(ended.cell, answer)
  }

  *#writeAnswer(cell: number, answer: ReturnType<typeof answerColumns> & { attempt: AttemptId }): Operation<void> {
    const markAnswered = this.#statements.markAnswered(cell, answer.outcome)
    if ((yield* changesOf(markAnswered)) === 0) {
      yield* this.#forgetAnswer(cell)
      yield* changesOf(markAnswered)
    }
    yield* changesOf(this.#statements.insertAnswer({ cell, ...answer }))
  }

  saveTurn(id: AttemptId, end: AttemptEnd, cell: CellKey, said: CellEvent): Write<void> {
    checkAttemptEnd(end)
    const columns = endColumns(end)
    const event = eventColumns(said)
    return { operation: () => this.#saveTurn(checkAttemptId(id), columns, cell, event), isOfCell: true }
  }

  *#saveTurn(
    id: AttemptId,
    end: ReturnType<typeof endColumns>,
    cell: CellKey,
    event: ReturnType<typeof eventColumns>,
  ): Operation<void> {
    const [ended] = yield* rowsOf(this.#statements.endAttemptOfCell(id, end, namesOf(cell)))
    if (!ended) {
      yield* this.#findCell(cell)
      return yield* this.#refuseAttempt(id, cell)
    }
    yield* this.#addSpending(id, end)
    yield* changesOf(this.#statements.insertEvent({ cell: ended.cell, ...event }))
  }

  appendEvents(cell: CellKey, events: readonly CellEvent[]): Write<void> {
    const rows = events.map(eventColumns)
    return { operation: () => ignoreResult(this.#appendEvents(cell, rows)), isOfCell: true }
  }

  *#appendEvents(cell: CellKey, rows: readonly ReturnType<typeof eventColumns>[]): Operation<number> {
    const id = yield* this.#findCell(cell)
    for (const row of rows) yield* changesOf(this.#statements.insertEvent({ cell: id, ...row }))
    return id
  }

  saveConversation(cell: CellKey, answer: ModelAnswer, ended?: CellEvent): Write<void> {
    checkAnswer(answer)
    const columns = answerColumns(answer)
    const rows = ended ? [eventColumns(ended)] : []
    return { operation: () => this.#saveConversation(cell, columns, rows), isOfCell: true }
  }

  *#saveConversation(
    cell: CellKey,
    answer: ReturnType<typeof answerColumns>,
    rows: readonly ReturnType<typeof eventColumns>[],
  ): Operation<void> {
    const id = yield* this.#appendEvents(cell, rows)
    const [last] = yield* rowsOf(this.#statements.readLastAttempt(id))
    yield* this.#writeAnswer(id, { attempt: last?.id ?? 0, ...answer })
  }

  saveScore(cell: CellKey, score: ScoringResult | { unscored: Unscored }): Write<void> {
    checkScore(score)
    const state = 'unscored' in score ? 'unscored' : 'scored'
    const columns = scoreColumns(score)
    return {
      operation: () => this.#saveScore(cell, state, columns),
      isOfCell: true,
    }
  }

  *#saveScore(cell: CellKey, state: CellState, columns: ReturnType<typeof scoreColumns>): Operation<void> {
    const [marked] = yield* rowsOf(this.#statements.markScored(namesOf(cell), state))
    if (!marked) return yield* this.#refuseCell(cell, 'scored')
    yield* changesOf(this.#statements.saveScore({ cell: marked.id, ...columns }))
  }

  saveError(cell: CellKey, outcome: Outcome, error: string): Write<void> {
    const columns = { outcome, error: encodeText(error) }
    return {
      operation: () => this.#saveError(cell, columns),
      isOfCell: true,
    }
  }

  *#saveError(cell: CellKey, { outcome, error }: { outcome: Outcome; error: string }): Operation<void> {
    const marked = yield* rowsOf(this.#statements.markError(namesOf(cell), outcome, error))
    if (marked.length === 0) yield* this.#refuseCell(cell, 'ended in error')
  }

  *saveRating(
    cell: CellKey,
    { rating, note }: HumanRating,
    { rater, queueId }: Rater = { rater: '' },
  ): Operation<void> {
    checkRating({ rating })
    const key = { cell: yield* this.#findCell(cell), rater: encodeText(rater) }
    const isCleared = rating === undefined && note === undefined && queueId === undefined
    const columns = {
      rating: rating ?? null,
      note: textColumn(note),
      rated_at: this.#now(),
      queue: textColumn(queueId),
    }
    yield* changesOf(
      isCleared ? this.#statements.deleteRating(key) : this.#statements.saveRating({ ...key, ...columns }),
    )
  }

  *changeRating(cell: CellKey, { rating, note }: RatingChange): Operation<void> {
    checkRating({ rating: rating ?? undefined })
    const key = { cell: yield* this.#findCell(cell), rater: encodeText('') }
    const changes = {
      rated_at: this.#now(),
      ...(rating !== undefined && { rating }),
      ...(note !== undefined && { note: textColumn(note ?? undefined) }),
    }
    // In one statement: two people may change the same rating at once.
    yield* changesOf(
      this.#statements.saveRating({ ...key, rating: null, note: null, queue: null, ...changes }, changes),
    )
    yield* changesOf(this.#statements.deleteEmptyRating(key))
  }

  *saveArtifact(cell: CellKey, { name, mediaType, content }: Artifact): Operation<void> {
    const stored = checkId(name, 'name of the artifact')
    const id = yield* this.#findCell(cell)
    const columns = { cell: id, name: stored, media_type: encodeText(mediaType), saved_at: this.#now(), content }
    yield* changesOf(this.#statements.saveArtifact(columns))
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
      throw new InputError(`${nameCell(cell)} is not part of that run: cells are written when the run is created.`)
    throw new InputError(
      found.state === 'pending' || found.state === 'error'
        ? `${nameCell(cell)} has no answer, so it cannot be ${what}: save the answer first.`
        : `${nameCell(cell)} has an answer, so it cannot be ${what}: save a score, or the reason why there is none.`,
    )
  }

  *#refuseAttempt(id: AttemptId, cell?: CellKey): Operation<never> {
    const [attempt] = yield* rowsOf(this.#statements.readAttempt(id))
    if (!attempt) throw new InputError(`There is no attempt ${id}: its run was deleted, or it was never started.`)
    if (attempt.ended_at !== null) throw new InputError(`Attempt ${id} has already ended: an attempt ends only once.`)
    throw new InputError(`Attempt ${id} belongs to another cell. ${cell ? nameCell(cell) : ''} is unchanged.`)
  }
}

export function refuseRun(runId: string): never {
  throw new InputError(`There is no run ${quoteId(runId)}: list the runs to see their ids.`)
}

function* ignoreResult(operation: Operation<unknown>): Operation<void> {
  yield* operation
}

function namesOf({ runId, testCaseId, modelId }: CellKey): CellNames {
  return { run_id: encodeText(runId), case_id: encodeText(testCaseId), model_id: encodeText(modelId) }
}

function checkAttemptId(id: AttemptId): number {
  if (!Number.isSafeInteger(id))
    throw new InputError(`${id} is not an attempt id: use the one that startAttempt returned.`)
  return id
}
