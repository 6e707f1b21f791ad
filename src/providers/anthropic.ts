import type { Client, ModelInfo } from '../contract/index.ts'
import { createAISDKClient } from './ai-sdk/ai-sdk.ts'
import type { Endpoint } from './http/endpoint.ts'
import { createLimitedFetch } from './http/limited-fetch.ts'
import { get, isRecord, textOf } from './http/json-values.ts'

export interface AnthropicOptions {
  apiKey: string
  baseUrl?: string
}

const BASE_URL = 'https://api.anthropic.com/v1'
const VERSION = '2023-06-01'

function readModels(reply: unknown): ModelInfo[] {
  const list = get(reply, 'data')
  if (!Array.isArray(list)) return []
  return list.filter(isRecord).flatMap((model) => {
    const id = textOf(model['id'])
    const name = textOf(model['display_name'])
    return id === undefined ? [] : [{ id, ...(name !== undefined && { name }), takesImages: true }]
  })
}

/** Claude through the AI SDK's package, which loads slowly and therefore on first use. */
export function createAnthropicClient({ apiKey, baseUrl = BASE_URL }: AnthropicOptions): Client {
  let endpoint: Endpoint | undefined
  return createAISDKClient({
    provider: 'anthropic',
    secrets: [apiKey],
    model: async (modelId) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ apiKey, baseURL: baseUrl, fetch: createLimitedFetch('anthropic') })(modelId)
    },
    async listModels(options) {
      const { createEndpoint } = await import('./http/endpoint.ts')
      endpoint ??= createEndpoint({
        provider: 'anthropic',
        baseUrl,
        headers: { 'x-api-key': apiKey, 'anthropic-version': VERSION },
      })
      return readModels(await endpoint.getJson('/models?limit=1000', options))
    },
    close: async () => endpoint?.close(),
  })
}
