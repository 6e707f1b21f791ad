import { type Client, type ModelInfo } from '../contract/index.ts'
import { createLazyDemoClient, type Clients } from '../providers/index.ts'
import { createCachedClient, type Connections, type Price, type RunTools } from '../services/index.ts'
import { openAnswerCache } from '../storage/index.ts'

export interface ModelAccessOptions {
  /** All clients by the keys there are, or those that ask one base URL. */
  open(baseUrl: string | undefined): Clients
  /** The base URL that is asked unless a run's request says otherwise. */
  baseUrl?: string | undefined
  /** Where answers are cached. */
  cacheFolder: string
  demo?: { delayMs: number }
  /** What every client is put into: the server takes keys out of answers. */
  wrap?(client: Client): Client
  /** A server keeps the lists it has asked for. */
  listModels?(client: Client): Promise<ModelInfo[]>
}

/** How the program reaches models; terminal and server alike. */
export interface ModelAccess {
  clientFor(modelId: string): Client
  /** Those whose models can be listed: one by name, or all that can be asked. */
  listedClients(provider?: string): Client[]
  connect: RunTools['connect']
  close(): Promise<void>
}

async function readPrices(
  models: readonly string[],
  clientOf: Connections['clientOf'],
  listModels: (client: Client) => Promise<ModelInfo[]>,
): Promise<Map<string, Price>> {
  const prices = new Map<string, Price>()
  for (const [client, wanted] of Map.groupBy(new Set(models), clientOf)) {
    const byId = new Map((await listModels(client)).map((model) => [model.id, model]))
    for (const model of wanted) {
      const { promptPrice, completionPrice } = byId.get(model) ?? byId.get(model.slice(model.indexOf('/') + 1)) ?? {}
      if (promptPrice !== undefined && completionPrice !== undefined)
        prices.set(model, { prompt: promptPrice, completion: completionPrice })
    }
  }
  return prices
}

export function createModelAccess(options: ModelAccessOptions): ModelAccess {
  const {
    open,
    baseUrl,
    cacheFolder,
    demo,
    wrap = (client) => client,
    listModels = (client) => client.listModels(),
  } = options
  const sets = new Map<string | undefined, Clients>()
  const setFor = (url: string | undefined): Clients => {
    const known = sets.get(url) ?? open(url)
    sets.set(url, known)
    return known
  }
  const main = () => setFor(baseUrl)

  return {
    clientFor: (modelId) => wrap(main().clientFor(modelId)),
    listedClients: (provider) =>
      main()
        .available()
        .filter((client) => provider === undefined || client.provider === provider)
        .map(wrap),
    connect({ endpoint = baseUrl, cache }, repeat) {
      const clients = setFor(endpoint)
      const simulated = repeat === 0 ? undefined : createLazyDemoClient({ ...demo, salt: String(repeat) })
      const answers = cache ? openAnswerCache(cacheFolder) : undefined
      const cached = new Map<Client, Client>()
      const clientOf = (modelId: string): Client => {
        const client = simulated && modelId.startsWith('demo/') ? simulated : wrap(clients.clientFor(modelId))
        if (!answers) return client
        const known = cached.get(client) ?? createCachedClient(client, answers, repeat)
        cached.set(client, known)
        return known
      }
      return {
        clientOf,
        readPrices: (models) => readPrices(models, (model) => wrap(clients.clientFor(model)), listModels),
      }
    },
    close: async () => {
      await Promise.all([...sets.values()].map((clients) => clients.close()))
    },
  }
}
