import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer, type ModelServerOptions } from '../../test/fakes/model-server.ts'
import type { ModelRequest } from '../contract/index.ts'
import { createDemoClient } from './demo/demo.ts'
import { createOpenAICompatibleClient } from './openai-compatible.ts'
import { createOpenRouterClient } from './openrouter.ts'
import { createClients } from './resolve-client.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function open(options: ModelServerOptions = {}) {
  const server = await startModelServer(options)
  servers.push(server)
  return { server, client: createOpenAICompatibleClient({ provider: 'test', baseUrl: server.baseUrl, apiKey: 'sk-1' }) }
}

const request = (...embed: string[]): ModelRequest => ({ modelId: 'embedder', messages: [], parameters: {}, embed })

describe('POST /embeddings', () => {
  it('sends model and input with the key, and reads the embeddings and the usage', async () => {
    const { client, server } = await open({ embed: (text) => [text.length, 0.5] })
    expect(await client.complete(request('one two', 'three'))).toMatchObject({
      outcome: 'ok',
      response: '',
      embeddings: [
        [7, 0.5],
        [5, 0.5],
      ],
      promptTokens: 3,
      completionTokens: 0,
      latencyMs: expect.any(Number),
    })
    expect(server.requests).toMatchObject([
      {
        path: '/v1/embeddings',
        body: { model: 'embedder', input: ['one two', 'three'] },
        headers: { authorization: 'Bearer sk-1' },
      },
    ])
    expect(Object.keys(server.requests[0]!.body)).toEqual(['model', 'input'])
  })

  it('sorts embeddings by their index, and takes them as they come without one', async () => {
    const data = (items: object[]) => ({ headers: {}, pieces: [JSON.stringify({ data: items })] })
    const replies = [
      data([
        { index: 1, embedding: [2] },
        { index: 0, embedding: [1] },
      ]),
      data([{ embedding: [3] }, { embedding: [4] }]),
    ]
    const { client } = await open({ reply: () => replies.shift() })
    expect((await client.complete(request('a', 'b'))).embeddings).toEqual([[1], [2]])
    const unnumbered = await client.complete(request('a', 'b'))
    expect(unnumbered.embeddings).toEqual([[3], [4]])
    expect(unnumbered.promptTokens).toBeUndefined()
  })

  it.each([
    ['strings', /holds "0\.1", not a number/],
    ['base64', /one is not a list/],
    ['no data', /no list "data"/],
    ['not JSON', /no list "data"/],
    ['error in 200', /no model loaded/],
    ['text too long', /maximum context length/],
    ['a gigabyte', /more than 32 MiB/],
    ['endless numbers', /more than 32 MiB/],
    ['cut', /closed|lost|ended/i],
  ] as const)('fails readably on %j', async (fault, message) => {
    const { client } = await open({ embeddingFault: () => fault })
    await expect(client.complete(request('a'))).rejects.toMatchObject({
      name: 'ClientError',
      message: expect.stringMatching(message),
    })
  })

  it('stops when it is cancelled', async () => {
    const { client } = await open({ latencyMs: 60_000 })
    const controller = new AbortController()
    const asked = client.complete(request('a'), { signal: controller.signal })
    controller.abort()
    await expect(asked).rejects.toMatchObject({ kind: 'cancelled' })
  })
})

describe('embeddings of', () => {
  it('OpenRouter have prices, from a list of their own', async () => {
    const lists: Record<string, object[]> = {
      '/models': [{ id: 'openai/gpt-4o', pricing: { prompt: '0.0000025', completion: '0.00001' } }],
      '/embeddings/models': [
        { id: 'openai/text-embedding-3-small', pricing: { prompt: '0.00000002', completion: '0' } },
        { id: 'openai/gpt-4o' },
      ],
    }
    let isDown = false
    const server = createServer(({ url = '' }, response) => {
      response.writeHead(isDown && url.includes('embeddings') ? 500 : 200)
      response.end(JSON.stringify({ data: lists[url] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const client = createOpenRouterClient({ apiKey: 'sk-or', baseUrl: `http://127.0.0.1:${port}` })
    const chat = { id: 'openai/gpt-4o', promptPrice: 0.0000025, completionPrice: 0.00001 }
    expect(await client.listModels()).toEqual([
      chat,
      { id: 'openai/text-embedding-3-small', promptPrice: 2e-8, completionPrice: 0, isEmbedding: true },
    ])
    isDown = true
    expect(await client.listModels()).toEqual([chat])
    await client.close()
    server.close()
  })

  it('Anthropic and Google are refused before a run', () => {
    const { clientFor } = createClients({ env: { ANTHROPIC_API_KEY: 'k-1', GOOGLE_API_KEY: 'k-2' } })
    for (const model of ['anthropic/claude', 'google/gemini']) {
      expect(() => clientFor(model).checkModel?.(model, 'embeddings')).toThrow(/gives no embeddings here/)
      expect(() => clientFor(model).checkModel?.(model, 'answers')).not.toThrow()
    }
  })

  it('the simulated model are the same for the same text, closer for similar ones, and not answers', async () => {
    const client = createDemoClient()
    const ask = (...texts: string[]) => client.complete({ ...request(...texts), modelId: 'demo/embedding' })
    const { embeddings, cost, promptTokens } = await ask(
      'Paris is the capital of France',
      'The capital of France is Paris.',
      'Bananas are yellow',
    )
    const cosine = (a: number[], b: number[]) => a.reduce((sum, value, index) => sum + value * b[index]!, 0)
    const [first, second, third] = embeddings!
    expect(cosine(first!, second!)).toBeCloseTo(1, 9)
    expect(cosine(first!, third!)).toBeLessThan(0.5)
    expect((await ask('Bananas are yellow')).embeddings![0]).toEqual(third)
    expect((await ask('!?')).embeddings![0]!.every(Number.isFinite)).toBe(true)
    expect(cost).toBeCloseTo(promptTokens! * 2e-8, 15)
    expect(() => client.checkModel!('demo/embedding')).toThrow('gives embeddings, not answers')
    expect(() => client.checkModel!('demo/good', 'embeddings')).toThrow('gives no embeddings')
    await expect(client.complete({ ...request('a'), modelId: 'demo/good' })).rejects.toThrow('gives no embeddings')
    expect((await client.listModels()).find(({ id }) => id === 'demo/embedding')?.name).toContain('simulated')
  })
})
