import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RunTools } from '../services/index.ts'
import { openDatabaseKeyStore, saveEndpoint } from '../settings/index.ts'
import { composeApp, openData, type App } from './compose.ts'
import { composeServer } from './compose-server.ts'

const env = { BENCHMAKER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), BENCHMAKER_KEY_STORE: 'file' }
const none = { cache: false }
const startedBy = { id: 'ada', name: 'Ada' }

let data: string
let provider: Server
let baseUrl: string
let app: App
let tools: RunTools
const requests: (string | undefined)[] = []
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'benchmaker-renewed-'))
  requests.length = 0
  provider = createServer((request, response) => {
    requests.push(request.headers.authorization)
    response.end(JSON.stringify({ data: [{ id: 'm' }] }))
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', () => resolve()))
  baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  await (await openData(data, env)).close()
  app = await composeApp({ data }, env)
  tools = await app.runTools()
})
afterEach(async () => {
  await app.close()
  provider.close()
  provider.closeAllConnections()
  rmSync(data, { recursive: true, force: true })
})

const list = (request: Parameters<RunTools['connect']>[0], model: string) =>
  tools.connect(request, 0).clientOf(model).listModels()

it('a server uses keys and endpoints that another process saved', async () => {
  const lines: string[] = []
  const server = await composeServer({ dataFolder: data, env, log: (line) => lines.push(line), settingsEveryMs: 20 })
  try {
    expect(() => server.context.clientFor('lab/m')).toThrow('no key')
    const storage = await openData(data, env)
    await saveEndpoint(storage, { name: 'lab', baseUrl })
    const keys = await openDatabaseKeyStore({ storage, env, now: Date.now })
    await keys.set('endpoint:lab', 'first-key-0123456789', new URL(baseUrl).origin)
    await storage.close()
    await expect
      .poll(() => lines.filter((line) => line.includes('changed by another process')).length)
      .toBeGreaterThan(0)
    await expect
      .poll(async () => {
        await server.context.clientFor('lab/m').listModels()
        return requests.at(-1)
      })
      .toBe('Bearer first-key-0123456789')
    expect(server.redact('first-key-0123456789')).not.toContain('first-key')
  } finally {
    await server.close()
  }
})

it('a worker uses keys and endpoints that were saved after it started', async () => {
  expect(() => tools.connect(none, 0).clientOf('lab/m')).toThrow('no key')
  // Another process: the server, when an admin saves them.
  const storage = await openData(data, env)
  await saveEndpoint(storage, { name: 'lab', baseUrl })
  const keys = await openDatabaseKeyStore({ storage, env, now: Date.now })
  await keys.set('endpoint:lab', 'first-key-0123456789', new URL(baseUrl).origin)
  await app.renewSettings()
  const client = tools.connect(none, 0).clientOf('lab/m')
  await client.listModels()
  await app.renewSettings()
  // Nothing changed: the connections stay.
  expect(tools.connect(none, 0).clientOf('lab/m')).toBe(client)
  const later = await openDatabaseKeyStore({ storage, env, now: () => Date.now() + 1 })
  await later.set('endpoint:lab', 'second-key-0123456789', new URL(baseUrl).origin)
  await app.renewSettings()
  await list(none, 'lab/m')
  // A run in progress may go on with what it has.
  await client.listModels()
  expect(requests).toEqual([
    'Bearer first-key-0123456789',
    'Bearer second-key-0123456789',
    'Bearer first-key-0123456789',
  ])
  await storage.close()
})

it('for a run of a team server’s user, a worker keeps away from internal addresses without any setting', async () => {
  await expect(list({ ...none, endpoint: baseUrl, startedBy }, 'm')).rejects.toThrow(
    'BENCHMAKER_ALLOWED_HOSTS=127.0.0.1',
  )
  await expect(list({ ...none, startedBy }, 'ollama/m')).rejects.toThrow('this machine')
  expect(requests).toEqual([])
  // Whoever starts a run in a terminal has the machine anyway.
  await list({ ...none, endpoint: baseUrl }, 'm')
  expect(requests).toHaveLength(1)
})
