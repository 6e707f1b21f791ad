import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { InputError, type InspectPage, type Storage, type WorkQueue, messageOf } from '../contract/index.ts'
import { createClients } from '../providers/index.ts'
import { allowExternal } from '../runner/environments/open-external.ts'
import { drawRandom, startScoring } from '../runner/index.ts'
import { findPriceOf } from '../settings/endpoints.ts'
import { openDatabaseKeyStore } from '../settings/database-key-store.ts'
import { warnOfPlainHttp } from '../settings/addresses.ts'
import { openGeneralKey } from '../settings/general-key.ts'
import { listSecrets, mergeKeys } from '../settings/key-list.ts'
import { codeScorers, scorers, type Scorer, type Scoring } from '../scoring/index.ts'
import { countInPieces, createPacing, systemClock, type Pacing, type RunTools } from '../services/index.ts'
import {
  examineStorage,
  makePrivateFolder,
  openSharedLimits,
  openStorage,
  openWorkQueue,
  readTableVersions,
  refuseDamaged,
  type DatabaseLocation,
} from '../storage/index.ts'
import { createPages, type Pages } from './compose-pages.ts'
import { findDataFolder } from './data-folder.ts'
import { createModelAccess, type ModelAccess } from './model-access.ts'
import { previewsCache, readVersion } from './package-files.ts'
import { createWarner, keepsKeysInDatabase, openConnectGuard, openKeys } from './saved-keys.ts'
import { loadSettings, loadSettingsOfAddress, noSettings, type SavedSettings } from './saved-settings.ts'

export interface AppOptions {
  data?: string | undefined
  baseUrl?: string | undefined
  warn?: ((warning: string) => void) | undefined
  /** Lets suites run their own code on answers. Only the terminal offers it. */
  allowCode?: boolean | undefined
  /** Lets suites start the programs that they name. Only the terminal offers it. */
  allowCommands?: boolean | undefined
}

/** The program's parts, chosen and wired only here; each is created on first use. */
export interface App
  extends Pick<ModelAccess, 'clientFor' | 'listedClients' | 'connect'>, Pick<RunTools, 'loadTokenCounter'> {
  scorers: readonly Scorer[]
  /** Only to find what it needs and is not installed. */
  scoring: Scoring
  storage(): Promise<Storage>
  /** Throws if the database file is damaged. */
  refuseDamaged(): Promise<void>
  runTools(): Promise<RunTools>
  /** The limits of providers. */
  pacing(): Promise<Pacing>
  /** What servers and workers share; undefined unless the data is in PostgreSQL. */
  queue(): Promise<WorkQueue | undefined>
  /** Reads keys, endpoints and limits again. Returns true if another process has changed them. */
  renewSettings(): Promise<boolean>
  inspectPage: InspectPage
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
  return (text) => countInPieces(text, countTokens)
}

const databaseIn = (dataFolder: string) => join(dataFolder, 'benchmaker.db')

export function hasData(dataFolder: string, env: NodeJS.ProcessEnv): boolean {
  return Boolean(env['BENCHMAKER_DATABASE_URL']) || existsSync(databaseIn(dataFolder))
}

/** Nothing was ever stored below a file, and nothing can be: whoever reads there mistyped the folder. */
function refuseFile(dataFolder: string): void {
  let place = resolve(dataFolder)
  while (!existsSync(place)) place = dirname(place)
  if (!statSync(place).isDirectory())
    throw new InputError(`the data folder ${dataFolder} cannot be read: ${place} is not a folder`)
}

/** Creates the data folder, for its owner only; an existing one is closed to others, with a note. */
export function makeDataFolder(dataFolder: string, note: (line: string) => unknown): void {
  try {
    makePrivateFolder(dataFolder, note)
  } catch (error) {
    const reason = messageOf(error)
    throw new InputError(
      `the data folder ${dataFolder} cannot be created (${reason}); name another one with --data or BENCHMAKER_HOME`,
      { cause: error },
    )
  }
}

const RECONNECT_VARIABLE = 'BENCHMAKER_DATABASE_RECONNECT_SECONDS'

function readReconnect(env: NodeJS.ProcessEnv): { reconnectMs?: number } {
  const written = env[RECONNECT_VARIABLE]
  if (!written) return {}
  const seconds = Number(written)
  if (Number.isFinite(seconds) && seconds >= 0 && seconds <= 86_400) return { reconnectMs: seconds * 1000 }
  throw new InputError(`${RECONNECT_VARIABLE} is ${written}: it must be a number of seconds from 0 to 86400`)
}

/** Opens the database: PostgreSQL if `BENCHMAKER_DATABASE_URL` is set, else a file in the data folder. */
export async function openData(
  dataFolder: string,
  env: NodeJS.ProcessEnv,
  {
    note = (line) => process.stderr.write(`${line}\n`),
    isReadOnlyAllowed = false,
  }: { note?: (line: string) => unknown; isReadOnlyAllowed?: boolean } = {},
): Promise<Storage> {
  const connectionString = env['BENCHMAKER_DATABASE_URL']
  if (connectionString) return openStorage({ connectionString, ...readReconnect(env) })
  // Reading must not create anything: where nothing is stored, there are no runs.
  if (isReadOnlyAllowed && !hasData(dataFolder, env)) {
    refuseFile(dataFolder)
    return openStorage({ file: ':memory:' })
  }
  makeDataFolder(dataFolder, note)
  return openStorage({ file: databaseIn(dataFolder), note, isReadOnlyAllowed })
}

/** The database in use. */
export function locateData(dataFolder: string, env: NodeJS.ProcessEnv): DatabaseLocation {
  const connectionString = env['BENCHMAKER_DATABASE_URL']
  return connectionString ? { connectionString } : { file: databaseIn(dataFolder) }
}

/** The limits of providers: shared by all processes that use the same PostgreSQL database. */
export async function openPacing(env: NodeJS.ProcessEnv): Promise<Pacing> {
  const connectionString = env['BENCHMAKER_DATABASE_URL']
  if (!connectionString) return createPacing({ clock: systemClock })
  return createPacing({
    clock: systemClock,
    limitStore: await openSharedLimits({ connectionString, ...readReconnect(env) }),
  })
}

/** Opens the queue for workers, if the data is in PostgreSQL. */
export async function openQueue(env: NodeJS.ProcessEnv): Promise<WorkQueue | undefined> {
  const connectionString = env['BENCHMAKER_DATABASE_URL']
  return connectionString
    ? openWorkQueue({ connectionString, version: readVersion(), ...readReconnect(env) })
    : undefined
}

/** What is wrong with the stored data; creates nothing. */
export function examineData(dataFolder: string, env: NodeJS.ProcessEnv): ReturnType<typeof examineStorage> {
  return examineStorage(locateData(dataFolder, env))
}

/** The versions of the tables, for readiness; rejects if the database cannot be reached. */
export function readVersions(dataFolder: string, env: NodeJS.ProcessEnv): ReturnType<typeof readTableVersions> {
  return readTableVersions(locateData(dataFolder, env))
}

/** Creates what runs need from this machine. */
export function createTools(
  { storage, pages, connect, pacing }: Pick<RunTools, 'storage' | 'connect' | 'pacing'> & { pages: Pages },
  options: { allowCode?: boolean | undefined; previewsCache?: string } = {},
): RunTools {
  let counter: ReturnType<RunTools['loadTokenCounter']> | undefined
  return {
    storage,
    pages,
    connect,
    pacing,
    scoring: startScoring([], { ...options, pages }),
    clock: { ...systemClock, now: () => storage.now() },
    random: drawRandom,
    createId,
    loadTokenCounter: () => (counter ??= loadTokenCounter()),
    versions: { benchmaker: readVersion(), node: process.versions.node },
  }
}

export async function composeApp(
  options: AppOptions,
  env: NodeJS.ProcessEnv = process.env,
  { isReadOnlyAllowed = false }: { isReadOnlyAllowed?: boolean } = {},
): Promise<App> {
  const { data, baseUrl } = options
  const warn = createWarner(options)
  const dataFolder = findDataFolder(data, env)
  let storage: Promise<Storage> | undefined
  const openOnce = () => (storage ??= openData(dataFolder, env, { isReadOnlyAllowed }))
  // Looking for them must not create a database.
  const hasSaved = hasData(dataFolder, env)
  const keys =
    hasSaved && keepsKeysInDatabase(env)
      ? await openDatabaseKeyStore({ storage: await openOnce(), env, now: Date.now })
      : openKeys(dataFolder, env)
  for (const problem of keys.listProblems?.() ?? []) warn(problem)
  const readSettings = async () => {
    if (!hasSaved) return noSettings
    if (baseUrl === undefined) return loadSettings(await openOnce(), keys, warn)
    return openOnce()
      .then(loadSettingsOfAddress)
      .catch(() => {
        // What needs the database opens it again, and says what is wrong with it.
        storage = undefined
        return noSettings
      })
  }
  const generalKey = openGeneralKey({ environment: env, dataFolder, named: baseUrl })
  const openAccess = ({ endpoints, limits, priced }: SavedSettings) =>
    createModelAccess({
      open(url, { isForUser }) {
        const environment = mergeKeys(keys, url === undefined ? env : generalKey.environmentFor(url))
        if (url !== undefined && (environment['BENCHMAKER_API_KEY'] || URL.parse(url)?.password))
          warn(warnOfPlainHttp(url))
        return createClients({
          env: environment,
          endpoints,
          limits,
          guard: openConnectGuard(env, { isForUser }),
          listSecrets: () => listSecrets(keys, env),
          ...(url !== undefined && { baseUrl: url, price: findPriceOf(url, priced) }),
        })
      },
      baseUrl,
      cacheFolder: join(dataFolder, 'cache'),
    })
  let settings = await readSettings()
  let access = openAccess(settings)
  const opened = [access]
  const pages = createPages((modelId) => access.clientFor(modelId), { dataFolder, env })
  const connect: RunTools['connect'] = (request, repeat) => access.connect(request, repeat)
  let pacing: Promise<Pacing> | undefined
  const openPacingOnce = async () => {
    // The database holds the limits that processes share.
    if (env['BENCHMAKER_DATABASE_URL']) await openOnce()
    return (pacing ??= openPacing(env))
  }
  let queue: Promise<WorkQueue | undefined> | undefined

  return {
    dataFolder,
    storage: openOnce,
    async refuseDamaged() {
      if (!env['BENCHMAKER_DATABASE_URL']) await refuseDamaged(databaseIn(dataFolder))
    },
    clientFor: (modelId) => access.clientFor(modelId),
    listedClients: (provider) => access.listedClients(provider),
    connect,
    async renewSettings() {
      await keys.reload?.()
      const renewed = await readSettings()
      if (renewed.fingerprint === settings.fingerprint) return false
      settings = renewed
      access = openAccess(renewed)
      // Those before stay open: requests in progress use them.
      opened.push(access)
      return true
    },
    loadTokenCounter,
    inspectPage: pages.inspectPage,
    pacing: openPacingOnce,
    scorers: [...scorers, ...(options.allowCode ? codeScorers : [])],
    scoring: startScoring([], { ...options, previewsCache: previewsCache(dataFolder), pages }),
    async runTools() {
      const tools = createTools(
        { storage: await openOnce(), pages, connect, pacing: await openPacingOnce() },
        { ...options, previewsCache: previewsCache(dataFolder) },
      )
      generalKey.rememberNamed()
      return { ...tools, external: allowExternal({ allowsCommands: options.allowCommands === true }) }
    },
    // The storage first: it creates the tables that the queue refers to.
    queue: () => (queue ??= openOnce().then(() => openQueue(env))),
    async close() {
      await pages.close()
      await (await pacing)?.close()
      await Promise.all(opened.map((each) => each.close()))
      await (await queue)?.close()
      await (await storage)?.close()
    },
  }
}
