import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError, type Client, type PageTools, type Storage } from '../contract/index.ts'
import { createClients, createLazyDemoClient } from '../providers/index.ts'
import { drawRandom, startScoring } from '../runner/index.ts'
import { findOsKeyStore, type KeyStore, loadEndpoints, mergeKeys, openKeyStore } from '../settings/index.ts'
import { createCachedClient, systemClock, type EngineTools, type Price } from '../services/index.ts'
import { openAnswerCache, openStorage } from '../storage/index.ts'
import { createPages } from './compose-pages.ts'
import { findDataFolder } from './data-folder.ts'
import { readVersion } from './package-files.ts'

export interface AppOptions {
  data?: string | undefined
  baseUrl?: string | undefined
}

/** The program's parts, chosen and wired in this one place; each is made when it is first asked for. */
export interface App {
  storage(): Promise<Storage>
  clientFor(modelId: string): Client
  /** The clients of one run of a series: simulated models vary from run to run, and a cache never mixes runs. */
  clientsOfRun(repeat: number, options: { cache: boolean }): (modelId: string) => Client
  /** Those whose models can be listed: one by name, or all that can be asked. */
  listedClients(provider?: string): Client[]
  /** Prices of those models whose provider tells them. */
  readPrices(models: readonly string[]): Promise<Map<string, Price>>
  /** `countsTokens` where a budget or an estimate needs it. */
  engineTools(options?: { countsTokens?: boolean }): Promise<EngineTools>
  dataFolder: string
  close(): Promise<void>
}

/** Sorts by time, and can be told apart and typed by a person: 20261115-034512-k7x2. */
export function createId(): string {
  const time = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15)
  return `${time}-${randomBytes(3).readUIntBE(0, 3).toString(36).padStart(4, '0').slice(-4)}`
}

/** The tokenizer is 2 MB: only those who need to estimate pay for it. */
export async function loadTokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer')
  return (text) => countTokens(text)
}

const databaseIn = (dataFolder: string) => join(dataFolder, 'benchmaker.db')

function hasData(dataFolder: string, env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['BENCHMAKER_DATABASE_URL']) || existsSync(databaseIn(dataFolder))
}

/** The database: a server's where one is named, else a file in the data folder. */
export async function openData(dataFolder: string, env: NodeJS.ProcessEnv): Promise<Storage> {
  const connectionString = env['BENCHMAKER_DATABASE_URL']
  if (connectionString) return openStorage({ connectionString })
  await mkdir(dataFolder, { recursive: true }).catch((error: Error) => {
    throw new InputError(`the data folder ${dataFolder} cannot be made: ${error.message}`, { cause: error })
  })
  return openStorage({ file: databaseIn(dataFolder) })
}

/** Keys that were saved in the web app's settings. */
export function openKeys(dataFolder: string, env: NodeJS.ProcessEnv): KeyStore {
  return openKeyStore({ dataFolder, os: findOsKeyStore(env, dataFolder) })
}

/** What the engine needs of this machine. */
export function createTools(storage: Storage, pages: PageTools): EngineTools {
  return {
    storage,
    pages,
    scoring: startScoring(),
    clock: systemClock,
    random: drawRandom,
    createId,
    countTokens: (text) => text.length,
    versions: { benchmaker: readVersion(), node: process.versions.node },
  }
}

export async function composeApp({ data, baseUrl }: AppOptions, env: NodeJS.ProcessEnv = process.env): Promise<App> {
  const dataFolder = findDataFolder(data, env)
  let storage: Promise<Storage> | undefined
  const openOnce = () => (storage ??= openData(dataFolder, env))
  const keys = openKeys(dataFolder, env)
  // A base URL stands for every model; and where nothing was ever stored, nothing is made to look for endpoints in it.
  const endpoints = baseUrl === undefined && hasData(dataFolder, env) ? await loadEndpoints(await openOnce(), keys) : []
  const clients = createClients({ env: mergeKeys(keys, env), endpoints, ...(baseUrl !== undefined && { baseUrl }) })
  const pages = createPages((modelId) => clients.clientFor(modelId), env)

  return {
    dataFolder,
    storage: openOnce,
    clientFor: (modelId) => clients.clientFor(modelId),
    clientsOfRun(repeat, { cache }) {
      const demo = repeat === 0 ? undefined : createLazyDemoClient({ salt: String(repeat) })
      const kept = cache ? openAnswerCache(join(dataFolder, 'cache')) : undefined
      const made = new Map<Client, Client>()
      return (modelId) => {
        const client = demo && modelId.startsWith('demo/') ? demo : clients.clientFor(modelId)
        if (!kept) return client
        const cached = made.get(client) ?? createCachedClient(client, kept, repeat)
        made.set(client, cached)
        return cached
      }
    },
    listedClients: (provider) =>
      clients.available().filter((client) => provider === undefined || client.provider === provider),
    async readPrices(models) {
      const byClient = Map.groupBy(models, (model) => clients.clientFor(model))
      const prices = new Map<string, Price>()
      for (const [client, wanted] of byClient)
        for (const { id, promptPrice, completionPrice } of await client.listModels())
          for (const model of wanted)
            if (
              (model === id || model.endsWith(`/${id}`)) &&
              promptPrice !== undefined &&
              completionPrice !== undefined
            )
              prices.set(model, { prompt: promptPrice, completion: completionPrice })
      return prices
    },
    async engineTools({ countsTokens = false } = {}) {
      const tools = createTools(await openOnce(), pages)
      return countsTokens ? { ...tools, countTokens: await loadTokenCounter() } : tools
    },
    async close() {
      await pages.close()
      await clients.close()
      await (await storage)?.close()
    },
  }
}
