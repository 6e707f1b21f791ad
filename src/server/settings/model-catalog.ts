import { ClientError, type Client, type ModelInfo, messageOf } from '../../contract/index.ts'

/** GET /api/models (?refresh=1 asks the providers again) */
export interface ModelList {
  models: ListedModel[]
  /** Providers whose list could not be loaded, and why. */
  problems: { provider: string; message: string }[]
}

export interface ListedModel extends ModelInfo {
  provider: string
  isSimulated: boolean
}

const CACHE_MS = 10 * 60_000
const TIMEOUT_MS = 10_000

/** The models that providers offer, cached for a while. */
export interface ModelCatalog {
  list(options?: { refresh?: boolean }): Promise<ModelList>
  /** The models of one provider, from the cache if fresh. */
  listModels(client: Client): Promise<ModelInfo[]>
}

interface CatalogTools {
  /** All clients that can list models. */
  clients(): Client[]
  now(): number
}

export function createModelCatalog({ clients, now }: CatalogTools): ModelCatalog {
  // Keyed by client, which is replaced when a key changes: the old list goes with the old client.
  const cache = new WeakMap<Client, { at: number; models: Promise<ModelInfo[]> }>()

  async function ask(client: Client): Promise<ModelInfo[]> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      return await client.listModels({ signal })
    } catch (error) {
      if (!signal.aborted) throw error
      const message = `${client.provider} did not list its models within ${TIMEOUT_MS / 1000} s`
      throw new ClientError('timeout', message, { cause: error })
    }
  }

  function modelsOf(client: Client, refresh = false): Promise<ModelInfo[]> {
    const cached = cache.get(client)
    if (cached && !refresh && now() - cached.at < CACHE_MS) return cached.models
    const models = ask(client)
    cache.set(client, { at: now(), models })
    // A failure is not cached.
    models.catch(() => cache.delete(client))
    return models
  }

  return {
    async list({ refresh = false } = {}) {
      const problems: ModelList['problems'] = []
      const lists = await Promise.all(
        clients().map(async (client): Promise<ListedModel[]> => {
          try {
            const { provider } = client
            const models = await modelsOf(client, refresh)
            return models
              .filter(({ isEmbedding }) => isEmbedding !== true)
              .map((model) => ({ ...model, provider, isSimulated: provider === 'demo' }))
          } catch (error) {
            problems.push({
              provider: client.provider,
              message: messageOf(error),
            })
            return []
          }
        }),
      )
      return { models: lists.flat(), problems }
    },
    listModels: (client) => modelsOf(client),
  }
}
