import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { InputError, StorageError } from '../contract/index.ts'
import { createClients } from '../providers/index.ts'
import { createRedactor } from '../providers/http/redact.ts'
import { findPriceOf, listSecrets, mergeKeys, openDatabaseKeyStore, openGeneralKey } from '../settings/index.ts'
import { currentAccount } from '../server/access/people.ts'
import { addExampleSuites } from '../server/suites/example-suites.ts'
import { createLiveRuns, createModelCatalog, type ServerContext } from '../server/index.ts'
import { startPreviewServer } from '../server/code-arena/preview-server.ts'
import { openReplaceable } from '../server/settings/replaceable-storage.ts'
import type { RunTools } from '../services/index.ts'
import { replaceDatabaseFile } from '../storage/index.ts'
import { createId, createTools, makeDataFolder, openData, openPacing, openQueue } from './compose.ts'
import { createPages } from './compose-pages.ts'
import { createModelAccess, type ModelAccess } from './model-access.ts'
import { findPreviewFiles, packageFile, packagesFolder, previewsCache, readVersion } from './package-files.ts'
import { loadSettings, type SavedSettings } from './saved-settings.ts'
import { keepsKeysInDatabase, openConnectGuard, openKeys } from './saved-keys.ts'

/** How long simulated models take, so that users can watch a first run; `BENCHMAKER_DEMO_DELAY_MS` overrides it. */
const DEMO_DELAY_MS = 200

const EXAMPLES = [
  { id: 'example-first-look', file: 'examples/first-look/suite.yaml' },
  { id: 'example-everyday-work', file: 'examples/everyday-work/suite.yaml' },
]

export interface ServerApp {
  context: ServerContext
  /** Removes every key from a text. */
  redact(text: string): string
  /** Stops live runs and closes everything. */
  close(): Promise<void>
}

export interface ServerAppOptions {
  dataFolder: string
  env: NodeJS.ProcessEnv
  log(line: string, error?: unknown): void
  /** How often it looks for settings that another process changed. */
  settingsEveryMs?: number
}

function readDelay(env: NodeJS.ProcessEnv): number {
  const delay = Number(env['BENCHMAKER_DEMO_DELAY_MS'] ?? DEMO_DELAY_MS)
  return Number.isFinite(delay) && delay >= 0 ? delay : DEMO_DELAY_MS
}

/** Chooses and wires the server's parts; slow ones are loaded on first use. */
export async function composeServer({
  dataFolder,
  env,
  log,
  settingsEveryMs = 5000,
}: ServerAppOptions): Promise<ServerApp> {
  const databaseFile = env['BENCHMAKER_DATABASE_URL'] ? undefined : join(dataFolder, 'benchmaker.db')
  // With PostgreSQL too: sessions, keys and uploads are kept there.
  makeDataFolder(dataFolder, log)
  const { storage, replace } = await openReplaceable(() => openData(dataFolder, env, { note: log }))
  await addExampleSuites(
    storage,
    EXAMPLES.map(({ id, file }) => ({ id, file: packageFile(file) })),
  )
  const queue = await openQueue(env).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
    log(`Workers cannot be used: ${error.message}`)
    return undefined
  })
  const member = await queue?.join({ kind: 'server', name: hostname() })
  const keys = keepsKeysInDatabase(env)
    ? await openDatabaseKeyStore({ storage, env, now: Date.now, currentPerson: () => currentAccount()?.name })
    : openKeys(dataFolder, env)
  for (const problem of keys.listProblems?.() ?? []) log(problem)
  const demo = { delayMs: readDelay(env) }
  const guard = openConnectGuard(env)

  const generalKey = openGeneralKey({ environment: env, dataFolder })
  let secrets = listSecrets(keys, env)
  const redact = (text: string) => createRedactor(secrets)(text)
  const readSettings = () => loadSettings(storage, keys, () => {})
  const openAccess = ({ endpoints, limits }: SavedSettings): ModelAccess => {
    const currentSecrets = secrets
    return createModelAccess({
      open: (url) =>
        createClients({
          env: mergeKeys(keys, url === undefined ? env : generalKey.environmentFor(url)),
          endpoints,
          limits,
          demo,
          guard,
          listSecrets: () => currentSecrets,
          ...(url !== undefined && { baseUrl: url, price: findPriceOf(url, endpoints) }),
        }),
      cacheFolder: join(dataFolder, 'cache'),
      demo,
      listModels: (client) => catalog.listModels(client),
    })
  }
  let settings = await readSettings()
  let access = openAccess(settings)
  /** Access with earlier keys, which live runs may still use. */
  let retired: ModelAccess[] = []
  const closeRetired = async () => {
    const closing = retired
    retired = []
    await Promise.all(closing.map((retiredAccess) => retiredAccess.close()))
  }
  const useSettings = async (renewed: SavedSettings) => {
    retired.push(access)
    secrets = listSecrets(keys, env)
    settings = renewed
    access = openAccess(renewed)
    if (runs.liveRuns().length === 0) await closeRetired()
  }
  /** Another server on the same database, or the terminal, may save keys, endpoints and limits. */
  const noticeChanges = async () => {
    await keys.reload?.()
    const found = await readSettings()
    if (found.fingerprint === settings.fingerprint) return
    await useSettings(found)
    log('The settings were changed by another process; they are used from now on.')
  }
  const clientFor = (modelId: string) => access.clientFor(modelId)
  const listedClients = () => access.listedClients()

  const catalog = createModelCatalog({ clients: listedClients, now: Date.now })
  const pages = createPages(clientFor, { dataFolder, env })
  const packages = { folder: packagesFolder(dataFolder), previews: findPreviewFiles(dataFolder, env) }
  const previews = await startPreviewServer({ previews: packages.previews, packages: packages.folder })
  const pacing = await openPacing(env)
  let tools: RunTools | undefined
  let browserProblem: Promise<string | undefined> | undefined
  /** Once it works, it is not started again only to check it. */
  const checkBrowser = async () => {
    const problem = await pages.findProblem()
    if (problem !== undefined) browserProblem = undefined
    return problem
  }

  const base = {
    version: readVersion(),
    dataFolder,
    storageKind: databaseFile === undefined ? ('postgres' as const) : ('sqlite' as const),
    storage,
    clientFor,
    listedClients,
    models: catalog,
    previews,
    packages,
    inspectPage: pages.inspectPage,
    findBrowserProblem: () => (browserProblem ??= checkBrowser()),
    runTools: () =>
      (tools ??= {
        ...createTools(
          { storage, pages, pacing, connect: (request, repeat) => access.connect(request, repeat) },
          { previewsCache: previewsCache(dataFolder) },
        ),
        queue,
      }),
    queue,
    keys,
    environment: env,
    async renewClients() {
      await keys.reload?.()
      await useSettings(await readSettings())
    },
    async replaceDatabase(file: string) {
      if (databaseFile === undefined) throw new InputError('the data is in PostgreSQL; use its own backup tools')
      await replace(() => replaceDatabaseFile(databaseFile, file))
    },
    async databaseSize() {
      if (databaseFile === undefined) return undefined
      const sizes = await Promise.all(
        [databaseFile, `${databaseFile}-wal`].map((file) =>
          stat(file).then(
            ({ size }) => size,
            () => 0,
          ),
        ),
      )
      return sizes.reduce((sum, size) => sum + size, 0)
    },
    now: () => storage.now(),
    createId,
    checkAddress: async (baseUrl: string) => guard?.check(baseUrl),
  }
  const runs = createLiveRuns(base, (line, error) => log(redact(line), error))
  // A database that is away is reported by whoever needs it.
  const watching = setInterval(() => void noticeChanges().catch(() => undefined), settingsEveryMs).unref()

  return {
    context: { ...base, runs },
    redact,
    async close() {
      clearInterval(watching)
      await runs.close()
      await Promise.all([pages.close(), previews.close()])
      await closeRetired()
      await pacing.close()
      await access.close()
      // Its entry ends by itself: a database that is away must not turn an orderly end into a failure.
      await member?.leave().catch((error: unknown) => log('The database did not hear that this server ends.', error))
      await queue?.close()
      await storage.close()
    },
  }
}
