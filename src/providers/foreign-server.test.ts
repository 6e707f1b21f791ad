import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, ModelRequest } from '../contract/index.ts'
import { createAnthropicClient } from './anthropic.ts'
import { createGoogleClient } from './google.ts'
import { createOpenAICompatibleClient } from './openai-compatible.ts'
import { createOpenRouterClient } from './openrouter.ts'

/** A third-party model server that speaks four vendors' protocols. */
const mock = new LLMock({ port: 0, logLevel: 'silent' })
const ask = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  modelId: 'gpt-4o',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content },
  ],
  parameters: { temperature: 0, maxTokens: 64 },
  ...more,
})
const clients: [name: string, modelId: string, create: () => Client][] = [
  [
    'OpenAI',
    'gpt-4o',
    () =>
      createOpenAICompatibleClient({ provider: 'openai', baseUrl: `${mock.url}/v1`, apiKey: 'test-key-0123456789' }),
  ],
  [
    'OpenRouter',
    'openai/gpt-4o',
    () => createOpenRouterClient({ apiKey: 'test-key-0123456789', baseUrl: `${mock.url}/api/v1` }),
  ],
  [
    'Anthropic',
    'claude-sonnet-4-5',
    () => createAnthropicClient({ apiKey: 'test-key-0123456789', baseUrl: `${mock.url}/v1` }),
  ],
  [
    'Google',
    'gemini-2.5-flash',
    () => createGoogleClient({ apiKey: 'test-key-0123456789', baseUrl: `${mock.url}/v1beta` }),
  ],
]

beforeAll(async () => {
  mock.onMessage(
    'capital',
    { content: 'The capital is Canberra — höchstwahrscheinlich.' },
    { openRouterProcessing: true, chunkSize: 3 },
  )
  mock.onMessage('weather', { toolCalls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] })
  await mock.start()
})
afterAll(() => mock.stop())

describe.each(clients)('%s as aimock speaks it', (_name, modelId, create) => {
  it('answers with and without streaming', async () => {
    const client = create()
    let streamed = ''
    const answer = await client.complete(ask('What is the capital?', { modelId }), {
      onText: (text) => (streamed += text),
    })
    expect(answer).toMatchObject({ outcome: 'ok', response: 'The capital is Canberra — höchstwahrscheinlich.' })
    expect(streamed).toBe(answer.response)
    expect(answer.completionTokens).toBeTypeOf('number')
    expect(await client.complete(ask('What is the capital?', { modelId, stream: false }))).toMatchObject({
      outcome: 'ok',
      response: answer.response,
    })
    await client.close()
  })
  it('calls tools', async () => {
    const client = create()
    const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }]
    for (const stream of [true, false]) {
      expect((await client.complete(ask('How is the weather?', { modelId, tools, stream }))).toolCalls).toMatchObject([
        { name: 'get_weather', arguments: { city: 'Oslo' } },
      ])
    }
    await client.close()
  })
  it('reports an error status', async () => {
    const client = create()
    mock.nextRequestError(429, { message: 'Rate limit reached', type: 'rate_limit_error' })
    await expect(client.complete(ask('What is the capital?', { modelId }))).rejects.toMatchObject({
      name: 'ClientError',
      kind: 'refused',
      status: 429,
    })
    await client.close()
  })
})
