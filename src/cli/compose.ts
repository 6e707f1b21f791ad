import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError, type Storage } from '../contract/index.ts'
import { createClients } from '../providers/index.ts'
import { drawRandom, startScoring } from '../runner/index.ts'
import { loadEndpoints } from '../settings/endpoints.ts'
import { openKeyStore } from '../settings/file-key-store.ts'
import { mergeKeys } from '../settings/key-list.ts'
import type { KeyStore } from '../settings/key-store.ts'
import { findOsKeyStore } from '../settings/os-key-store.ts'
import { systemClock, type RunTools } from '../services/index.ts'
import { openStorage } from '../storage/index.ts'
import { createPages } from './compose-pages.ts'
import { findDataFolder } from './data-folder.ts'
import { createModelAccess, type ModelAccess } from './model-access.ts'
import { readVersion } from './package-files.ts'

export interface AppOptions {
  data?: string | undefined
  baseUrl?: string | undefined
}

/** The program's parts, chosen and wired only here; each is created on first use. */
export interface App
  extends Pick<ModelAccess, 'clientFor' | 'listedClients' | 'connect'>, Pick<RunTools, 'loadTokenCounter'> {
  storage(): Promise<Storage>
  runTools(): Promise<RunTools>
  dataFolder: string
  close(): Promise<void>
}

/** Ids sort by time and are easy to distinguish and type: 20261115-034512-k7x2. */
export function createId(): string {
  const time = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15)
  return `${time}-${randomBytes(3).readUIntBE(0, 3).toString(36).padStart(4, '0').slice(-4)}`
}

/** The tokenizer is 2 MB, so it is loaded only for estimates. */
async function loadTokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer')
  return (text) => countTokens(text)
}

const databaseIn = (dataFolder: string) => join(dataFolder, 'benchmaker.db')

function hasData(dataFolder: string, env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['BENCHMAKER_DATABASE_URL']) || existsSync(databaseIn(dataFolder))
}

/** Opens the database: PostgreSQL if `BENCHMAKER_DATABASE_URL` is set, else a file in the data folder. */
export async function openData(dataFolder: string, env: NodeJS.ProcessEnv): Promise<Storage> {
  const connectionString = env['BENCHMAKER_DATABASE_URL']
  if (connectionString) return openStorage({ connectionString })
  await mkdir(dataFolder, { recursive: true }).catch((error: Error) => {
    throw new InputError(`the data folder ${dataFolder} cannot be created: ${error.message}`, { cause: error })
  })
  return openStorage({ file: databaseIn(dataFolder) })
}

/** Opens the keys saved in the web app's settings. */
export function openKeys(dataFolder: string, env: NodeJS.ProcessEnv): KeyStore {
  return openKeyStore({ dataFolder, os: findOsKeyStore(env, dataFolder) })
}

/** Creates what runs need from this machine. */
export function createTools({ storage, pages, connect }: Pick<RunTools, 'storage' | 'pages' | 'connect'>): RunTools {
  let counter: ReturnType<RunTools['loadTokenCounter']> | undefined
  return {
    storage,
    pages,
    connect,
    scoring: startScoring(),
    clock: systemClock,
    random: drawRandom,
    createId,
    loadTokenCounter: () => (counter ??= loadTokenCounter()),
    versions: { benchmaker: readVersion(), node: process.versions.node },
  }
}

export async function composeApp({ data, baseUrl }: AppOptions, env: NodeJS.ProcessEnv = process.env): Promise<App> {
  const dataFolder = findDataFolder(data, env)
  let storage: Promise<Storage> | undefined
  const openOnce = () => (storage ??= openData(dataFolder, env))
  const keys = openKeys(dataFolder, env)
  // A base URL replaces the saved endpoints; and looking for them must not create a database.
  const endpoints = baseUrl === undefined && hasData(dataFolder, env) ? await loadEndpoints(await openOnce(), keys) : []
  const access = createModelAccess({
    open: (url) => createClients({ env: mergeKeys(keys, env), endpoints, ...(url !== undefined && { baseUrl: url }) }),
    baseUrl,
    cacheFolder: join(dataFolder, 'cache'),
  })
  const pages = createPages(access.clientFor, { dataFolder, env })

  return {
    dataFolder,
    storage: openOnce,
    clientFor: access.clientFor,
    listedClients: access.listedClients,
    connect: access.connect,
    loadTokenCounter,
    runTools: async () => createTools({ storage: await openOnce(), pages, connect: access.connect }),
    async close() {
      await pages.close()
      await access.close()
      await (await storage)?.close()
    },
  }
}
