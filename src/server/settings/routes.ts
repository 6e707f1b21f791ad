import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Hono, type Context } from 'hono'
import {
  whereRunning,
  InputError,
  installPackagesRequestSchema,
  providerLimitsSchema,
  saveBrowserRequestSchema,
  saveEndpointRequestSchema,
  saveKeyRequestSchema,
  vendors,
  type EndpointPrice,
  type ProviderLimits,
  type RequestTemplate,
} from '../../contract/index.ts'
import { checkBackup, DatabaseInUse } from '../../storage/index.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import {
  endpointKeyName,
  findOtherOrigin,
  type KeyInfo,
  listEndpoints,
  listKeys,
  listProviderLimits,
  listRefusedEndpoints,
  originOf,
  type RefusedEndpoint,
  readSandboxSetting,
  saveSandboxSetting,
  type SandboxSetting,
  removeEndpoint,
  removeProviderLimits,
  saveEndpoint,
  saveProviderLimits,
  warnOfPlainHttp,
} from '../../settings/index.ts'
import { installPackages, removePackages } from '../../preview/packages/install.ts'
import { readInstalled, type InstalledPackage } from '../../preview/packages/installed.ts'
import { findActivity } from '../../services/index.ts'
import { refuseInternal } from '../access/refuse-internal.ts'
import type { ServerContext } from '../context.ts'
import { checkJson, readPieces } from '../http/read-body.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { testKey } from './test-key.ts'

export type { KeyInfo }

interface EndpointView {
  name: string
  baseUrl: string
  /** True if a key is saved that may be sent to this address. */
  hasKey: boolean
  /** A key is saved, but for this other address; empty if that address is unknown. */
  keyGivenFor?: string
  /** Its key travels unencrypted. */
  warning?: string
  price?: EndpointPrice
  /** How it is asked, if not by OpenAI's API. */
  template?: RequestTemplate
}

/** GET /api/settings */
export interface SettingsView {
  keys: KeyInfo[]
  endpoints: EndpointView[]
  /** Endpoints in the database that are not used. */
  refusedEndpoints: RefusedEndpoint[]
  /** Of the providers and endpoints that have any. */
  limits: Record<string, ProviderLimits>
  dataFolder: string
  storage: 'sqlite' | 'postgres'
  databaseSize?: number
  /** Where keys are kept, in words. */
  keyStore: string
  browser: SandboxSetting
  /** Other npm packages for pages, on this machine. */
  packages: InstalledPackage[]
}

const MAX_BACKUP_BYTES = 20 * 1024 ** 3

async function viewSettings({
  storage,
  keys,
  environment,
  dataFolder,
  storageKind,
  databaseSize,
  packages,
}: ServerContext): Promise<SettingsView> {
  const endpoints = await listEndpoints(storage)
  const listed = listKeys(keys, environment, endpoints)
  const size = await databaseSize()
  return {
    keys: listed.filter(({ name }) => vendors.some((vendor) => vendor.name === name)),
    endpoints: endpoints.map((endpoint): EndpointView => {
      const hasKey = listed.some((key) => key.name === endpointKeyName(endpoint.name) && key.isSet)
      const keyGivenFor = findOtherOrigin(endpoint, keys)
      const warning = hasKey ? warnOfPlainHttp(endpoint.baseUrl) : undefined
      const { name, baseUrl, price, template } = endpoint
      return {
        name,
        baseUrl,
        hasKey,
        ...(price && { price }),
        ...(template && { template }),
        ...(keyGivenFor !== undefined && { keyGivenFor }),
        ...(warning && { warning }),
      }
    }),
    refusedEndpoints: await listRefusedEndpoints(storage),
    limits: await listProviderLimits(storage),
    dataFolder,
    storage: storageKind,
    ...(size !== undefined && { databaseSize: size }),
    keyStore: keys.description,
    browser: readSandboxSetting(dataFolder, environment),
    packages: (await readInstalled(packages.folder)).packages,
  }
}

/** A key is sent in a header: characters that a header cannot hold are a copying mistake. */
function checkKey(key: string): void {
  if (/[^\u0021-\u007e]/.test(key))
    throw new InputError('the key contains spaces or characters that no key has; copy it again')
}

/** Where the key may be sent; undefined for a vendor's, whose address never changes. */
async function findKeyOrigin(
  name: string,
  baseUrl: string | undefined,
  context: ServerContext,
): Promise<string | undefined> {
  if (vendors.some((vendor) => vendor.name === name)) return undefined
  const endpoints = await listEndpoints(context.storage)
  const endpoint = endpoints.find((candidate) => endpointKeyName(candidate.name) === name)
  if (!endpoint) throw notFound('The key')
  if (baseUrl !== undefined && originOf(baseUrl) !== originOf(endpoint.baseUrl))
    throw new Refusal(
      409,
      'address-changed',
      `The address of ${endpoint.name} has changed to ${endpoint.baseUrl}. Reload the page, and enter the key only if you trust that address.`,
    )
  return originOf(endpoint.baseUrl)
}

function temporaryFile({ dataFolder }: ServerContext, ending: string): string {
  return join(dataFolder, `.${randomBytes(8).toString('hex')}.${ending}`)
}

async function sendBackup(c: Context, context: ServerContext): Promise<Response> {
  const file = temporaryFile(context, 'backup')
  await context.storage.backupTo(file)
  const { size } = await stat(file)
  const stream = createReadStream(file)
  stream.once('close', () => void rm(file, { force: true }))
  const day = new Date(context.now()).toISOString().slice(0, 10)
  return c.body(Readable.toWeb(stream) as ReadableStream<Uint8Array>, 200, {
    ...attachmentHeaders(`benchmaker-${day}.db`, 'application/octet-stream'),
    'content-length': String(size),
  })
}

async function restoreBackup(c: Context, context: ServerContext): Promise<{ runs: number }> {
  const refuseLive = () => {
    if (context.runs.liveRuns().length > 0)
      throw new Refusal(
        409,
        'live',
        'A run is in progress; stop it or wait for it to finish before you restore a backup.',
      )
  }
  refuseLive()
  if (context.storageKind !== 'sqlite')
    throw new Refusal(
      409,
      'not-a-file',
      'The data is in PostgreSQL; restore it with PostgreSQL’s own tools (pg_restore).',
    )
  const file = temporaryFile(context, 'restore')
  try {
    await mkdir(context.dataFolder, { recursive: true })
    await pipeline(readPieces(c, MAX_BACKUP_BYTES), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
    const { runs } = await checkBackup(file).catch((error: unknown) => {
      throw new InputError(
        `the file was not restored: ${error instanceof Error ? error.message.replaceAll(file, 'you sent') : String(error)}`,
        { cause: error },
      )
    })
    refuseLive()
    await refuseWorkedOn(context)
    await context.replaceDatabase(file).catch((error: unknown) => {
      if (error instanceof DatabaseInUse) throw new Refusal(409, 'in-use', error.message)
      throw error
    })
    await context.renewClients()
    return { runs }
  } finally {
    await rm(file, { force: true })
  }
}

/** A run that another process works on would lose everything it stores from now on. */
async function refuseWorkedOn({ storage, now }: ServerContext): Promise<void> {
  const runs = await storage.describeRuns()
  const activity = await findActivity(runs, { storage, now: now() })
  for (const [id, { workedOnBy }] of activity)
    if (workedOnBy)
      throw new Refusal(
        409,
        'in-use',
        `Run ${id} is running ${whereRunning(workedOnBy)}; wait for it, or end that process, before you restore a backup. Nothing was changed.`,
      )
}

export function settingsRoutes(context: ServerContext) {
  const { storage, keys } = context
  const view = async (c: Context) => c.json(await viewSettings(context))

  return new Hono()
    .get('/settings', view)
    .put('/settings/keys/:name', checkJson(saveKeyRequestSchema), async (c) => {
      const name = c.req.param('name')
      const { key, baseUrl } = c.req.valid('json')
      const origin = await findKeyOrigin(name, baseUrl, context)
      checkKey(key)
      await keys.set(name, key, origin)
      await context.renewClients()
      return view(c)
    })
    .delete('/settings/keys/:name', async (c) => {
      if (!(await keys.remove(c.req.param('name')))) throw notFound('The key')
      await context.renewClients()
      return view(c)
    })
    .post('/settings/keys/:name/test', async (c) => c.json(await testKey(c.req.param('name'), context)))
    .put('/settings/endpoints/:name', checkJson(saveEndpointRequestSchema), async (c) => {
      const { name, baseUrl, key, price, template } = c.req.valid('json')
      if (name !== c.req.param('name'))
        throw new Refusal(422, 'invalid', 'The names in the address and in the request differ.')
      if (key) checkKey(key)
      const before = (await listEndpoints(storage)).find((endpoint) => endpoint.name === name)
      await refuseInternal(baseUrl, context)
      await saveEndpoint(storage, { name, baseUrl, ...(price && { price }), ...(template && { template }) })
      if (key) await keys.set(endpointKeyName(name), key, originOf(baseUrl))
      // A key is only for the server it was entered for: another server must not receive it.
      else if (before && new URL(before.baseUrl).origin !== new URL(baseUrl).origin)
        await keys.remove(endpointKeyName(name))
      await context.renewClients()
      return view(c)
    })
    .delete('/settings/endpoints/:name', async (c) => {
      const name = c.req.param('name')
      if (!(await removeEndpoint(storage, name))) throw notFound('The endpoint')
      await keys.remove(endpointKeyName(name))
      await removeProviderLimits(storage, name)
      await context.renewClients()
      return view(c)
    })
    .put('/settings/limits/:name', checkJson(providerLimitsSchema), async (c) => {
      await saveProviderLimits(storage, c.req.param('name'), c.req.valid('json'))
      await context.renewClients()
      return view(c)
    })
    .put('/settings/browser', checkJson(saveBrowserRequestSchema), async (c) => {
      if (readSandboxSetting(context.dataFolder, context.environment).setBy === 'environment')
        throw new Refusal(409, 'set-elsewhere', 'BENCHMAKER_CHROMIUM_SANDBOX decides this; change it there.')
      saveSandboxSetting(context.dataFolder, c.req.valid('json').sandbox)
      return view(c)
    })
    .post('/settings/packages', checkJson(installPackagesRequestSchema), async (c) => {
      await installPackages(c.req.valid('json').names, context.packages)
      return view(c)
    })
    .delete('/settings/packages/:name', async (c) => {
      await removePackages([c.req.param('name')], context.packages)
      return view(c)
    })
    .get('/settings/backup', (c) => sendBackup(c, context))
    .post('/settings/restore', async (c) => c.json(await restoreBackup(c, context)))
}

/** For the web app's client. */
export type SettingsRoutes = ReturnType<typeof settingsRoutes>
