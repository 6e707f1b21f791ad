import type { CellKey, Storage } from '../ports/storage.ts'
import { StorageError } from '../ports/storage.ts'

/** A run whose cells workers take from the queue. */
export interface QueuedRun {
  runId: string
  seriesId?: string | undefined
  /** Which run of the series, from 0. */
  index: number
  /** Of the next run of the series. Fixed in advance, so that a second try finds what the first one started. */
  nextRunId: string
}

/** Whole test cases of a run: answers that are compared with each other stay together. */
export interface CellWork extends QueuedRun {
  kind: 'cells'
  testCaseIds: string[]
  /** Answers of these cases that only need a grade. */
  ungraded: Omit<CellKey, 'runId'>[]
}

/** After the last cell of a run: marks it as completed and starts the next run of its series. */
export interface FinishWork extends QueuedRun {
  kind: 'finish'
}

export type QueuedWork = CellWork | FinishWork

/** A lease: the work belongs to this worker while it renews it. */
export interface TakenWork {
  work: QueuedWork
  id: string
  /** Counts how many workers had it before. */
  epoch: number
  /** What happened to workers that had it before. */
  trouble?: LeaseTrouble | undefined
}

export interface LeaseTrouble {
  /** How often a worker died or failed with it, apart from the failures. */
  losses: number
  /** How often a worker had begun only this cell when it died or failed. */
  failuresOf(cell: Omit<CellKey, 'runId'>): number
  /** Why the last worker failed; undefined if it died. */
  problem?: string | undefined
}

/** The lease has passed to another worker, or the run was stopped: nothing was written. */
export class LeaseLost extends StorageError {
  override name = 'LeaseLost'

  constructor() {
    super('This part of the run was taken over by another worker, or the run was stopped. Nothing was written.')
  }
}

/** Indices of cells, test case by test case in the order of the run. */
interface CellChanges {
  started?: number[]
  answered?: number[]
  /** Pages that a browser has inspected. */
  seen?: number[]
  finished?: number[]
}

/** What followers are told; they read the rest from storage. */
export interface RunChange extends CellChanges {
  runId: string
  /** The run was put into the queue, has ended or was stopped. */
  hasMoved?: boolean
}

export interface QueueMember {
  kind: 'server' | 'worker'
  name: string
  concurrency?: number
}

/** How work reaches workers on other machines. Only PostgreSQL has it. */
export interface WorkQueue {
  /** Program and tables: only members of the same version share work. */
  readonly version: string
  /** Database and host, for messages. */
  readonly place: string

  /** Adds the run with its work, all at once. Does nothing if the run is already queued. */
  enqueue(run: QueuedRun, work: readonly CellWork[], by?: TakenWork): Promise<void>
  /** Takes the run back. Its leases end: workers drop what they are doing. Returns false if it was not queued. */
  withdraw(runId: string): Promise<boolean>
  listQueued(): Promise<QueuedRun[]>

  /** The next work of this version; undefined if there is none now, or only of runs to leave out. */
  take(options?: { exceptRuns?: readonly string[] }): Promise<TakenWork | undefined>
  /** Writes down which cell is about to be begun, alone: if the worker dies, the next one knows with which cell. */
  begin(taken: TakenWork, cell: Omit<CellKey, 'runId'>): Promise<void>
  /** Returns false if the lease is lost. */
  renew(taken: TakenWork): Promise<boolean>
  /** The last cells of a run add the work that finishes it; after that, the run leaves the queue. Throws `LeaseLost`. */
  complete(taken: TakenWork): Promise<void>
  /** Hands the work back, so that another worker takes it at once. With a problem, it counts as a loss. */
  release(taken: TakenWork, problem?: string): Promise<void>
  /** Hands the work back because this worker lacks something that the run needs. */
  refuse(taken: TakenWork, problem: string): Promise<void>
  /** This worker can work on the run, also if it refused it before. */
  accept(taken: TakenWork): Promise<void>
  /** Why no live worker works on a queued run; undefined if one can. */
  explainWaiting(runId: string): Promise<string | undefined>
  /** The same database, in which every write first checks the lease, in its own transaction. */
  guard(storage: Storage, taken: TakenWork): Storage
  /** Hands out the work of workers that have died, and marks queued runs as worked on or as waiting for a worker. Call it every second. */
  supervise(): Promise<void>

  /** Announces this process until it leaves. Renews itself. */
  join(member: QueueMember): Promise<{ leave(): Promise<void> }>
  countWorkers(): Promise<number>
  /** The version that servers and queued runs need; undefined if nothing needs another than ours. */
  findOtherVersion(): Promise<string | undefined>

  notify(change: RunChange): Promise<void>
  /** `onReconnect`: changes may have been missed. */
  follow(listener: { onChange(change: RunChange): void; onReconnect(): void }): () => void
  /** Calls back when there may be new work, or when a run was taken back. */
  onWork(listener: (news: 'work' | 'withdrawn') => void): () => void
  close(): Promise<void>
}

/** The version in the queue's name counts the tables too, which nobody installs. */
export const programVersion = (version: string): string => version.replace(/-\d+$/, '')
