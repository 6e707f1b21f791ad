import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../contract/index.ts'
import { createAnthropicClient } from './anthropic.ts'
import { createClient } from './create-client.ts'
import { createGoogleClient } from './google.ts'
import { createOpenRouterClient } from './openrouter.ts'

const KEY = 'test-key-0123456789'
const servers: Server[] = []
const arrived: string[] = []
let status = 307
let target = ''
let url = ''

function listen(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
    })
  })
}

beforeAll(async () => {
  target = await listen((request, response) => {
    arrived.push(JSON.stringify(request.headers))
    response.end('{}')
  })
  url = await listen((request, response) => {
    request.resume()
    response.writeHead(status, { location: `${target}${request.url}` }).end()
  })
})
afterAll(() => {
  for (const server of servers) server.close()
})

describe.each<[string, () => Client]>([
  ['an endpoint', () => createClient({ baseUrl: `${url}/v1`, apiKey: KEY })],
  ['OpenRouter', () => createOpenRouterClient({ apiKey: KEY, baseUrl: `${url}/v1` })],
  ['Anthropic', () => createAnthropicClient({ apiKey: KEY, baseUrl: `${url}/v1` })],
  ['Google', () => createGoogleClient({ apiKey: KEY, baseUrl: `${url}/v1beta` })],
])('%s that redirects to another server', (_name, open) => {
  it.each([301, 302, 303, 307, 308])('by %i sends nothing there, least of all the key', async (code) => {
    status = code
    const client = open()
    const request = { modelId: 'm', messages: [{ role: 'user' as const, content: 'x' }], parameters: {} }
    for (const ask of [
      () => client.complete(request),
      () => client.complete({ ...request, stream: false }),
      () => client.listModels(),
    ])
      await expect(ask()).rejects.toThrow(`it redirects to ${target}`)
    expect(arrived).toEqual([])
    await client.close()
  })
})
