import type { ResumeChange, RunRequest, Suite, LiveSnapshot, LiveUpdate } from '../../contract/index.ts'
import type { RunEvent } from '../../services/index.ts'

/** POST /api/runs · POST /api/runs/:id/resume */
export interface StartedRun {
  runId: string
  seriesId?: string
}

export type LiveMessage =
  | { type: 'snapshot'; snapshot: LiveSnapshot }
  | { type: 'update'; update: LiveUpdate }
  | { type: 'finished' }

/** The runs that this server works on. They go on whether or not anybody watches. */
export interface RunManager {
  start(request: RunRequest): Promise<StartedRun>
  resume(runId: string, change?: ResumeChange): Promise<StartedRun>
  /** Resolves when every socket is closed and the state is stored. False when nothing of that id is under way. */
  stop(runId: string): Promise<boolean>
  isLive(runId: string): boolean
  liveRuns(): string[]
  /** The listener first gets a snapshot. Undefined when the run is not live. */
  watch(runId: string, listener: (message: LiveMessage) => void): (() => void) | undefined
  /** Scores the stored answers anew; only judges are asked. */
  rescore(runId: string): Promise<StartedRun>
  /** Runs a suite that is not one of the stored ones; `request.suiteId` is what its runs are kept under. */
  startSuite(suite: Suite, request: RunRequest): Promise<StartedRun>
  /** Hears what the engine says of every run, with the id of its suite. Gives a way to stop. */
  listen(listener: (event: RunEvent, suiteId: string) => void): () => void
  /** Stops everything; used when the server ends. */
  close(): Promise<void>
}
