import type { Client, Storage } from '../contract/index.ts'
import type { EngineTools, Price } from '../services/index.ts'
import type { FullRunManager, RunManager } from './runs/run-manager.ts'
import type { KeyStore } from '../settings/index.ts'
import type { ModelCatalog } from './settings/model-catalog.ts'
import type { PreviewServer } from './code-arena/preview-server.ts'

/** What the routes work with; chosen and wired by the command line. */
export interface ServerParts {
  version: string
  dataFolder: string
  storageKind: 'sqlite' | 'postgres'
  storage: Storage
  /** Who answers for a model, with the keys as they are now. Throws `InputError` when a key is missing. */
  clientFor(modelId: string): Client
  /** The clients of one run of a series: simulated models vary from run to run. */
  clientsOfRun(repeat: number): (modelId: string) => Client
  /** All that can be asked for their models. */
  listedClients(): Client[]
  readPrices(models: readonly string[]): Promise<Map<string, Price>>
  engineTools(options?: { countsTokens?: boolean }): Promise<EngineTools>
  runs: RunManager
  keys: KeyStore
  now(): number
  createId(): string
}

/** What only the server's own routes need beside that. */
export interface CoreParts extends ServerParts {
  runs: FullRunManager
  /** What providers offer. */
  models: ModelCatalog
  /** Where the Code Arena's pages are shown. */
  previews: Omit<PreviewServer, 'close'>
  /** The variables that may hold keys; they win over those in `keys`. */
  environment: Readonly<Record<string, string | undefined>>
  /** After keys or endpoints have changed: from now on models are asked with the new ones. */
  renewClients(): Promise<void>
  /** Puts another database in the place of the one in use; refused where the data is not a file. */
  replaceDatabase(file: string): Promise<void>
  /** Bytes on disk, where that can be said. */
  databaseSize(): Promise<number | undefined>
}
