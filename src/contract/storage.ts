import type { ModelAnswer } from './client.ts'
import type { Outcome, RunResult, RunStatus } from './run.ts'
import type { ScoringResult, Unscored } from './score.ts'

/** What is known of a run when it begins; the rest of a `RunResult` comes from its cells. */
export type RunHeader = Omit<RunResult, 'results' | 'completedAt' | 'status'> & {
  startedAt: number
}

export interface CellKey {
  runId: string
  testCaseId: string
  modelId: string
}

/** One paid request: written before it leaves. */
export interface AttemptStart extends CellKey {
  purpose: 'answer' | 'judge'
  /** The model asked: the cell's own, or a judge. */
  askedModel: string
  startedAt: number
}

/** How an attempt ended. One without an end was under way when the process died. */
export interface AttemptEnd {
  endedAt: number
  outcome: Outcome
  promptTokens?: number
  completionTokens?: number
  /** US dollars; absent when unknown, never 0 for unknown. */
  cost?: number
  latencyMs?: number
  firstTokenMs?: number
  httpStatus?: number
  error?: string
}

export type AttemptId = number

export interface RunSummary {
  id: string
  seriesId?: string
  testSuiteName?: string
  models: string[]
  status: RunStatus
  startedAt: number
  completedAt?: number
  cells: { total: number; scored: number; unscored: number; errors: number; pending: number }
  /** Sum over all attempts with a known cost. */
  cost: number
  /** Attempts whose cost is unknown. */
  unknownCosts: number
}

export interface HumanRating {
  /** 0 to 1. */
  rating?: number
  note?: string
}

/**
 * Where runs are kept. Every method has written durably when its promise settles; writes may be grouped into one
 * commit. All drivers pass one suite of tests.
 */
export interface Storage {
  /** Writes the run and its cells, all pending. */
  createRun(run: RunHeader, cells: Omit<CellKey, 'runId'>[]): Promise<void>
  startAttempt(attempt: AttemptStart): Promise<AttemptId>
  /** For an attempt that brought no answer for the cell, or for a judge's. */
  endAttempt(id: AttemptId, end: AttemptEnd): Promise<void>
  /** Ends the attempt and keeps its answer as the cell's, in one transaction; a later answer replaces an earlier. */
  saveAnswer(id: AttemptId, end: AttemptEnd, cell: CellKey, answer: ModelAnswer): Promise<void>
  saveScore(cell: CellKey, score: ScoringResult | { unscored: Unscored }): Promise<void>
  /** The cell's last word when no attempt brought an answer. */
  saveError(cell: CellKey, outcome: Outcome, error: string): Promise<void>
  setRunStatus(runId: string, status: RunStatus, completedAt?: number): Promise<void>
  /** Gives cells that ended in error back, so that a resumed run tries them again; says how many. */
  reopenErrors(runId: string): Promise<number>
  saveRating(cell: CellKey, rating: HumanRating): Promise<void>

  /** The whole run with the results of its finished cells; `undefined` when there is none of that id. */
  loadRun(runId: string): Promise<RunResult | undefined>
  /** Cells not finished: pending, or answered but not yet scored (those carry their answer). */
  loadOpenCells(runId: string): Promise<{ cell: CellKey; answer?: ModelAnswer; attempts: number }[]>
  loadAttempts(runId: string): Promise<(AttemptStart & { id: AttemptId; end?: AttemptEnd })[]>
  /** Ids that begin so; newest first. `latest` is the newest run. */
  findRuns(idPrefix: string): Promise<string[]>
  listRuns(options?: { limit?: number; offset?: number }): Promise<RunSummary[]>
  runsOfSeries(seriesId: string): Promise<string[]>
  deleteRun(runId: string): Promise<boolean>
  close(): Promise<void>
}

/** The data cannot be used as it is: a locked, damaged or newer database, a full disk. Says what to do. */
export class StorageError extends Error {
  override name = 'StorageError'
}
