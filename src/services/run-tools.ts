import type {
  OpenExternal,
  CancelSignal,
  Client,
  PageTools,
  RunLabel,
  RunRequest,
  Storage,
  WorkQueue,
} from '../contract/index.ts'
import type { Scoring } from '../scoring/index.ts'
import type { Clock } from './requesting/clock.ts'
import type { Price } from './requesting/price.ts'
import type { RunEvent } from './events.ts'
import type { Pacing } from './limits/pacing.ts'

/** How the models of one run are reached. */
export interface Connections {
  /** Throws `InputError` when a key is missing. */
  clientOf(modelId: string): Client
  /** The prices of those models whose provider publishes them. */
  /** `isQuick`: rather nothing than a long wait for a list. */
  readPrices(models: readonly string[], options?: { isQuick?: boolean }): Promise<ReadonlyMap<string, Price>>
}

/** What a run needs from its environment; the terminal, web app and library each supply their own. */
export interface RunTools {
  storage: Storage
  scoring: Scoring
  clock: Clock
  random: () => number
  createId: () => string
  versions: Record<string, string>
  /** For the Code Arena, if available. */
  pages?: PageTools | undefined
  /** The limits of providers, for all runs together. Absent: each run has its own. */
  pacing?: Pacing | undefined
  /** Real tools for conversations; absent where suites may not reach any. */
  external?: OpenExternal | undefined
  /** How workers on other machines get cells, if the database has a queue. */
  queue?: WorkQueue | undefined
  /** Called only if a budget or an estimate needs it. */
  loadTokenCounter(): Promise<(text: string) => number>
  /** `repeat` is the run's index in its series: simulated models vary between runs, and a cache never mixes them. */
  connect(
    request: Pick<RunRequest, 'endpoint' | 'cache' | 'maxCacheAgeSeconds' | 'startedBy'>,
    repeat: number,
  ): Connections
}

export interface RunOptions {
  /** What people call a new run or series; it can be changed later. */
  label?: RunLabel | undefined
  onEvent?: ((event: RunEvent) => void) | undefined
  signal?: CancelSignal | undefined
  /** Once aborted, no further cell is started; those in progress are finished. */
  drain?: CancelSignal | undefined
  /** False: the returned runs hold only numbers, without responses or scorers' texts. */
  withTexts?: boolean | undefined
  /** Takes the run from another process that claims it but is known to be dead. */
  takeOver?: boolean | undefined
  /** Hands the cells to workers: `always`, or only if a worker is running. Default: this process asks the models. */
  onWorkers?: 'always' | 'if-any' | undefined
  /** Ends the call while workers go on; `signal` would stop them. */
  detach?: CancelSignal | undefined
}

/** The options of work that holds the claim on its run. */
export interface ClaimedOptions extends RunOptions {
  /** Throws `RunTakenOver` if another process has the claim now: the run's status is then that process's to write. */
  confirmClaim?: (() => Promise<void>) | undefined
  /** Of that claim. */
  claimToken?: string | undefined
}
