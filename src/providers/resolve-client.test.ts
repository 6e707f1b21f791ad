import { afterEach, describe, expect, it } from 'vitest'
import { startModelServer } from '../../test/fakes/model-server.ts'
import { InputError, type ModelRequest } from '../contract/index.ts'
import { createClient } from './create-client.ts'
import { createClients, type ClientsOptions } from './resolve-client.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const ask = (modelId: string): ModelRequest => ({
  modelId,
  messages: [{ role: 'user', content: 'Hello?' }],
  parameters: {},
})
const everyKey = { OPENROUTER_API_KEY: 'k1', OPENAI_API_KEY: 'k2', ANTHROPIC_API_KEY: 'k3', GOOGLE_API_KEY: 'k4' }
const { OPENROUTER_API_KEY: _none, ...vendorKeys } = everyKey

const lab = { name: 'lab', baseUrl: 'http://127.0.0.1:1/v1' }

describe('the client for a model', () => {
  it.each<[modelId: string, options: Partial<ClientsOptions>, provider: string]>([
    ['demo/good', { baseUrl: 'http://127.0.0.1:1/v1', env: everyKey }, 'demo'],
    ['openai/gpt-4o', { baseUrl: 'http://127.0.0.1:1/v1', env: everyKey }, '127.0.0.1:1'],
    ['lab/llama3', { baseUrl: 'http://127.0.0.1:1/v1', endpoints: [lab] }, '127.0.0.1:1'],
    ['lab/llama3', { env: everyKey, endpoints: [lab] }, 'lab'],
    ['laboratory/llama3', { env: everyKey, endpoints: [lab] }, 'openrouter'],
    ['ollama/llama3', { env: everyKey }, 'ollama'],
    ['openai/gpt-4o', { env: everyKey }, 'openrouter'],
    ['openrouter/openai/gpt-4o', { env: everyKey }, 'openrouter'],
    ['whatever', { apiKey: 'k' }, 'openrouter'],
    ['openai/gpt-4o', { env: vendorKeys }, 'openai'],
    ['anthropic/claude-sonnet-4-5', { env: vendorKeys }, 'anthropic'],
    ['google/gemini-2.5-flash', { env: vendorKeys }, 'google'],
    ['google/gemini-2.5-flash', { env: { GEMINI_API_KEY: 'k' } }, 'google'],
  ])('%s with %j is %s', (modelId, options, provider) => {
    const clients = createClients({ env: {}, ...options })
    expect(clients.clientFor(modelId).provider).toBe(provider)
    expect(clients.clientFor(modelId)).toBe(clients.clientFor(modelId))
  })
  it.each<[modelId: string, variable: RegExp]>([
    ['openai/gpt-4o', /Set OPENAI_API_KEY or OPENROUTER_API_KEY,/],
    ['google/gemini-2.5-flash', /Set GOOGLE_API_KEY or GEMINI_API_KEY or OPENROUTER_API_KEY,/],
    ['openrouter/auto', /Set OPENROUTER_API_KEY,/],
    ['llama3', /Set OPENROUTER_API_KEY,/],
  ])('%s without a key says which variable to set', (modelId, variable) => {
    const clients = createClients({ env: { OPENAI_API_KEY: ' ', ANTHROPIC_API_KEY: 'k' } })
    expect(() => clients.clientFor(modelId)).toThrow(InputError)
    expect(() => clients.clientFor(modelId)).toThrow(variable)
  })
  it('an invalid base URL is refused before anything is sent', () => {
    expect(() => createClients({ env: {}, baseUrl: 'nonsense' }).clientFor('x')).toThrow(InputError)
  })
  it('is listed for every configured endpoint', () => {
    const names = (options: ClientsOptions): string[] =>
      createClients(options)
        .available()
        .map(({ provider }) => provider)
    expect(names({ env: {} })).toEqual(['demo'])
    expect(names({ env: everyKey })).toEqual(['openrouter', 'demo'])
    expect(names({ env: everyKey, endpoints: [lab] })).toEqual(['lab', 'openrouter', 'demo'])
    expect(names({ env: { ...vendorKeys, OLLAMA_BASE_URL: 'http://127.0.0.1:1/v1' } })).toEqual([
      'openai',
      'anthropic',
      'google',
      'ollama',
      'demo',
    ])
  })
})

describe('what the endpoint receives', () => {
  it('Ollama receives the id without its prefix, and its models are listed with it', async () => {
    const server = await startModelServer({ models: ['llama3:8b'] })
    const clients = createClients({ env: { OLLAMA_BASE_URL: server.baseUrl } })
    closing.push(clients.close, server.close)
    await clients.clientFor('ollama/llama3:8b').complete(ask('ollama/llama3:8b'))
    expect(server.stats().byModel).toEqual({ 'llama3:8b': 1 })
    expect(await clients.clientFor('ollama/x').listModels()).toEqual([{ id: 'ollama/llama3:8b' }])
  })
  it('a base URL receives the unchanged id and its own key, never a vendor’s', async () => {
    const server = await startModelServer()
    closing.push(server.close)
    const authorizations: unknown[] = []
    for (const options of [
      { apiKey: 'given-key-123' },
      { env: { ...everyKey, BENCHMAKER_API_KEY: 'own-key-12345' } },
      { env: everyKey },
    ]) {
      const clients = createClients({ env: {}, baseUrl: server.baseUrl, ...options })
      closing.unshift(clients.close)
      await clients.clientFor('openai/gpt-4o').complete(ask('openai/gpt-4o'))
      authorizations.push(server.requests.at(-1)!.headers['authorization'])
    }
    expect(authorizations).toEqual(['Bearer given-key-123', 'Bearer own-key-12345', undefined])
    expect(server.stats().byModel).toEqual({ 'openai/gpt-4o': 3 })
  })
  it('createClient creates a client for an endpoint, named after its host', async () => {
    const server = await startModelServer()
    const client = createClient({ baseUrl: server.baseUrl, headers: { 'x-team': 'a' } })
    closing.push(client.close, server.close)
    expect(client.provider).toBe(new URL(server.baseUrl).host)
    expect(await client.complete(ask('m'))).toMatchObject({ outcome: 'ok' })
    expect(server.requests[0]!.headers['x-team']).toBe('a')
  })
})
