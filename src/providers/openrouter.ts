import type { Client } from '../contract/index.ts'
import { dialects } from './openai/dialect.ts'
import { createOpenAICompatibleClient } from './openai-compatible.ts'

export interface OpenRouterOptions {
  apiKey: string
  /** For a proxy. */
  baseUrl?: string | undefined
  connections?: number
}

const BASE_URL = 'https://openrouter.ai/api/v1'

/** Shown on OpenRouter's account pages, so that users see where the requests came from. */
const HEADERS = { 'x-title': 'Benchmaker' }

/** OpenRouter's model list has prices, context sizes and the parameters that each model supports. */
export function createOpenRouterClient({ apiKey, baseUrl = BASE_URL, connections }: OpenRouterOptions): Client {
  return createOpenAICompatibleClient({
    provider: 'openrouter',
    baseUrl,
    apiKey,
    headers: HEADERS,
    dialect: dialects.openrouter,
    // Makes the reply include the cost of the request.
    extraBody: { usage: { include: true } },
    embeddingModelsPath: '/embeddings/models',
    ...(connections !== undefined && { connections }),
  })
}
