import type { Client } from '../contract/index.ts'
import { redactClient } from '../contract/redact-keys.ts'
import { createAISDKClient, type SdkLanguageModel } from './ai-sdk/ai-sdk.ts'
import { parseBaseUrl } from './http/endpoint.ts'
import type { ConnectGuard } from './http/connect-guard.ts'
import { secretsOf } from './http/redact.ts'
import { MAX_OPENAI_ENTRIES } from './batches/batch-http.ts'
import { createLazyClient } from './lazy-client.ts'

/** An OpenAI-compatible endpoint. */
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
  const { host, origin, pathname } = parseBaseUrl(options.baseUrl)
  const provider = options.provider ?? host
  const client = createLazyClient(
    provider,
    async () =>
      (await import('./openai-compatible.ts')).createOpenAICompatibleClient({ ...options, provider, hasBatches: true }),
    { maxBatchEntries: MAX_OPENAI_ENTRIES },
  )
  return { ...client, address: `${origin}${pathname}` }
}
