import { constants } from 'node:fs'
import { copyFile, link, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError, type Client } from '../contract/index.ts'
import { createClients } from '../providers/index.ts'
import { createRedactor } from '../providers/http/redact.ts'
import { listSecrets, loadEndpoints, mergeKeys, redactClient } from '../settings/index.ts'
import { addExampleSuites } from '../server/suites/example-suites.ts'
import { createLiveRuns, createModelCatalog, type ServerContext } from '../server/index.ts'
import { startPreviewServer } from '../server/code-arena/preview-server.ts'
import { openReplaceable } from '../server/settings/replaceable-storage.ts'
import type { RunTools } from '../services/index.ts'
import { createId, createTools, openData, openKeys } from './compose.ts'
import { createPages, findVendorFolder } from './compose-pages.ts'
import { createModelAccess, type ModelAccess } from './model-access.ts'
import { packageFile, readVersion } from './package-files.ts'

/** Simulated models take this long to answer, so that a first run can be watched; `BENCHMAKER_DEMO_DELAY_MS` says otherwise. */
const DEMO_DELAY_MS = 350

const EXAMPLES = [
  { id: 'example-first-look', file: 'examples/first-look/suite.yaml' },
  { id: 'example-everyday-work', file: 'examples/everyday-work/suite.yaml' },
]

export interface ServerApp {
  context: ServerContext
  /** Takes every key out of a text. */
  redact(text: string): string
  /** Stops what is under way, and closes everything. */
  close(): Promise<void>
}

export interface ServerAppOptions {
  dataFolder: string
  env: NodeJS.ProcessEnv
  log(line: string): void
}

function readDelay(env: NodeJS.ProcessEnv): number {
  const delay = Number(env['BENCHMAKER_DEMO_DELAY_MS'] ?? DEMO_DELAY_MS)
  return Number.isFinite(delay) && delay >= 0 ? delay : DEMO_DELAY_MS
}

/** The old file stays beside the new one, and at no time is there none. */
async function swapFiles(database: string, file: string): Promise<void> {
  const before = `${database}.before-restore`
  await rm(before, { force: true })
  await link(database, before).catch(() => copyFile(database, before, constants.COPYFILE_EXCL))
  for (const log of [`${database}-wal`, `${database}-shm`]) await rm(log, { force: true })
  await rename(file, database)
}

/** What the server works with, chosen and wired; what is slow to load is loaded when it is first used. */
export async function composeServer({ dataFolder, env, log }: ServerAppOptions): Promise<ServerApp> {
  const databaseFile = env['BENCHMAKER_DATABASE_URL'] ? undefined : join(dataFolder, 'benchmaker.db')
  const { storage, replace } = await openReplaceable(() => openData(dataFolder, env))
  await addExampleSuites(
    storage,
    EXAMPLES.map(({ id, file }) => ({ id, file: packageFile(file) })),
  )
  const keys = openKeys(dataFolder, env)
  const demo = { delayMs: readDelay(env) }

  let secrets = listSecrets(keys, env)
  const openAccess = async (): Promise<ModelAccess> => {
    const endpoints = await loadEndpoints(storage, keys)
    const known = secrets
    const guarded = new Map<Client, Client>()
    return createModelAccess({
      open: (url) =>
        createClients({ env: mergeKeys(keys, env), endpoints, demo, ...(url !== undefined && { baseUrl: url }) }),
      cacheFolder: join(dataFolder, 'cache'),
      demo,
      wrap(client) {
        const guard = guarded.get(client) ?? redactClient(client, known)
        guarded.set(client, guard)
        return guard
      },
      listModels: (client) => catalog.listModels(client),
    })
  }
  let access = await openAccess()
  /** Those of earlier keys: a run may still have requests under way by them. */
  let retired: ModelAccess[] = []
  const closeRetired = async () => {
    const closing = retired
    retired = []
    await Promise.all(closing.map((one) => one.close()))
  }
  const clientFor = (modelId: string) => access.clientFor(modelId)
  const listedClients = () => access.listedClients()

  const catalog = createModelCatalog({ clients: listedClients, now: Date.now })
  const pages = createPages(clientFor, env)
  const previews = await startPreviewServer({ vendorDir: findVendorFolder(env) })
  let tools: RunTools | undefined

  const base = {
    version: readVersion(),
    dataFolder,
    storageKind: databaseFile === undefined ? ('postgres' as const) : ('sqlite' as const),
    storage,
    clientFor,
    listedClients,
    models: catalog,
    previews,
    runTools: () =>
      (tools ??= createTools({ storage, pages, connect: (request, repeat) => access.connect(request, repeat) })),
    keys,
    environment: env,
    async renewClients() {
      retired.push(access)
      secrets = listSecrets(keys, env)
      access = await openAccess()
      if (runs.liveRuns().length === 0) await closeRetired()
    },
    async replaceDatabase(file: string) {
      if (databaseFile === undefined)
        throw new InputError('the data is in PostgreSQL, which has its own tools for backups')
      await replace(() => swapFiles(databaseFile, file))
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
    now: Date.now,
    createId,
  }
  const runs = createLiveRuns(base, log)

  return {
    context: { ...base, runs },
    redact: (text) => createRedactor(secrets)(text),
    async close() {
      await runs.close()
      await Promise.all([pages.close(), previews.close()])
      await closeRetired()
      await access.close()
      await storage.close()
    },
  }
}
