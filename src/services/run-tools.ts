import type { CancelSignal, Client, PageTools, RunRequest, Storage } from '../contract/index.ts'
import type { Scoring } from '../scoring/index.ts'
import type { Clock } from './asking/clock.ts'
import type { Price } from './asking/price.ts'
import type { RunEvent } from './events.ts'

/** How the models of one run are reached. */
export interface Connections {
  /** Throws `InputError` when a key is missing. */
  clientOf(modelId: string): Client
  /** Of those models whose provider tells them. */
  readPrices(models: readonly string[]): Promise<ReadonlyMap<string, Price>>
}

/** What a run needs of the machine; each door of the program brings its own. */
export interface RunTools {
  storage: Storage
  scoring: Scoring
  clock: Clock
  random: () => number
  createId: () => string
  versions: Record<string, string>
  /** For the Code Arena, where the program has it. */
  pages?: PageTools | undefined
  /** Loaded only where a budget or an estimate needs it. */
  loadTokenCounter(): Promise<(text: string) => number>
  /** `repeat` counts the runs of a series from 0: simulated models vary from run to run, and a cache never mixes runs. */
  connect(request: Pick<RunRequest, 'endpoint' | 'cache'>, repeat: number): Connections
}

export interface RunOptions {
  onEvent?: ((event: RunEvent) => void) | undefined
  signal?: CancelSignal | undefined
  /** False: the runs that are returned hold the numbers alone, without responses and the words of scorers. */
  withTexts?: boolean | undefined
  /** Works on a run that another process claims: for those who know that it is dead. */
  takeOver?: boolean | undefined
}
