import { InputError, vendors, withoutHost, type Client, type ModelInfo } from '../contract/index.ts'
import { createLazyDemoClient, type Clients } from '../providers/index.ts'
import { createCachedClient, type Connections, type Price, type RunTools } from '../services/index.ts'
import { openAnswerCache } from '../storage/index.ts'

export interface ModelAccessOptions {
  /** Creates the clients: for one base URL, or for all configured keys. `isForUser`: a team server's user chose the run. */
  open(baseUrl: string | undefined, options: { isForUser: boolean }): Clients
  /** The base URL to use unless a run's request has its own. */
  baseUrl?: string | undefined
  /** Where answers are cached. */
  cacheFolder: string
  demo?: { delayMs: number }
  /** The server caches these lists. */
  listModels?(client: Client): Promise<ModelInfo[]>
}

/** How terminal and server reach models. */
export interface ModelAccess {
  clientFor(modelId: string): Client
  /** The clients whose models can be listed: one by name, or all available. */
  listedClients(provider?: string): Client[]
  connect: RunTools['connect']
  close(): Promise<void>
}

function priceOf({ promptPrice, completionPrice, reasoningPrice, ...cache }: ModelInfo): Price | undefined {
  const { cachedPromptPrice, cacheWritePrice } = cache
  if (promptPrice === undefined || completionPrice === undefined) return undefined
  return {
    prompt: promptPrice,
    completion: completionPrice,
    ...(cachedPromptPrice !== undefined && { cachedPrompt: cachedPromptPrice }),
    ...(cacheWritePrice !== undefined && { cacheWrite: cacheWritePrice }),
    ...(reasoningPrice !== undefined && { reasoning: reasoningPrice }),
  }
}

/** Vendors whose lists have no prices. */
const UNPRICED = new Set<string | undefined>(vendors.flatMap(({ name }) => (name === 'openrouter' ? [] : [name])))

/** A server may take its time for a list; a run does not wait longer for prices that it can do without. */
const QUICK_MS = 3000

async function listQuickly(models: Promise<ModelInfo[]>): Promise<ModelInfo[]> {
  const { promise: isLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new InputError('the list of models takes too long')), QUICK_MS)
  return Promise.race([models, isLate]).finally(() => clearTimeout(timer))
}

/** What the endpoint lists; the table is asked for what it does not. */
async function readListed(
  client: Client,
  wanted: readonly string[],
  listModels: (client: Client) => Promise<ModelInfo[]>,
  { isQuick = false }: { isQuick?: boolean },
): Promise<Map<string, Price>> {
  const listed = UNPRICED.has(client.vendor) ? Promise.resolve([]) : listModels(client)
  let failure: unknown
  const models = await (isQuick ? listQuickly(listed) : listed).catch((error: unknown) => {
    failure = error
    return []
  })
  const byId = new Map(models.map((model) => [model.id, model]))
  const prices = new Map<string, Price>()
  for (const model of wanted) {
    const name = withoutHost(model)
    const found = [model, name].flatMap((id) => byId.get(id) ?? byId.get(id.slice(id.indexOf('/') + 1)) ?? [])[0]
    const price = (found && priceOf(found)) ?? (await findInTable(client, name))
    if (price) prices.set(model, price)
  }
  if (failure !== undefined && prices.size === 0) throw failure
  return prices
}

/** The table takes 50 ms to load, so it is loaded only for models that it may know. */
async function findInTable({ vendor, address, provider }: Client, model: string): Promise<Price | undefined> {
  const isLocal = address !== undefined && vendor === undefined && isLoopback(address)
  if (provider === 'demo' || isLocal || (vendor === undefined && address === undefined)) return undefined
  const { findTablePrice } = await import('../providers/price-table.ts')
  const isPrefixed = vendor !== undefined && vendor !== 'openrouter'
  const name = isPrefixed || model.startsWith(`${provider}/`) ? model.slice(model.indexOf('/') + 1) : model
  return findTablePrice(name, { vendor, address }, new Date())
}

function isLoopback(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}

async function readPrices(
  models: readonly string[],
  clientOf: Connections['clientOf'],
  { listModels, ...options }: { listModels: (client: Client) => Promise<ModelInfo[]>; isQuick?: boolean | undefined },
): Promise<Map<string, Price>> {
  const prices = new Map<string, Price>()
  for (const [client, wanted] of Map.groupBy(new Set(models), clientOf)) {
    const own = client.price
    const found = own
      ? new Map(wanted.map((model) => [model, own]))
      : await readListed(client, wanted, listModels, { isQuick: options.isQuick ?? false })
    for (const [model, price] of found) prices.set(model, price)
  }
  return prices
}

export function createModelAccess(options: ModelAccessOptions): ModelAccess {
  const { open, baseUrl, cacheFolder, demo, listModels = (client) => client.listModels() } = options
  const sets = new Map<string, Clients>()
  const setFor = (url: string | undefined, isForUser = false): Clients => {
    const name = JSON.stringify([url, isForUser])
    const clients = sets.get(name) ?? open(url, { isForUser })
    sets.set(name, clients)
    return clients
  }
  const main = () => setFor(baseUrl)

  return {
    clientFor: (modelId) => main().clientFor(modelId),
    listedClients: (provider) =>
      main()
        .available()
        .filter((client) => provider === undefined || client.provider === provider),
    connect({ endpoint = baseUrl, cache, maxCacheAgeSeconds, startedBy }, repeat) {
      const clients = setFor(endpoint, startedBy !== undefined)
      const simulated = repeat === 0 ? undefined : createLazyDemoClient({ ...demo, salt: String(repeat) })
      const answers = cache ? openAnswerCache(cacheFolder) : undefined
      const maxAgeMs = maxCacheAgeSeconds === undefined ? undefined : maxCacheAgeSeconds * 1000
      const cached = new Map<Client, Client>()
      const clientOf = (modelId: string): Client => {
        const client = simulated && modelId.startsWith('demo/') ? simulated : clients.clientFor(modelId)
        if (!answers) return client
        const cachedClient =
          cached.get(client) ?? createCachedClient(client, answers, { repeat, maxAgeMs, now: Date.now })
        cached.set(client, cachedClient)
        return cachedClient
      }
      return {
        clientOf,
        readPrices: (models, { isQuick } = {}) =>
          readPrices(models, (model) => clients.clientFor(model), { listModels, isQuick }),
      }
    },
    close: async () => {
      await Promise.all([...sets.values()].map((clients) => clients.close()))
    },
  }
}
