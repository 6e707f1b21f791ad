import {
  InputError,
  vendors,
  type Client,
  type ModelInfo,
  type NamedLimits,
  type RequestTemplate,
  type TokenPrice,
} from '../contract/index.ts'
import { redactClient } from '../contract/redact-keys.ts'
import { createEndpointClient, listSecrets, type EndpointClientOptions } from './create-client.ts'
import type { ConnectGuard } from './http/connect-guard.ts'
import type { DemoOptions } from './demo/demo.ts'
import { createLazyClient, createLazyDemoClient } from './lazy-client.ts'
import { vendorClients, type VendorClients } from './vendor-clients.ts'

/** A server named by the user: its models are `NAME/model`. */
interface NamedEndpoint {
  name: string
  baseUrl: string
  /** Of a server whose API is not OpenAI's. */
  template?: RequestTemplate | undefined
  /** Of all its models. */
  price?: TokenPrice | undefined
  /** Called on the first request to the endpoint. Throws `InputError` if its key must not be sent there. */
  readKey?(): string | undefined
}

export interface ClientsOptions {
  /** The environment, with the API keys. */
  env: Record<string, string | undefined>
  /** The endpoint for every model that is not simulated. */
  baseUrl?: string | undefined
  /** Of all models at `baseUrl`. */
  price?: TokenPrice | undefined
  /** What may be sent to each provider and named endpoint, and to `baseUrl`. */
  limits?: { of(name: string): NamedLimits | undefined; ofAddress(baseUrl: string): NamedLimits | undefined }
  /** The key for `baseUrl`, or for OpenRouter if there is no base URL. */
  apiKey?: string | undefined
  /** Their names take precedence over all others except `demo`. */
  endpoints?: readonly NamedEndpoint[]
  /** Values that no answer, model or error may contain, besides the keys in `env` and those of the client itself. */
  listSecrets?(): readonly string[]
  /** Keeps endpoints that users name away from internal addresses. */
  guard?: ConnectGuard | undefined
  demo?: DemoOptions
}

/** Finds the client for a model. Model ids are those that users write, with their prefix. */
export interface Clients {
  /** Returns the model's client: one per endpoint, created on first use. Throws `InputError` if a key is missing. */
  clientFor(modelId: string): Client
  /** Every configured endpoint, for a list of all models. */
  available(): Client[]
  close(): Promise<void>
}

const OLLAMA_URL = 'http://127.0.0.1:11434/v1'

/** Adds a prefix to the model ids of a client; the endpoint sees them without it. */
function withPrefix(prefix: string, client: Client): Client {
  const strip = (modelId: string): string => (modelId.startsWith(prefix) ? modelId.slice(prefix.length) : modelId)
  return {
    ...client,
    complete: (request, options) => client.complete({ ...request, modelId: strip(request.modelId) }, options),
    ...(client.checkHost && { checkHost: async (modelId: string) => client.checkHost?.(strip(modelId)) }),
    listModels: async (options) =>
      (await client.listModels(options)).map((model): ModelInfo => ({ ...model, id: `${prefix}${model.id}` })),
  }
}

/** Says whose prices a table may know. */
function withVendor(vendor: string, client: Client): Client {
  return { ...client, vendor }
}

/** Lists the models with the user's own price, which is also known for models that the server does not list. */
function withPrice(price: TokenPrice | undefined, client: Client): Client {
  if (!price) return client
  return {
    ...client,
    price,
    listModels: async (options) =>
      (await client.listModels(options)).map((model): ModelInfo => ({
        ...model,
        promptPrice: price.prompt,
        completionPrice: price.completion,
        ...(price.cachedPrompt !== undefined && { cachedPromptPrice: price.cachedPrompt }),
        ...(price.cacheWrite !== undefined && { cacheWritePrice: price.cacheWrite }),
      })),
  }
}

/** OpenRouter's own ids contain a slash, even `openrouter/auto`: strip the prefix only if such an id follows. */
function withOpenRouterPrefix(client: Client): Client {
  const strip = (modelId: string): string => modelId.replace(/^openrouter\/(?=[^/]+\/)/, '')
  return {
    ...client,
    complete: (request, options) => client.complete({ ...request, modelId: strip(request.modelId) }, options),
  }
}

/** Sends keys only where they belong: a base URL gets a vendor's key only if its scheme, host and port are the vendor's. */
function keyForBaseUrl(baseUrl: string, env: ClientsOptions['env']): string | undefined {
  const origin = URL.parse(baseUrl)?.origin
  const vendor = vendors.find((candidate) => 'origin' in candidate && candidate.origin === origin)
  return env[vendor?.variables[0] ?? 'BENCHMAKER_API_KEY']
}

const KEY_VARIABLES = [...vendors.flatMap(({ variables }) => variables), 'AWS_SESSION_TOKEN', 'BENCHMAKER_API_KEY']

/**
 * Chooses the client for a model by the first rule that matches:
 *
 * 1. `demo/…`: the simulated models.
 * 2. With a base URL: that endpoint, with the id unchanged. The key is `apiKey`, else `BENCHMAKER_API_KEY`; for
 *    https://api.openai.com and https://openrouter.ai, that vendor's variable.
 * 3. `NAME/…` of a named endpoint: that endpoint, with its own key.
 * 4. `ollama/…`: Ollama on this machine, or at `OLLAMA_BASE_URL`.
 * 5. `groq/…`, `azure/…` and other vendors whose prefix OpenRouter does not use: that vendor, with its own key.
 * 6. `openrouter/…`, or any model when `OPENROUTER_API_KEY` (or a key without a base URL) is set: OpenRouter.
 * 7. `openai/…`, `anthropic/…`, `google/…`, `deepseek/…`: that vendor, with its own key.
 *
 * Otherwise a key is missing, and the error says which.
 */
export function createClients(options: ClientsOptions): Clients {
  const { env, baseUrl, price, apiKey, endpoints = [], demo, guard } = options
  const clients = new Map<string, Client>()
  const read = (name: string): string | undefined => env[name]?.trim() || undefined
  const openRouterKey = baseUrl === undefined ? (apiKey ?? read('OPENROUTER_API_KEY')) : undefined

  const listKeys = (): string[] => [
    ...KEY_VARIABLES.flatMap((name) => read(name) ?? []),
    ...(apiKey === undefined ? [] : [apiKey]),
    ...(options.listSecrets?.() ?? []),
  ]

  function once(name: string, create: () => Client): Client {
    const client = clients.get(name) ?? withLimits(create())
    clients.set(name, client)
    return client
  }

  function withLimits(client: Client): Client {
    const limits = baseUrl === undefined ? options.limits?.of(client.provider) : options.limits?.ofAddress(baseUrl)
    return limits && client.provider !== 'demo' ? { ...client, limits } : client
  }

  const redacted = (client: Client): Client => redactClient(client, listKeys)
  const openEndpoint = (given: EndpointClientOptions): Client =>
    redactClient(createEndpointClient(given), () => [...listSecrets(given), ...listKeys()])
  const demoClient = (): Client => once('demo', () => createLazyDemoClient(demo))
  const endpoint = (url: string): Client =>
    once('endpoint', () =>
      withPrice(price, openEndpoint({ baseUrl: url, apiKey: apiKey ?? keyForBaseUrl(url, env), guard })),
    )
  const named = ({ name, baseUrl: url, price: ownPrice, template, readKey }: NamedEndpoint): Client =>
    once(`${name}/`, () =>
      withPrice(
        ownPrice,
        withPrefix(`${name}/`, openEndpoint({ provider: name, baseUrl: url, apiKey: readKey?.(), guard, template })),
      ),
    )
  /** For lists: an endpoint whose key must not be sent is a problem of its own, and the others are still listed. */
  const listed = (saved: NamedEndpoint): Client => {
    try {
      return named(saved)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      return createLazyClient(saved.name, () => Promise.reject(error))
    }
  }
  // Its address is chosen by whoever starts the program, or else this machine, which is nobody's choice.
  const ollama = (): Client =>
    once('ollama', () => {
      const chosen = read('OLLAMA_BASE_URL')
      const given = chosen === undefined ? { baseUrl: OLLAMA_URL, guard } : { baseUrl: chosen }
      return withPrefix('ollama/', openEndpoint({ provider: 'ollama', ...given }))
    })
  const openRouter = (key: string): Client =>
    once('openrouter', () =>
      withVendor(
        'openrouter',
        withOpenRouterPrefix(
          redacted(
            createLazyClient('openrouter', async () =>
              (await import('./openrouter.ts')).createOpenRouterClient({
                apiKey: key,
                baseUrl: read('OPENROUTER_BASE_URL'),
              }),
            ),
          ),
        ),
      ),
    )

  function vendorClient({ prefix, variables, create }: VendorClients): Client | undefined {
    const key = variables.map((name) => read(name)).find((value) => value !== undefined)
    return key === undefined
      ? undefined
      : once(prefix, () => withVendor(prefix.slice(0, -1), withPrefix(prefix, redacted(create(key, read)))))
  }

  /** For lists: a vendor that lacks more than its key is a problem of its own, and the others are still listed. */
  function listedVendor(vendor: VendorClients): Client[] {
    try {
      return [vendorClient(vendor)].filter((client) => client !== undefined)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      return [createLazyClient(vendor.prefix.slice(0, -1), () => Promise.reject(error))]
    }
  }

  return {
    clientFor(modelId) {
      if (modelId.startsWith('demo/')) return demoClient()
      if (baseUrl !== undefined) return endpoint(baseUrl)
      const match = endpoints.find(({ name }) => modelId.startsWith(`${name}/`))
      if (match) return named(match)
      if (modelId.startsWith('ollama/')) return ollama()
      const vendor = vendorClients.find(({ prefix }) => modelId.startsWith(prefix))
      const own = vendor && (openRouterKey === undefined || !vendor.isOnOpenRouter) ? vendorClient(vendor) : undefined
      if (own) return own
      if (openRouterKey !== undefined) return openRouter(openRouterKey)
      const names = [...(vendor?.variables ?? []), 'OPENROUTER_API_KEY']
      throw new InputError(
        `${modelId}: no key\nSet ${names.join(' or ')}, or give the base URL of a server (--base-url). No key needed: demo/good, demo/fair, demo/poor`,
      )
    },
    available() {
      if (baseUrl !== undefined) return [endpoint(baseUrl), demoClient()]
      const asked = vendorClients.filter(({ isOnOpenRouter }) => openRouterKey === undefined || !isOnOpenRouter)
      return [
        ...endpoints.map(listed),
        ...(openRouterKey === undefined ? [] : [openRouter(openRouterKey)]),
        ...asked.flatMap(listedVendor),
        ...(read('OLLAMA_BASE_URL') === undefined ? [] : [ollama()]),
        demoClient(),
      ]
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()))
      clients.clear()
    },
  }
}
