import type {
  Person,
  ResumeChange,
  RunLabel,
  RunRequest,
  LiveSnapshot,
  LiveUpdate,
  RunInput,
} from '../../contract/index.ts'
import type { RunEvent } from '../../services/index.ts'
import type { LiveRun } from './live-run.ts'

/** POST /api/runs · POST /api/runs/:id/resume */
export interface StartedRun {
  runId: string
  seriesId?: string
}

export type LiveMessage =
  | { type: 'snapshot'; snapshot: LiveSnapshot }
  | { type: 'update'; update: LiveUpdate }
  | { type: 'finished' }
  /** The server stops: what comes next is known to the one that is started in its place. */
  | { type: 'restarting' }

/** The runs that this server is working on, and those of workers. They continue whether or not anyone is watching. */
export interface RunManager {
  start(request: RunRequest, options?: { label?: RunLabel | undefined }): Promise<StartedRun>
  /** `takeOver` takes the run from another process that is known to be dead. */
  resume(runId: string, change?: ResumeChange, options?: { takeOver?: boolean | undefined }): Promise<StartedRun>
  /** Resolves when every socket is closed and the state is stored; false if no such run is in progress. */
  stop(runId: string): Promise<boolean>
  isLive(runId: string): boolean
  /** The state of a live run as its screen shows it. */
  find(runId: string): LiveRun | undefined
  /** Whether it is followed while workers work on it. */
  isOnWorkers(runId: string): boolean
  /** What a live run waits for outside this program, such as a provider's batch; undefined if nothing. */
  findWaiting(runId: string): string | undefined
  liveRuns(): string[]
  /** Those that stop when the server does: not those that workers work on. */
  ownRuns(): string[]
  /** The listener first gets a snapshot. Undefined if the run is not live. */
  watch(runId: string, listener: (message: LiveMessage) => void): (() => void) | undefined
  /** Scores the stored answers again; only judges are called, and `payer` pays for them. */
  rescore(runId: string, change?: { payer?: Person | undefined }): Promise<StartedRun>
  /** Runs a suite that is not stored; `request.suiteId` is the suite id its runs are stored under. */
  startSuite(input: RunInput): Promise<StartedRun>
  /** Listens to the engine's events for every run. Returns a function that stops it. */
  listen(listener: (event: RunEvent) => void): () => void
  /**
   * Stops everything but what workers do, for when the server shuts down: no further cell is started, and those in progress have `graceMs`
   * to finish. Runs can be resumed at once, here or elsewhere.
   */
  close(options?: { graceMs?: number }): Promise<void>
}
