import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer, type ModelServerOptions } from '../../test/fakes/model-server.ts'
import { InputError, type ModelAnswer, type ModelRequest } from '../contract/index.ts'
import { createClients } from './resolve-client.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const KEY = 'vendor-key-0123456789'
const everything: ModelRequest['parameters'] = {
  temperature: 0,
  maxTokens: 100,
  seed: 7,
  topK: 40,
  stop: ['END'],
  reasoningEffort: 'max',
  thinkingBudget: 2048,
  responseFormat: { type: 'object', properties: { a: { type: 'string' } } },
  extraBody: { min_p: 0.1 },
  headers: { 'X-Project': 'tests' },
}
const request = (modelId: string, parameters = everything): ModelRequest => ({
  modelId,
  messages: [{ role: 'user', content: '6 × 7?' }],
  parameters,
})

async function start(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(options)
  closing.push(server.close)
  return server
}

async function ask(modelId: string, env: Record<string, string>, parameters = everything): Promise<ModelAnswer> {
  const clients = createClients({ env })
  closing.push(() => clients.close())
  return clients.clientFor(modelId).complete(request(modelId, parameters))
}

const schema = {
  type: 'json_schema',
  json_schema: { name: 'answer', schema: everything.responseFormat, strict: false },
}
const common = { temperature: 0, max_tokens: 100, stop: ['END'], response_format: schema, min_p: 0.1 }

// The fields are those of each vendor's reference of chat completions, November 2026.
const vendors: [name: string, variable: string, sent: object, leftOut: string[]][] = [
  ['mistral', 'MISTRAL', { ...common, random_seed: 7, reasoning_effort: 'max' }, ['topK', 'thinkingBudget']],
  ['groq', 'GROQ', { ...common, seed: 7, reasoning_effort: 'max' }, ['topK', 'thinkingBudget']],
  ['deepseek', 'DEEPSEEK', { ...common, thinking: { type: 'enabled' } }, ['seed', 'topK', 'thinkingBudget']],
  ['xai', 'XAI', { ...common, seed: 7, reasoning_effort: 'max' }, ['topK', 'thinkingBudget']],
  ['together', 'TOGETHER', { ...common, seed: 7, top_k: 40, reasoning_effort: 'max' }, ['thinkingBudget']],
  ['fireworks', 'FIREWORKS', { ...common, seed: 7, top_k: 40, reasoning_effort: 'max' }, ['thinkingBudget']],
]

describe('a vendor with an API like OpenAI’s', () => {
  it.each(vendors)('%s gets its own fields, its key and the headers', async (name, variable, sent, leftOut) => {
    const server = await start()
    const env = { [`${variable}_API_KEY`]: KEY, [`${variable}_BASE_URL`]: server.baseUrl }
    const answer = await ask(`${name}/model-1`, env)
    const [asked] = server.requests
    expect(asked).toMatchObject({ model: 'model-1', headers: { authorization: `Bearer ${KEY}`, 'x-project': 'tests' } })
    const { model: _model, messages: _messages, stream: _stream, stream_options: _options, ...fields } = asked!.body
    expect(fields).toEqual(sent)
    expect(answer.sent).toEqual(sent)
    expect(answer.leftOut).toEqual(leftOut)
    expect(JSON.stringify(answer)).not.toContain(KEY)
  })
  it('comes before OpenRouter, unless OpenRouter uses its prefix', () => {
    const clients = createClients({ env: { OPENROUTER_API_KEY: 'k', GROQ_API_KEY: 'k', DEEPSEEK_API_KEY: 'k' } })
    expect(clients.clientFor('groq/llama').provider).toBe('groq')
    expect(clients.clientFor('deepseek/deepseek-chat').provider).toBe('openrouter')
    expect(clients.available().map(({ provider }) => provider)).toEqual(['openrouter', 'groq', 'demo'])
  })
  it('is told apart from another level where it has none', async () => {
    const server = await start()
    const env = { DEEPSEEK_API_KEY: KEY, DEEPSEEK_BASE_URL: server.baseUrl }
    const low = await ask('deepseek/x', env, { reasoningEffort: 'low' })
    expect(low.notes).toEqual(['DeepSeek has no levels of reasoning effort: low was sent as thinking enabled.'])
    const none = await ask('deepseek/x', env, { reasoningEffort: 'none' })
    expect(none.sent).toEqual({ thinking: { type: 'disabled' } })
    expect(none.notes).toBeUndefined()
  })
})

describe('Azure', () => {
  it.each(['', '/openai/v1/', '/'])('is asked at its resource, with its own header: %j', async (path) => {
    const server = await start()
    const origin = new URL(server.baseUrl).origin
    await ask('azure/my-deployment', { AZURE_OPENAI_API_KEY: KEY, AZURE_OPENAI_ENDPOINT: `${origin}${path}` })
    expect(server.requests[0]).toMatchObject({
      path: '/openai/v1/chat/completions',
      model: 'my-deployment',
      headers: { 'api-key': KEY },
      body: { reasoning_effort: 'xhigh' },
    })
    expect(server.requests[0]!.headers).not.toHaveProperty('authorization')
  })
  it('without an address says what to set, and hides no other vendor from the list', () => {
    const clients = createClients({ env: { AZURE_OPENAI_API_KEY: KEY, GROQ_API_KEY: KEY } })
    expect(() => clients.clientFor('azure/x')).toThrow(InputError)
    expect(() => clients.clientFor('azure/x')).toThrow('AZURE_OPENAI_ENDPOINT')
    expect(clients.available().map(({ provider }) => provider)).toEqual(['azure', 'groq', 'demo'])
  })
})

describe('Amazon Bedrock', () => {
  const reply = readFileSync(new URL('fixtures/bedrock-converse.json', import.meta.url))
  async function converse(
    env: Record<string, string>,
    parameters: ModelRequest['parameters'],
    model = 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  ) {
    const seen: { path: string | undefined; authorization: string | undefined; body: unknown }[] = []
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const { authorization } = incoming.headers
        seen.push({ path: incoming.url, authorization, body: JSON.parse(Buffer.concat(chunks).toString()) })
        response.writeHead(200, { 'content-type': 'application/json' }).end(reply)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(async () => server.close())
    const { port } = server.address() as AddressInfo
    const clients = createClients({
      env: { ...env, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_BEDROCK_RUNTIME: `http://127.0.0.1:${port}` },
    })
    const modelId = `bedrock/${model}`
    const answer = await clients.clientFor(modelId).complete({ ...request(modelId, parameters), stream: false })
    return { answer, asked: seen[0]! }
  }

  it('is asked with a bearer token, and keeps the reasoning apart from the answer', async () => {
    const { answer, asked } = await converse(
      { AWS_BEARER_TOKEN_BEDROCK: KEY },
      { maxTokens: 4096, thinkingBudget: 2048, seed: 1 },
    )
    expect(asked).toMatchObject({
      path: '/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse',
      authorization: `Bearer ${KEY}`,
      body: { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2048 } } },
    })
    expect(answer).toMatchObject({
      response: '42',
      reasoning: '6 × 7 is 42.',
      promptTokens: 14,
      completionTokens: 31,
      leftOut: ['seed'],
      sent: { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 2048 } } },
    })
  })
  it('gets more fields beside its own, and top K in the words of the model', async () => {
    const { answer, asked } = await converse(
      { AWS_ACCESS_KEY_ID: 'AKIA123', AWS_SECRET_ACCESS_KEY: KEY },
      {
        maxTokens: 100,
        topK: 40,
        extraBody: { performanceConfig: { latency: 'optimized' }, additionalModelRequestFields: { min_p: 0.1 } },
      },
    )
    const fields = {
      inferenceConfig: { maxTokens: 100 },
      performanceConfig: { latency: 'optimized' },
      additionalModelRequestFields: { top_k: 40, min_p: 0.1 },
    }
    expect(asked.body).toMatchObject(fields)
    expect(asked.body).not.toHaveProperty('inferenceConfig.topK')
    expect(answer.sent).toMatchObject(fields)
    expect(answer).not.toHaveProperty('leftOut')
  })
  it('says what it has no field for: JSON without a schema, and a thinking budget of other models than Claude', async () => {
    const env = { AWS_BEARER_TOKEN_BEDROCK: KEY }
    const parameters = { responseFormat: 'json', thinkingBudget: 2048, reasoningEffort: 'high' } as const
    expect((await converse(env, parameters)).answer.leftOut).toEqual(['responseFormat', 'reasoningEffort'])
    const { answer, asked } = await converse(env, parameters, 'openai.gpt-oss-120b-1:0')
    expect(answer.leftOut).toEqual(['thinkingBudget', 'responseFormat'])
    expect(asked.body).toMatchObject({ additionalModelRequestFields: { reasoning_effort: 'high' } })
    const none = await converse(env, { reasoningEffort: 'none' }, 'openai.gpt-oss-120b-1:0')
    expect(none.answer.leftOut).toEqual(['reasoningEffort'])
    expect((await converse(env, { reasoningEffort: 'none' })).answer).not.toHaveProperty('leftOut')
  })
  it('is asked with a signature of an access key', async () => {
    const { asked } = await converse({ AWS_ACCESS_KEY_ID: 'AKIA123', AWS_SECRET_ACCESS_KEY: KEY }, { maxTokens: 100 })
    expect(asked.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIA123\/\d{8}\/eu-west-1\/bedrock/)
  })
  it('without a region or half a key says what to set', () => {
    const clientFor = (env: Record<string, string>) => () => createClients({ env }).clientFor('bedrock/x')
    expect(clientFor({ AWS_BEARER_TOKEN_BEDROCK: KEY })).toThrow('AWS_REGION')
    expect(clientFor({ AWS_SECRET_ACCESS_KEY: KEY, AWS_REGION: 'us-east-1' })).toThrow('AWS_ACCESS_KEY_ID')
  })
})
