import { type Client, type CompleteOptions, type ModelInfo, isRecord } from '../contract/index.ts'
import { createAISDKClient } from './ai-sdk/ai-sdk.ts'
import { createAnthropicBatches } from './batches/anthropic-batches.ts'
import { createBatchHttp } from './batches/batch-http.ts'
import type { Endpoint } from './http/endpoint.ts'
import { createRedactor } from './http/redact.ts'
import { addToBody, createLimitedFetch } from './http/limited-fetch.ts'
import { get, textOf } from './http/json-values.ts'

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

/**
 * The SDK refuses a reply without counts of tokens, which would be asked, and paid, again. Counts that cannot be true are
 * left out of the answer, with a note, and its cost is unknown.
 */
const UNKNOWN_USAGE = { input_tokens: -1, output_tokens: -1 }

function withUsage(body: string): string {
  try {
    const message: unknown = JSON.parse(body)
    if (!isRecord(message) || message['type'] !== 'message') return body
    const usage = message['usage']
    const isCounted = ['input_tokens', 'output_tokens'].every((name) => typeof get(usage, name) === 'number')
    return isCounted ? body : JSON.stringify({ ...message, usage: UNKNOWN_USAGE })
  } catch {
    return body
  }
}

/** `fetch` for the SDK that passes the body of the request on and takes the reply from elsewhere. */
function createFetch(post: NonNullable<CompleteOptions['post']>): typeof fetch {
  return async (_address, init) => {
    const { status, body } = await post(String(init?.body))
    return new Response(withUsage(body), { status, headers: { 'content-type': 'application/json' } })
  }
}

/** Claude through the AI SDK's package, which loads slowly and therefore on first use. */
export function createAnthropicClient({ apiKey, baseUrl = BASE_URL }: AnthropicOptions): Client {
  let endpoint: Endpoint | undefined
  const headers = { 'x-api-key': apiKey, 'anthropic-version': VERSION }
  return createAISDKClient({
    provider: 'anthropic',
    secrets: [apiKey],
    writeThinkingBudget: (tokens) => ({
      anthropic: { thinking: tokens === 0 ? { type: 'disabled' } : { type: 'enabled', budgetTokens: tokens } },
    }),
    model: async (modelId, { post, extraBody }) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      const send = post ? createFetch(post) : createLimitedFetch('anthropic')
      return createAnthropic({ apiKey, baseURL: baseUrl, fetch: addToBody(send, extraBody) })(modelId)
    },
    batches: createAnthropicBatches(
      createBatchHttp({ provider: 'anthropic', baseUrl, headers, redact: createRedactor([apiKey]) }),
      'anthropic',
    ),
    async listModels(options) {
      const { createEndpoint } = await import('./http/endpoint.ts')
      endpoint ??= createEndpoint({
        provider: 'anthropic',
        baseUrl,
        headers,
      })
      return readModels(await endpoint.getJson('/models?limit=1000', options))
    },
    close: async () => endpoint?.close(),
  })
}
