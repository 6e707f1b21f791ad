import { type Client, type ModelInfo, isRecord } from '../contract/index.ts'
import { createAISDKClient } from './ai-sdk/ai-sdk.ts'
import type { Endpoint } from './http/endpoint.ts'
import { addToBody, createLimitedFetch } from './http/limited-fetch.ts'
import { amountOf, get, textOf } from './http/json-values.ts'

export interface GoogleOptions {
  apiKey: string
  baseUrl?: string
}

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta'

function readModels(reply: unknown): ModelInfo[] {
  const list = get(reply, 'models')
  if (!Array.isArray(list)) return []
  return list.filter(isRecord).flatMap((model) => {
    const id = textOf(model['name'])?.replace(/^models\//, '')
    const methods = model['supportedGenerationMethods']
    if (id === undefined || (Array.isArray(methods) && !methods.includes('generateContent'))) return []
    const name = textOf(model['displayName'])
    const contextLength = amountOf(model['inputTokenLimit'])
    return [{ id, ...(name !== undefined && { name }), ...(contextLength !== undefined && { contextLength }) }]
  })
}

/** Gemini through the AI SDK's package, which loads slowly and therefore on first use. */
export function createGoogleClient({ apiKey, baseUrl = BASE_URL }: GoogleOptions): Client {
  let endpoint: Endpoint | undefined
  return createAISDKClient({
    provider: 'google',
    secrets: [apiKey],
    writeThinkingBudget: (tokens) => ({ google: { thinkingConfig: { thinkingBudget: tokens } } }),
    describeEffort: ({ modelId, parameters }) =>
      parameters.reasoningEffort === 'none' && parameters.thinkingBudget === undefined && /gemini-[3-9]/.test(modelId)
        ? 'Gemini cannot be kept from thinking: none was sent as its lowest level.'
        : undefined,
    model: async (modelId, { extraBody }) => {
      const { createGoogle } = await import('@ai-sdk/google')
      const send = addToBody(createLimitedFetch('google'), extraBody)
      return createGoogle({ apiKey, baseURL: baseUrl, fetch: send })(modelId)
    },
    async listModels(options) {
      const { createEndpoint } = await import('./http/endpoint.ts')
      endpoint ??= createEndpoint({ provider: 'google', baseUrl, headers: { 'x-goog-api-key': apiKey } })
      return readModels(await endpoint.getJson('/models?pageSize=1000', options))
    },
    close: async () => endpoint?.close(),
  })
}
