import {
  isCostUnknown,
  makeLabel,
  type AttemptEnd,
  type AttemptId,
  type AttemptStart,
  type CellKey,
  type CellResult,
  type HumanRating,
  type LabelChange,
  type ModelAnswer,
  type Outcome,
  type RunHeader,
  type RunLabel,
  type RunStatus,
  type ScoringResult,
  type Unscored,
} from '../../contract/index.ts'

interface Cell extends CellKey {
  answer?: ModelAnswer
  verdict?: ScoringResult | { unscored: Unscored }
  failure?: { outcome: Outcome; error: string }
  rating?: HumanRating
}

interface Run {
  header: RunHeader
  status: RunStatus
  completedAt?: number
  cells: Cell[]
}

/** The simplest possible implementation of the storage port; the drivers are compared with it. */
export class MemoryModel {
  #runs: Run[] = []
  #attempts: (AttemptStart & { id: AttemptId; end?: AttemptEnd })[] = []
  #lastId = 0

  #run(id: string): Run {
    const run = this.#runs.find(({ header }) => header.id === id)
    if (!run) throw new Error('no such run')
    return run
  }

  #cell(key: CellKey): Cell {
    const cell = this.#run(key.runId).cells.find(
      ({ testCaseId, modelId }) => testCaseId === key.testCaseId && modelId === key.modelId,
    )
    if (!cell) throw new Error('no such cell')
    return cell
  }

  #end(id: AttemptId, end: AttemptEnd, cell?: CellKey): void {
    const attempt = this.#attempts.find((started) => started.id === id)
    if (!attempt || attempt.end) throw new Error('no such attempt in progress')
    if (
      cell &&
      (attempt.runId !== cell.runId || attempt.testCaseId !== cell.testCaseId || attempt.modelId !== cell.modelId)
    )
      throw new Error('belongs to another cell')
    attempt.end = end
  }

  createRun(header: RunHeader, cells: Omit<CellKey, 'runId'>[]): void {
    if (this.#runs.some((run) => run.header.id === header.id)) throw new Error('already exists')
    this.#runs.push({ header, status: 'running', cells: cells.map((names) => ({ runId: header.id, ...names })) })
  }

  startAttempt(attempt: AttemptStart): AttemptId {
    this.#cell(attempt)
    this.#attempts.push({ id: ++this.#lastId, ...attempt })
    return this.#lastId
  }

  endAttempt(id: AttemptId, end: AttemptEnd): void {
    this.#end(id, end)
  }

  saveAnswer(id: AttemptId, end: AttemptEnd, key: CellKey, answer: ModelAnswer): void {
    const cell = this.#cell(key)
    this.#end(id, end, key)
    if (cell.answer) delete cell.rating
    cell.answer = answer
    delete cell.verdict
    delete cell.failure
  }

  saveScore(key: CellKey, verdict: ScoringResult | { unscored: Unscored }): void {
    const cell = this.#cell(key)
    if (!cell.answer) throw new Error('no answer')
    cell.verdict = verdict
  }

  saveError(key: CellKey, outcome: Outcome, error: string): void {
    const cell = this.#cell(key)
    if (cell.answer) throw new Error('has an answer')
    cell.failure = { outcome, error }
  }

  saveRating(key: CellKey, rating: HumanRating): void {
    const cell = this.#cell(key)
    if (Object.keys(rating).length === 0) delete cell.rating
    else cell.rating = rating
  }

  setRunStatus(runId: string, status: RunStatus, { completedAt }: { completedAt?: number } = {}): void {
    const run = this.#run(runId)
    run.status = status
    if (completedAt === undefined) delete run.completedAt
    else run.completedAt = completedAt
  }

  saveLabel(runId: string, change: LabelChange): RunLabel | undefined {
    const { header } = this.#run(runId)
    const { label: before, ...rest } = header
    const label = makeLabel({ ...before, ...change })
    this.#run(runId).header = { ...rest, ...(label && { label }) }
    return label
  }

  reopenErrors(runId: string): number {
    const failed = this.#run(runId).cells.filter(({ failure }) => failure)
    for (const cell of failed) delete cell.failure
    return failed.length
  }

  deleteRun(runId: string): boolean {
    const before = this.#runs.length
    this.#runs = this.#runs.filter(({ header }) => header.id !== runId)
    this.#attempts = this.#attempts.filter((attempt) => attempt.runId !== runId)
    return this.#runs.length < before
  }

  #attemptsOf(cell: CellKey, purpose?: string) {
    return this.#attempts.filter(
      (attempt) =>
        attempt.runId === cell.runId &&
        attempt.testCaseId === cell.testCaseId &&
        attempt.modelId === cell.modelId &&
        (purpose === undefined || attempt.purpose === purpose),
    )
  }

  #costOf(cells: CellKey[]): { cost: number | undefined; unknown: number } {
    const ends = cells.flatMap((cell) => this.#attemptsOf(cell)).map(({ end }) => end)
    const known = ends.flatMap((end) => end?.cost ?? [])
    // Costs in these tests are multiples of a thousandth.
    return {
      cost: known.length === 0 ? undefined : known.reduce((sum, cost) => sum + Math.round(cost * 1000), 0) / 1000,
      unknown: ends.filter(isCostUnknown).length,
    }
  }

  #resultOf(cell: Cell): CellResult[] {
    if (!cell.verdict && !cell.failure) return []
    const { testCaseId, modelId, answer, verdict, failure, rating } = cell
    const { cost } = this.#costOf([cell])
    const common = {
      testCaseId,
      modelId,
      attempts: this.#attemptsOf(cell, 'answer').length,
      ...(cost !== undefined && { cost }),
      ...(rating && { rating }),
    }
    if (failure) return [{ ...common, ...failure, status: failure.outcome === 'cancelled' ? 'cancelled' : 'failed' }]
    const { outcome, response = '', latencyMs, promptTokens } = answer ?? {}
    const grade = verdict && 'unscored' in verdict ? { unscored: verdict.unscored } : { score: verdict }
    return [
      {
        ...common,
        status: 'completed',
        outcome,
        response,
        latencyMs,
        ...(promptTokens !== undefined && { promptTokens }),
        ...grade,
      },
    ]
  }

  /** Everything a storage returns about one run. */
  describe(runId: string) {
    const run = this.#runs.find(({ header }) => header.id === runId)
    if (!run) return undefined
    const { header, status, completedAt, cells } = run
    const results = cells.flatMap((cell) => this.#resultOf(cell))
    const open = cells.filter(({ verdict, failure }) => !verdict && !failure)
    const { cost = 0, unknown } = this.#costOf(cells)
    return {
      run: { ...header, status, ...(completedAt !== undefined && { completedAt }), results },
      open: open.map((cell) => ({
        cell: { runId, testCaseId: cell.testCaseId, modelId: cell.modelId },
        ...(cell.answer && { answer: cell.answer }),
        attempts: this.#attemptsOf(cell, 'answer').length,
      })),
      attempts: this.#attempts.filter((attempt) => attempt.runId === runId),
      counts: {
        cells: {
          total: cells.length,
          scored: results.filter(({ score }) => score).length,
          unscored: results.filter(({ unscored }) => unscored).length,
          errors: results.filter(({ error }) => error !== undefined).length,
          pending: open.length,
        },
        cost,
        unknownCosts: unknown,
      },
    }
  }
}
