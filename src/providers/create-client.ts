import type { Client, RequestTemplate } from '../contract/index.ts'
import { redactClient } from '../contract/redact-keys.ts'
import { createAISDKClient, type SdkLanguageModel } from './ai-sdk/ai-sdk.ts'
import { parseBaseUrl } from './http/endpoint.ts'
import type { ConnectGuard } from './http/connect-guard.ts'
import { secretsOf } from './http/redact.ts'
import { MAX_OPENAI_ENTRIES } from './batches/batch-http.ts'
import { createLazyClient } from './lazy-client.ts'
import { withoutEmbeddings } from './no-embeddings.ts'
import { dialectOf, type Dialect } from './openai/dialect.ts'

/** An OpenAI-compatible endpoint, or any other with a template. */
export interface EndpointClientOptions {
  /** The URL without `/chat/completions`, such as `http://127.0.0.1:11434/v1`. */
  baseUrl: string
  apiKey?: string | undefined
  headers?: Record<string, string>
  /** A name for messages and for the concurrency limit. Default: the host. */
  provider?: string
  /** Maximum number of connections. Default: one per concurrent request. */
  connections?: number
  /** Refuses internal addresses. */
  guard?: ConnectGuard | undefined
  /** How the API differs from OpenAI's; by default known from the address. */
  dialect?: Dialect
  /** False if the server has no batches like OpenAI's. */
  hasBatches?: boolean
  /** For an API that is not OpenAI's: how it is asked. The base URL is then the whole address. */
  template?: RequestTemplate | undefined
}

/** A language model for the AI SDK. */
export interface ModelClientOptions {
  model: SdkLanguageModel
  provider?: string
}

/** Creates a client for an endpoint or for a given AI SDK model. */
export function createClient(options: EndpointClientOptions | ModelClientOptions): Client {
  if ('model' in options)
    return createAISDKClient({ provider: options.provider ?? options.model.provider, model: options.model })
  return redactClient(createEndpointClient(options), () => listSecrets(options))
}

/** The secrets of one endpoint: its key, and others in its headers and its address. */
export function listSecrets({ baseUrl, apiKey = '', headers = {} }: EndpointClientOptions): string[] {
  const { password, searchParams } = parseBaseUrl(baseUrl)
  return [
    apiKey.trim(),
    ...secretsOf(Object.entries(headers)),
    ...secretsOf(searchParams),
    decodeURIComponent(password),
  ]
}

/** Without redaction, for callers that redact more than the secrets of this endpoint. */
export function createEndpointClient(options: EndpointClientOptions): Client {
  const { host, origin, pathname, search } = parseBaseUrl(options.baseUrl)
  const provider = options.provider ?? host
  const { template } = options
  if (template) {
    const client = createLazyClient(provider, async () =>
      (await import('./http-template.ts')).createHttpTemplateClient({ ...options, provider, template }),
    )
    // Another template makes another question of the same case, whose answers must not come from the cache.
    return { ...withoutEmbeddings(client), address: `${origin}${pathname}${search} ${JSON.stringify(template)}` }
  }
  const { hasBatches = true, dialect = dialectOf(origin) } = options
  const client = createLazyClient(
    provider,
    async () =>
      (await import('./openai-compatible.ts')).createOpenAICompatibleClient({
        ...options,
        provider,
        hasBatches,
        dialect,
      }),
    hasBatches ? { maxBatchEntries: MAX_OPENAI_ENTRIES } : {},
  )
  return { ...client, address: `${origin}${pathname}` }
}
