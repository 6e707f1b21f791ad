import type { Client } from '../contract/index.ts'
import { createOpenAICompatibleClient } from './openai-compatible.ts'

export interface OpenRouterOptions {
  apiKey: string
  /** For a proxy. */
  baseUrl?: string
  connections?: number
}

const BASE_URL = 'https://openrouter.ai/api/v1'

/** OpenRouter shows these in its account pages, so that a user sees where the requests came from. */
const HEADERS = { 'x-title': 'Benchmaker' }

/** Its list of models has prices, context sizes and the parameters that each model takes. */
export function createOpenRouterClient({ apiKey, baseUrl = BASE_URL, connections }: OpenRouterOptions): Client {
  return createOpenAICompatibleClient({
    provider: 'openrouter',
    baseUrl,
    apiKey,
    headers: HEADERS,
    // With it the reply says what the request cost.
    extraBody: { usage: { include: true } },
    ...(connections !== undefined && { connections }),
  })
}
