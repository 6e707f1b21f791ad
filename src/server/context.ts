import type { Client, Storage } from '../contract/index.ts'
import type { RunTools } from '../services/index.ts'
import type { KeyStore } from '../settings/index.ts'
import type { PreviewServer } from './code-arena/preview-server.ts'
import type { RunManager } from './runs/run-manager.ts'
import type { ModelCatalog } from './settings/model-catalog.ts'

/** What the routes work with; chosen and wired by the command line. */
export interface ServerContext {
  version: string
  dataFolder: string
  storageKind: 'sqlite' | 'postgres'
  storage: Storage
  /** The client of a model, with the keys as they are now. Throws `InputError` when a key is missing. */
  clientFor(modelId: string): Client
  /** The clients of every provider that can be asked now. */
  listedClients(): Client[]
  runTools(): RunTools
  runs: RunManager
  /** What providers offer. */
  models: ModelCatalog
  /** Where the Code Arena's pages are shown. */
  previews: Omit<PreviewServer, 'close'>
  keys: KeyStore
  /** The variables that may hold keys; they win over those in `keys`. */
  environment: Readonly<Record<string, string | undefined>>
  /** Call it after keys or endpoints have changed: from then on models are asked with the new ones. */
  renewClients(): Promise<void>
  /** Puts another database in the place of the one in use; refused where the data is not a file. */
  replaceDatabase(file: string): Promise<void>
  /** Bytes on disk, where that is known. */
  databaseSize(): Promise<number | undefined>
  now(): number
  createId(): string
}
