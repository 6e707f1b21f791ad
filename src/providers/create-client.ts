import type { Client } from '../contract/index.ts'
import { createAISDKClient, type SdkLanguageModel } from './ai-sdk/ai-sdk.ts'
import { parseBaseUrl } from './http/base-url.ts'
import { createLazyClient } from './lazy-client.ts'

/** An endpoint that speaks OpenAI's chat completions. */
export interface EndpointClientOptions {
  /** Up to and without `/chat/completions`: `http://127.0.0.1:11434/v1`. */
  baseUrl: string
  apiKey?: string | undefined
  headers?: Record<string, string>
  /** A name for messages and for the limit on requests at once; the host when left out. */
  provider?: string
  /** Most connections at once; as many as there are requests when left out. */
  connections?: number
}

/** A language model made for the AI SDK. */
export interface ModelClientOptions {
  model: SdkLanguageModel
  provider?: string
}

/** A client for an endpoint, or for a model that is handed in. */
export function createClient(options: EndpointClientOptions | ModelClientOptions): Client {
  if ('model' in options)
    return createAISDKClient({ provider: options.provider ?? options.model.provider, model: options.model })
  const provider = options.provider ?? parseBaseUrl(options.baseUrl).host
  return createLazyClient(provider, async () =>
    (await import('./openai-compatible.ts')).createOpenAICompatibleClient({ ...options, provider }),
  )
}
