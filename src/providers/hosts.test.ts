import { afterEach, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '../../test/fakes/model-server.ts'
import type { ModelRequest } from '../contract/index.ts'
import { createClients } from './resolve-client.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function start(models: string[] = []): Promise<ModelServer> {
  const server = await startModelServer({ models })
  closing.push(server.close)
  return server
}

const request = (modelId: string): ModelRequest => ({
  modelId,
  messages: [{ role: 'user', content: '?' }],
  parameters: { reasoningEffort: 'low' },
})

describe('a model at one host', () => {
  it('is pinned there by OpenRouter, without a fallback', async () => {
    const server = await start()
    const clients = createClients({ env: { OPENROUTER_API_KEY: 'k', OPENROUTER_BASE_URL: server.baseUrl } })
    const client = clients.clientFor('deepseek/deepseek-r1:free#Fireworks')
    await client.checkHost?.('deepseek/deepseek-r1:free#Fireworks')
    const { sent } = await client.complete(request('deepseek/deepseek-r1:free#Fireworks'))
    expect(server.requests[0]).toMatchObject({
      model: 'deepseek/deepseek-r1:free',
      body: {
        provider: { order: ['Fireworks'], only: ['Fireworks'], allow_fallbacks: false },
        reasoning: { effort: 'low' },
      },
    })
    expect(sent).toMatchObject({ provider: { only: ['Fireworks'] } })
    await expect(client.complete(request('deepseek/deepseek-r1#'))).rejects.toThrow('names no host')
    await clients.close()
  })
  it('stays pinned whatever else is asked of the router, and what is asked is added to what is set', async () => {
    const server = await start()
    const clients = createClients({ env: { OPENROUTER_API_KEY: 'k', OPENROUTER_BASE_URL: server.baseUrl } })
    const modelId = 'deepseek/deepseek-r1#Fireworks'
    const extraBody = { provider: { order: ['Azure'], data_collection: 'deny' }, reasoning: { exclude: true } }
    const { sent } = await clients
      .clientFor(modelId)
      .complete({ ...request(modelId), parameters: { reasoningEffort: 'low', extraBody } })
    const fields = {
      provider: { order: ['Fireworks'], only: ['Fireworks'], allow_fallbacks: false, data_collection: 'deny' },
      reasoning: { effort: 'low', exclude: true },
    }
    expect(server.requests[0]).toMatchObject({ body: { ...fields, usage: { include: true } } })
    expect(sent).toMatchObject(fields)
    await clients.close()
  })
  it.each([
    [{ GROQ_API_KEY: 'k', GROQ_BASE_URL: 'http://127.0.0.1:1/v1' }, 'groq/llama#Fireworks', 'groq is no router'],
    [{ ANTHROPIC_API_KEY: 'k' }, 'anthropic/claude#Bedrock', 'anthropic is no router'],
  ])('is refused by a vendor that is no router: %j', async (env, modelId, sentence) => {
    const client = createClients({ env }).clientFor(modelId)
    await expect(client.checkHost!(modelId)).rejects.toThrow(sentence)
  })
  it('is told from a model whose name has a #, which its server lists', async () => {
    const server = await start(['odd#name'])
    const clients = createClients({ env: {}, baseUrl: server.baseUrl })
    await clients.clientFor('odd#name').checkHost!('odd#name')
    await clients.clientFor('odd#name').complete(request('odd#name'))
    expect(server.requests.at(-1)).toMatchObject({ model: 'odd#name' })
    await expect(clients.clientFor('other#name').checkHost!('other#name')).rejects.toThrow('is no router')
    await clients.close()
  })
})
