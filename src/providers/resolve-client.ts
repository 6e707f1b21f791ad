import { InputError, vendors, type Client, type VendorName, type ModelInfo } from '../contract/index.ts'
import { createClient } from './create-client.ts'
import type { DemoOptions } from './demo/demo.ts'
import { createLazyClient, createLazyDemoClient } from './lazy-client.ts'

/** An OpenAI-compatible server that a user has named: its models are `NAME/model`. */
interface NamedEndpoint {
  name: string
  baseUrl: string
  /** Asked for its key when the first model of the endpoint is. */
  readKey?(): string | undefined
}

export interface ClientsOptions {
  /** The environment with its keys. */
  env: Record<string, string | undefined>
  /** An endpoint for every model that is not simulated. */
  baseUrl?: string | undefined
  /** The key for `baseUrl`; without one, for OpenRouter. */
  apiKey?: string | undefined
  /** Their names come before all others but `demo`. */
  endpoints?: readonly NamedEndpoint[]
  demo?: DemoOptions
}

/** Which endpoint answers for which model. Model ids are those that users write, with their prefix. */
export interface Clients {
  /** The client for the model: one an endpoint, made when first asked for. Throws `InputError` when a key is missing. */
  clientFor(modelId: string): Client
  /** Every endpoint that is set up, for a list of all models. */
  available(): Client[]
  close(): Promise<void>
}

const OLLAMA_URL = 'http://127.0.0.1:11434/v1'
const OPENAI_URL = 'https://api.openai.com/v1'

/** A client that knows its models by ids with a prefix, which its endpoint does not. */
function withPrefix(prefix: string, client: Client): Client {
  const strip = (modelId: string): string => (modelId.startsWith(prefix) ? modelId.slice(prefix.length) : modelId)
  return {
    provider: client.provider,
    complete: (request, options) => client.complete({ ...request, modelId: strip(request.modelId) }, options),
    listModels: async (options) =>
      (await client.listModels(options)).map((model): ModelInfo => ({ ...model, id: `${prefix}${model.id}` })),
    close: () => client.close(),
  }
}

/** OpenRouter's own ids have a slash, and `openrouter/auto` is one of them: only a prefix before such an id is ours. */
function withOpenRouterPrefix(client: Client): Client {
  const strip = (modelId: string): string => modelId.replace(/^openrouter\/(?=[^/]+\/)/, '')
  return {
    ...client,
    complete: (request, options) => client.complete({ ...request, modelId: strip(request.modelId) }, options),
  }
}

/** Keys go only where they belong: a base URL gets a vendor's key when it is that vendor's. */
function keyForBaseUrl(baseUrl: string, env: ClientsOptions['env']): string | undefined {
  const host = URL.parse(baseUrl)?.hostname
  if (host === 'api.openai.com') return env['OPENAI_API_KEY']
  if (host === 'openrouter.ai') return env['OPENROUTER_API_KEY']
  return env['BENCHMAKER_API_KEY']
}

/** How the client of each vendor is created, but for OpenRouter's, which answers for the models of all. */
const CREATORS: Record<Exclude<VendorName, 'openrouter'>, (apiKey: string) => Client> = {
  openai: (apiKey) => createClient({ provider: 'openai', baseUrl: OPENAI_URL, apiKey }),
  anthropic: (apiKey) =>
    createLazyClient('anthropic', async () => (await import('./anthropic.ts')).createAnthropicClient({ apiKey })),
  google: (apiKey) =>
    createLazyClient('google', async () => (await import('./google.ts')).createGoogleClient({ apiKey })),
}

const VENDORS = vendors.flatMap(({ name, variables }) =>
  name === 'openrouter' ? [] : [{ prefix: `${name}/`, variables, create: CREATORS[name] }],
)

/**
 * Who answers for a model, by the first rule that fits:
 *
 * 1. `demo/…`: the simulated models.
 * 2. A base URL was given: that endpoint, the id as it stands. Its key is the one given, else `BENCHMAKER_API_KEY`; for
 *    api.openai.com and openrouter.ai that vendor's variable.
 * 3. `NAME/…` of an endpoint that has a name: that endpoint, with its own key.
 * 4. `ollama/…`: Ollama on this machine, or at `OLLAMA_BASE_URL`.
 * 5. `openrouter/…`, or any model when `OPENROUTER_API_KEY` (or a key without a base URL) is set: OpenRouter.
 * 6. `openai/…`, `anthropic/…`, `google/…`: that vendor, with its own key.
 *
 * Otherwise a key is missing, and the error says which.
 */
export function createClients({ env, baseUrl, apiKey, endpoints = [], demo }: ClientsOptions): Clients {
  const made = new Map<string, Client>()
  const read = (name: string): string | undefined => env[name]?.trim() || undefined
  const openRouterKey = baseUrl === undefined ? (apiKey ?? read('OPENROUTER_API_KEY')) : undefined

  function once(name: string, create: () => Client): Client {
    const client = made.get(name) ?? create()
    made.set(name, client)
    return client
  }

  const demoClient = (): Client => once('demo', () => createLazyDemoClient(demo))
  const endpoint = (url: string): Client =>
    once('endpoint', () => createClient({ baseUrl: url, apiKey: apiKey ?? keyForBaseUrl(url, env) }))
  const named = ({ name, baseUrl: url, readKey }: NamedEndpoint): Client =>
    once(`${name}/`, () => withPrefix(`${name}/`, createClient({ provider: name, baseUrl: url, apiKey: readKey?.() })))
  const ollama = (): Client =>
    once('ollama', () =>
      withPrefix('ollama/', createClient({ provider: 'ollama', baseUrl: read('OLLAMA_BASE_URL') ?? OLLAMA_URL })),
    )
  const openRouter = (key: string): Client =>
    once('openrouter', () =>
      withOpenRouterPrefix(
        createLazyClient('openrouter', async () =>
          (await import('./openrouter.ts')).createOpenRouterClient({ apiKey: key }),
        ),
      ),
    )

  function vendorClient({ prefix, variables, create }: (typeof VENDORS)[number]): Client | undefined {
    const key = variables.map((name) => read(name)).find((value) => value !== undefined)
    return key === undefined ? undefined : once(prefix, () => withPrefix(prefix, create(key)))
  }

  return {
    clientFor(modelId) {
      if (modelId.startsWith('demo/')) return demoClient()
      if (baseUrl !== undefined) return endpoint(baseUrl)
      const known = endpoints.find(({ name }) => modelId.startsWith(`${name}/`))
      if (known) return named(known)
      if (modelId.startsWith('ollama/')) return ollama()
      if (openRouterKey !== undefined) return openRouter(openRouterKey)
      const vendor = VENDORS.find(({ prefix }) => modelId.startsWith(prefix))
      const client = vendor && vendorClient(vendor)
      if (client) return client
      const names = [...(vendor?.variables ?? []), 'OPENROUTER_API_KEY']
      throw new InputError(
        `No key for the model "${modelId}": set ${names.join(' or ')}, give a base URL, or use the simulated models (demo/good, demo/fair, demo/poor).`,
      )
    },
    available() {
      if (baseUrl !== undefined) return [endpoint(baseUrl), demoClient()]
      const ofVendors = VENDORS.map(vendorClient).filter((client) => client !== undefined)
      return [
        ...endpoints.map(named),
        ...(openRouterKey === undefined ? ofVendors : [openRouter(openRouterKey)]),
        ...(read('OLLAMA_BASE_URL') === undefined ? [] : [ollama()]),
        demoClient(),
      ]
    },
    async close() {
      await Promise.all([...made.values()].map((client) => client.close()))
      made.clear()
    },
  }
}
