import type { CellEvent, Speaker } from '../agents/conversation.ts'
import type { AccessStorage, Person } from '../team/access.ts'
import type { BudgetDraw, DrawnBudget } from '../processes/budget.ts'
import type { ModelAnswer } from './client.ts'
import type { LabelChange, RunLabel } from '../runs/run-label.ts'
import type { RunRequest } from '../runs/run-request.ts'
import type {
  CellResult,
  HumanRating,
  Outcome,
  RaterRating,
  RatingChange,
  RunKind,
  RunResult,
  RunStatus,
  StopReason,
} from '../runs/run.ts'
import type { ScoringResult, Unscored } from '../scores/score.ts'
import type { ScoreTable } from '../scores/score-table.ts'
import type { Suite } from '../suites/suite.ts'

/** What is known about a run when it starts; the rest of a `RunResult` comes from its cells. */
export type RunHeader = Omit<RunResult, 'results' | 'completedAt' | 'status' | 'stopReason'> & {
  kind: RunKind
  startedAt: number
}

/** Of one request, in dollars. */
export const MAX_COST = 1e6

/** In milliseconds since 1970: no `Date` is later. */
export const LATEST_TIME = 8.64e15

export interface CellKey {
  runId: string
  testCaseId: string
  modelId: string
}

/** A cell of a run as one text, for maps and sets. */
export const cellName = ({ testCaseId, modelId }: Omit<CellKey, 'runId'>): string =>
  JSON.stringify([testCaseId, modelId])

/** The same over several runs. */
export const answerName = ({ runId, testCaseId, modelId }: CellKey): string =>
  JSON.stringify([runId, testCaseId, modelId])

/** One request that may cost money: stored before it is sent. */
export interface AttemptStart extends CellKey {
  purpose: 'answer' | 'judge' | 'user'
  /** The cell's model, or a judge. */
  askedModel: string
  startedAt: number
  /** The token of the claim under which it is sent: refused with `ClaimLost` if another process has the claim now. */
  claim?: string | undefined
  /** For a turn of a conversation: its event `asked`, stored with it. The attempt is filled in. */
  event?: { seq: number; by: Speaker } | undefined
}

/** How an attempt ended. An attempt without an end was in progress when the process died. */
export interface AttemptEnd {
  endedAt: number
  outcome: Outcome
  promptTokens?: number
  completionTokens?: number
  /** US dollars; absent if unknown, never 0 instead. */
  cost?: number
  latencyMs?: number
  firstTokenMs?: number
  httpStatus?: number
  /** Why there is no answer; with an answer, what was left out of it. */
  error?: string
}

/** A request that ended without tokens cost nothing, even if its price is unknown: it was refused, or never left. */
export function isCostUnknown(end: AttemptEnd | undefined): boolean {
  return end?.cost === undefined && !(end?.promptTokens === 0 && end.completionTokens === 0)
}

export type AttemptId = number

/** Without an end, it was in progress when the process died. */
export type StoredAttempt = AttemptStart & { id: AttemptId; end?: AttemptEnd }

/** What is known of a run without looking at its cells. */
export interface RunDescription {
  id: string
  kind: RunKind
  seriesId?: string
  label?: RunLabel
  testSuiteId?: string
  testSuiteName?: string
  models: string[]
  status: RunStatus
  startedAt: number
  completedAt?: number
  stopReason?: StopReason
  /** Budget of its whole series in US dollars. */
  maxCost?: number
  /** How many runs its series was asked for, if more than one. */
  repeat?: number
  /** Who started it, on a team server. */
  startedBy?: Person
  /** The project that pays for it. */
  project?: string
}

export interface RunSummary extends RunDescription {
  cells: { total: number; scored: number; unscored: number; errors: number; pending: number }
  /** Total of all attempts with a known cost. */
  cost: number
  /** Attempts whose cost is unknown (`isCostUnknown`). */
  unknownCosts: number
}

/** Which runs to list: those that meet every condition. */
export interface RunFilter {
  /**
   * Each is part of the run's name, a tag, its note, its suite's name, a model or an id, whatever its case; or it is
   * the run's state, or `series` for a run of a series.
   */
  words?: readonly string[]
  /** It has each of these tags, whatever their case. */
  tags?: readonly string[]
  /** It is of one of these kinds. */
  kinds?: readonly RunKind[]
  /** It was started from the stored suite, or from a suite of that name. */
  suite?: { id?: string; name?: string }
  /** Ids of runs and series that a live process works on: other runs stored as `running` are `interrupted`. */
  workedOn?: readonly string[]
  /** Adds the other runs of each series that has such a run. */
  wholeSeries?: boolean
}

/** A page of the runs that pass the filter, or the runs with these ids; unknown ids are ignored. */
export type RunSelection = (RunFilter & { limit?: number; offset?: number }) | { ids: readonly string[] }

export interface LoadedScores {
  scores: ScoreTable
  /** The suite of each run of the table; the runs of a series share one. */
  suites: (Suite | undefined)[]
}

/** A cell with everything stored about it. */
export interface StoredCell {
  result: CellResult
  /** The model's answer with its reasoning and finish reason; absent if it never answered. */
  answer?: ModelAnswer
  /** Every request sent for the cell, in order. */
  attempts: StoredAttempt[]
}

/** Who rates an answer, and the queue that drew it. */
export type Rater = Pick<RaterRating, 'rater' | 'queueId'>

/** A person's rating of one cell of a run. */
export interface StoredRating extends RaterRating, Omit<CellKey, 'runId'> {
  ratedAt: number
}

/** A lease on a run or series, held by the process that works on it and renewed while it does. */
export interface Claim {
  /** Id of the run or series. */
  id: string
  host: string
  pid: number
  /** Distinguishes two claims of the same process. */
  token: string
  since: number
  renewedAt: number
  /** Of a run that workers have: why none of them works on it. */
  waiting?: string
}

/** What is stored besides runs. Each kind has its own shape and is parsed by its users. */
export type DocumentKind =
  | 'suite'
  | 'calibration'
  | 'audit'
  | 'vote'
  | 'fork'
  | 'rating-queue'
  | 'settings'
  | 'batch'
  | 'shared-link'
  | 'added-runs'

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

/** The document was saved by someone else in the meantime; nothing was written. */
export class VersionConflict extends Error {
  override name = 'VersionConflict'
  readonly currentVersion: number

  constructor(message: string, currentVersion: number) {
    super(message)
    this.currentVersion = currentVersion
  }
}

/**
 * Stores runs. Once a method's promise resolves, what it wrote survives a crash of this program and, unless noted, a
 * power failure. Writes may be grouped into one commit, in call order. All drivers pass the same tests.
 */
export interface Storage {
  /**
   * Writes the run and its cells, all pending. A power failure right after may undo it. The label belongs to the
   * series: if that already has runs, theirs counts.
   */
  createRun(run: RunHeader, cells: Omit<CellKey, 'runId'>[]): Promise<void>
  /** A power failure right after may undo it: the disk is flushed while the model answers. */
  startAttempt(attempt: AttemptStart): Promise<AttemptId>
  /** For an attempt that returned no answer for the cell, and for judge attempts. */
  endAttempt(id: AttemptId, end: AttemptEnd): Promise<void>
  /** Ends the attempt and stores its answer in the cell, in one transaction; it replaces an earlier answer. */
  saveAnswer(id: AttemptId, end: AttemptEnd, cell: CellKey, answer: ModelAnswer): Promise<void>
  /** Ends the attempt of a turn and stores what was said, in one transaction. */
  saveTurn(id: AttemptId, end: AttemptEnd, cell: CellKey, said: CellEvent): Promise<void>
  /** Adds to the log of a conversation; an event with a number that is there already is refused. */
  appendEvents(cell: CellKey, events: readonly CellEvent[]): Promise<void>
  /** Stores how a conversation ended and its answer, in one transaction; without an event, it goes on later. */
  saveConversation(cell: CellKey, answer: ModelAnswer, ended?: CellEvent): Promise<void>
  /** The log of a conversation, in order. */
  loadEvents(cell: CellKey): Promise<CellEvent[]>
  saveScore(cell: CellKey, score: ScoringResult | { unscored: Unscored }): Promise<void>
  /** The final result of a cell for which no attempt returned an answer. */
  saveError(cell: CellKey, outcome: Outcome, error: string): Promise<void>
  setRunStatus(runId: string, status: RunStatus, end?: { completedAt?: number; stopReason?: StopReason }): Promise<void>
  /** Replaces the request of the run and of the other runs in its series; the person and project in it pay for them. */
  saveRequest(runId: string, request: RunRequest): Promise<void>
  /** What requests of the run cost counts for these from now on, until `saveRequest` is called. */
  savePayers(runId: string, payers: Pick<RunRequest, 'startedBy' | 'project'>): Promise<void>
  /** Changes the label of the run, or of its series if it belongs to one. Returns what it is now. */
  saveLabel(runId: string, change: LabelChange): Promise<RunLabel | undefined>
  /** Reopens failed cells, so that resuming the run retries them. Returns how many. */
  reopenErrors(runId: string): Promise<number>
  /**
   * Replaces what the same person said about the cell. Without a rating and a note it removes that, or, if a queue drew
   * the answer, stores that the person skipped it. Without a rater, it is the rating by nobody in particular.
   */
  saveRating(cell: CellKey, rating: HumanRating, by?: Rater): Promise<void>
  /** Changes the rating by nobody in particular; one that is left without a rating and a note is removed. */
  changeRating(cell: CellKey, change: RatingChange): Promise<void>

  /**
   * The run with the results of its finished cells; `undefined` if there is none with that id. `texts: false` omits
   * responses, tool calls and scorers' texts but keeps the numbers, for statistics over many cells. `suite: false`
   * omits the suite, for callers that already have it. `testCaseIds` selects the results of these cases.
   */
  loadRun(
    runId: string,
    options?: { texts?: boolean; suite?: boolean; testCaseIds?: readonly string[] },
  ): Promise<RunResult | undefined>
  /** The scores of these runs in one table, without those that are not there. */
  loadScores(runIds: readonly string[]): Promise<LoadedScores>
  loadCell(cell: CellKey): Promise<StoredCell | undefined>
  /** The number of cells with a person's rating in each run that has any. */
  countRatings(): Promise<{ runId: string; ratings: number }[]>
  /** Changes whenever a rating of these runs does, whoever wrote it. */
  ratingsToken(runIds: readonly string[]): Promise<string>
  /** What people who gave their name said about the cells of a run, oldest first. */
  listRatings(runId: string): Promise<StoredRating[]>
  /** Cells whose response contains the text, ignoring case, in the order of the run. */
  searchAnswers(runId: string, text: string): Promise<Omit<CellKey, 'runId'>[]>
  /** Unfinished cells, of all cases or of these: pending, or answered but not yet scored (with their answer). */
  loadOpenCells(
    runId: string,
    testCaseIds?: readonly string[],
  ): Promise<{ cell: CellKey; answer?: ModelAnswer; attempts: number }[]>
  loadAttempts(runId: string): Promise<StoredAttempt[]>
  /** Ids that start with the prefix, the last stored first. `latest` is the run stored last that is neither rerun nor experiment, whatever the clock says. */
  findRuns(idPrefix: string): Promise<string[]>
  /** The last stored first, like `latest`. */
  listRuns(selection?: RunSelection): Promise<RunSummary[]>
  /** The same without counting cells, which takes long for many runs. */
  describeRuns(selection?: RunSelection): Promise<RunDescription[]>
  /** In the order they were stored. */
  runsOfSeries(seriesId: string): Promise<string[]>
  deleteRun(runId: string): Promise<boolean>
  countRuns(filter?: RunFilter): Promise<number>

  /**
   * Claims a run or series for a process. Fails if there is a claim that is not the one to `replace`: then returns that
   * claim and writes nothing.
   */
  claim(claim: Claim, options?: { replace?: string }): Promise<Claim | undefined>
  /** Returns false if another process has taken it over. */
  renewClaim(id: string, token: string, renewedAt: number): Promise<boolean>
  releaseClaim(id: string, token: string): Promise<void>
  listClaims(): Promise<Claim[]>

  /**
   * Records what a process spent from its accounts, and reserves what it needs next: the same amount from each, as much
   * of what it wants as is left in all of them. What a process holds beyond its lease counts as spent.
   */
  drawBudget(draw: BudgetDraw): Promise<DrawnBudget>

  /**
   * Saves a new version. With `after`, it must follow that version (0: the document must be new); otherwise throws
   * `VersionConflict` and writes nothing.
   */
  saveDocument(
    document: { kind: DocumentKind; id: string; content: unknown },
    options?: { after?: number },
  ): Promise<StoredDocument>
  /** The newest version, or the given one. */
  loadDocument(kind: DocumentKind, id: string, version?: number): Promise<StoredDocument | undefined>
  /** The newest version of each, last saved first. */
  listDocuments(kind: DocumentKind): Promise<StoredDocument[]>
  /** All versions of a document, newest first, without their content. */
  documentVersions(kind: DocumentKind, id: string): Promise<Omit<StoredDocument, 'content'>[]>
  /** Deletes all versions. Returns false if there were none. */
  deleteDocument(kind: DocumentKind, id: string): Promise<boolean>

  /** Replaces an artifact with the same name. */
  saveArtifact(cell: CellKey, artifact: Artifact): Promise<void>
  listArtifacts(cell: CellKey): Promise<(Omit<Artifact, 'content'> & { size: number })[]>
  loadArtifact(cell: CellKey, name: string): Promise<Artifact | undefined>

  /** What a team server keeps besides runs. */
  access: AccessStorage

  /** The time by which all processes that use the database agree, whatever the clocks of their machines say. */
  now(): number
  /** Changes whenever this or another program writes anything. Undefined if the database cannot tell. */
  changeToken(): Promise<string | undefined>
  /** Copies the whole database to a new file while it is in use. Rejected by drivers with their own backup tools. */
  backupTo(file: string): Promise<void>
  /** The same database, with a guard in the transaction of every write. Only PostgreSQL has it. */
  guardedBy?(guard: WriteGuard): Storage
  close(): Promise<void>
}

/** Runs first in the transaction of a write; if it throws, nothing is written. */
export type WriteGuard = (
  execute: (sql: string, parameters?: readonly unknown[]) => Promise<{ rows: Record<string, unknown>[] }>,
) => Promise<void>

/** The versions of the tables: in the database, and those that this program supports. */
export interface TableVersions {
  stored: number
  supported: number
}

/** The data cannot be used: the database is locked, damaged or too new, or the disk is full. Says what to do. */
export class StorageError extends Error {
  override name = 'StorageError'
}

/** Another process has taken the claim: nothing was written, and nothing may be sent. */
export class ClaimLost extends StorageError {
  override name = 'ClaimLost'
}
