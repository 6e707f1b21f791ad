import type { ModelAnswer } from './client.ts'
import type { RunRequest } from './run-request.ts'
import type { CellResult, HumanRating, Outcome, RunResult, RunStatus, StopReason } from './run.ts'
import type { ScoringResult, Unscored } from './score.ts'

/** What is known of a run when it begins; the rest of a `RunResult` comes from its cells. */
export type RunHeader = Omit<RunResult, 'results' | 'completedAt' | 'status' | 'stopReason'> & {
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
  testSuiteId?: string
  testSuiteName?: string
  models: string[]
  status: RunStatus
  startedAt: number
  completedAt?: number
  stopReason?: StopReason
  /** US dollars for its whole series. */
  maxCost?: number
  cells: { total: number; scored: number; unscored: number; errors: number; pending: number }
  /** Sum over all attempts with a known cost. */
  cost: number
  /** Attempts whose cost is unknown. */
  unknownCosts: number
}

/** A page of all runs, or the runs with these ids; an id without a run is left out. */
export type RunSelection = { limit?: number; offset?: number } | { ids: readonly string[] }

/** A cell with everything that is kept of it. */
export interface StoredCell {
  result: CellResult
  /** As the model gave it, with its reasoning and why it stopped; absent when it never answered. */
  answer?: ModelAnswer
  /** Every request made for the cell, in the order of sending. */
  attempts: (AttemptStart & { id: AttemptId; end?: AttemptEnd })[]
}

/** Who works on a run or series: a lease, renewed while the work goes on. */
export interface Claim {
  /** Of the run or the series. */
  id: string
  host: string
  pid: number
  /** Tells two pieces of work of one process apart. */
  token: string
  since: number
  renewedAt: number
}

/** What else is kept beside runs. Each kind has its own shape, parsed by those who use it. */
export type DocumentKind = 'suite' | 'calibration' | 'vote' | 'settings'

/** One version of a document; older ones stay readable. */
export interface StoredDocument {
  kind: DocumentKind
  id: string
  /** Counts from 1. */
  version: number
  savedAt: number
  /** Plain JSON. */
  content: unknown
}

/** A file that belongs to a cell, such as a screenshot. */
export interface Artifact {
  name: string
  mediaType: string
  content: Uint8Array
}

/** Somebody else saved the document meanwhile; nothing was written. */
export class VersionConflict extends Error {
  override name = 'VersionConflict'
  readonly currentVersion: number

  constructor(message: string, currentVersion: number) {
    super(message)
    this.currentVersion = currentVersion
  }
}

/**
 * Where runs are kept. What a method writes outlasts this program when its promise settles, and a power failure too except
 * where it says otherwise; writes may be grouped into one commit, in the order in which they were called. All drivers pass one suite
 * of tests.
 */
export interface Storage {
  /** Writes the run and its cells, all pending. A power failure in the next moment may undo it. */
  createRun(run: RunHeader, cells: Omit<CellKey, 'runId'>[]): Promise<void>
  /** A power failure in the next moment may undo it: the disk is waited for while the model answers. */
  startAttempt(attempt: AttemptStart): Promise<AttemptId>
  /** For an attempt that brought no answer for the cell, or for a judge's. */
  endAttempt(id: AttemptId, end: AttemptEnd): Promise<void>
  /** Ends the attempt and keeps its answer as the cell's, in one transaction; a later answer replaces an earlier. */
  saveAnswer(id: AttemptId, end: AttemptEnd, cell: CellKey, answer: ModelAnswer): Promise<void>
  saveScore(cell: CellKey, score: ScoringResult | { unscored: Unscored }): Promise<void>
  /** The cell's last word when no attempt brought an answer. */
  saveError(cell: CellKey, outcome: Outcome, error: string): Promise<void>
  setRunStatus(runId: string, status: RunStatus, end?: { completedAt?: number; stopReason?: StopReason }): Promise<void>
  /** What was asked for has changed: for the run, and for the other runs of its series. */
  saveRequest(runId: string, request: RunRequest): Promise<void>
  /** Gives cells that ended in error back, so that a resumed run tries them again; says how many. */
  reopenErrors(runId: string): Promise<number>
  saveRating(cell: CellKey, rating: HumanRating): Promise<void>

  /**
   * The whole run with the results of its finished cells; `undefined` when there is none of that id. `texts: false` leaves out
   * responses, tool calls and what scorers said in words, and keeps the numbers: for statistics over very many cells.
   * `suite: false` leaves out the suite it was made with, for those who have it already.
   */
  loadRun(runId: string, options?: { texts?: boolean; suite?: boolean }): Promise<RunResult | undefined>
  loadCell(cell: CellKey): Promise<StoredCell | undefined>
  /** Cells whose response holds the text, whatever its case; in the order of the run. */
  searchAnswers(runId: string, text: string): Promise<Omit<CellKey, 'runId'>[]>
  /** Cells not finished: pending, or answered but not yet scored (those carry their answer). */
  loadOpenCells(runId: string): Promise<{ cell: CellKey; answer?: ModelAnswer; attempts: number }[]>
  loadAttempts(runId: string): Promise<(AttemptStart & { id: AttemptId; end?: AttemptEnd })[]>
  /** Ids that begin so; newest first. `latest` is the newest run. */
  findRuns(idPrefix: string): Promise<string[]>
  /** Newest first. */
  listRuns(selection?: RunSelection): Promise<RunSummary[]>
  runsOfSeries(seriesId: string): Promise<string[]>
  deleteRun(runId: string): Promise<boolean>
  countRuns(): Promise<number>

  /**
   * Takes the claim on a run or series for a process. It fails while another's claim was renewed since `staleBefore`
   * and is not one of those to `replace`: then that claim is returned, and nothing is written.
   */
  claim(claim: Claim, options: { staleBefore: number; replace?: string }): Promise<Claim | undefined>
  /** False when somebody else has taken it over. */
  renewClaim(id: string, token: string, renewedAt: number): Promise<boolean>
  releaseClaim(id: string, token: string): Promise<void>
  listClaims(): Promise<Claim[]>

  /**
   * Keeps a new version. With `after` it must follow that version (0: the document must be new), else `VersionConflict`
   * is thrown and nothing is written.
   */
  saveDocument(
    document: { kind: DocumentKind; id: string; content: unknown },
    options?: { after?: number },
  ): Promise<StoredDocument>
  /** The newest version, or the one asked for. */
  loadDocument(kind: DocumentKind, id: string, version?: number): Promise<StoredDocument | undefined>
  /** The newest version of each, last saved first. */
  listDocuments(kind: DocumentKind): Promise<StoredDocument[]>
  /** All versions of one, newest first, without their content. */
  documentVersions(kind: DocumentKind, id: string): Promise<Omit<StoredDocument, 'content'>[]>
  /** With all its versions; false when there was none. */
  deleteDocument(kind: DocumentKind, id: string): Promise<boolean>

  /** One of the same name replaces the earlier. */
  saveArtifact(cell: CellKey, artifact: Artifact): Promise<void>
  listArtifacts(cell: CellKey): Promise<(Omit<Artifact, 'content'> & { size: number })[]>
  loadArtifact(cell: CellKey, name: string): Promise<Artifact | undefined>

  /** Stays the same until this or another program changes anything. Undefined where the database does not tell. */
  changeToken(): Promise<string | undefined>
  /** Writes a whole copy of the data to a new file, while it is in use. Refused by drivers that have their own way. */
  backupTo(file: string): Promise<void>
  close(): Promise<void>
}

/** The data cannot be used as it is: a locked, damaged or newer database, a full disk. Says what to do. */
export class StorageError extends Error {
  override name = 'StorageError'
}
