import type { Client, InspectPage, Storage, WorkQueue } from '../contract/index.ts'
import type { RunTools } from '../services/index.ts'
import type { KeyStore } from '../settings/index.ts'
import type { PackageTools } from '../preview/packages/install.ts'
import type { PreviewServer } from './code-arena/preview-server.ts'
import type { RunManager } from './runs/run-manager.ts'
import type { ModelCatalog } from './settings/model-catalog.ts'

/** What the routes use; the command line chooses and wires it. */
export interface ServerContext {
  version: string
  dataFolder: string
  storageKind: 'sqlite' | 'postgres'
  storage: Storage
  /** The client of a model, with the current keys. Throws `InputError` if a key is missing. */
  clientFor(modelId: string): Client
  /** The clients of all providers that are configured now. */
  listedClients(): Client[]
  runTools(): RunTools
  runs: RunManager
  /** How workers get the cells of runs; undefined unless the data is in PostgreSQL. */
  queue?: WorkQueue | undefined
  /** The models that providers offer. */
  models: ModelCatalog
  /** Where the Code Arena's pages are shown. */
  previews: Omit<PreviewServer, 'close'>
  /** Where other npm packages for pages are installed on this machine. */
  packages: PackageTools
  inspectPage: InspectPage
  /** Why screenshots cannot be taken, in words; undefined if they can. */
  findBrowserProblem(): Promise<string | undefined>
  keys: KeyStore
  /** The variables that may hold keys; they take precedence over `keys`. */
  environment: Readonly<Record<string, string | undefined>>
  /** Call it after keys or endpoints change, so that later requests use the new ones. */
  renewClients(): Promise<void>
  /** Replaces the database in use with another; throws if the data is not a file. */
  replaceDatabase(file: string): Promise<void>
  /** Bytes on disk, if known. */
  databaseSize(): Promise<number | undefined>
  /** Throws if users must not use the address: on a team server, an internal one. */
  checkAddress(baseUrl: string): Promise<void>
  now(): number
  createId(): string
}
