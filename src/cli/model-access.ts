import { type Client, type ModelInfo } from '../contract/index.ts'
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

function priceOf({ promptPrice, completionPrice, cachedPromptPrice, cacheWritePrice }: ModelInfo): Price | undefined {
  if (promptPrice === undefined || completionPrice === undefined) return undefined
  return {
    prompt: promptPrice,
    completion: completionPrice,
    ...(cachedPromptPrice !== undefined && { cachedPrompt: cachedPromptPrice }),
    ...(cacheWritePrice !== undefined && { cacheWrite: cacheWritePrice }),
  }
}

async function readPrices(
  models: readonly string[],
  clientOf: Connections['clientOf'],
  listModels: (client: Client) => Promise<ModelInfo[]>,
): Promise<Map<string, Price>> {
  const prices = new Map<string, Price>()
  for (const [client, wanted] of Map.groupBy(new Set(models), clientOf)) {
    if (client.price) {
      for (const model of wanted) prices.set(model, client.price)
      continue
    }
    const byId = new Map((await listModels(client)).map((model) => [model.id, model]))
    for (const model of wanted) {
      const listed = byId.get(model) ?? byId.get(model.slice(model.indexOf('/') + 1))
      const price = listed && priceOf(listed)
      if (price) prices.set(model, price)
    }
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
        readPrices: (models) => readPrices(models, (model) => clients.clientFor(model), listModels),
      }
    },
    close: async () => {
      await Promise.all([...sets.values()].map((clients) => clients.close()))
    },
  }
}
