import type { StartedRun } from '../runs/run-manager.ts'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import { startServer, type Reply, type StartedServer } from '../testing/started-server.ts'

/** One key for each source: entered for a vendor, entered for an endpoint, from the environment. */
const VENDOR_KEY = 'canary-typed-5d41402abc4b2a76'
const ENDPOINT_KEY = 'canary-endpoint-7d793037a0760186'
const ENVIRONMENT_KEY = 'canary-environment-9b871512327c09ce'
const CANARY = /canary-(typed|endpoint|environment)-[0-9a-f]+/

let server: StartedServer
let models: ModelServer
const replies: string[] = []

const record = (reply: Reply): Reply => {
  replies.push(reply.text, reply.rawHeaders.join('\n'))
  return reply
}
const get = async (path: string) => record(await server.try('GET', path))
const send = async (method: string, path: string, body: unknown = {}) => record(await server.try(method, path, body))

beforeAll(async () => {
  // A server that echoes what it was sent: in errors, in streams that break, and in its answers.
  models = await startModelServer({
    answer: ({ headers }) =>
      `you sent ${String(headers['authorization'])} and again ${String(headers['authorization'])}`,
    reply: ({ prompt, headers }) => {
      const key = String(headers['authorization'])
      const json = { 'content-type': 'application/json' }
      if (prompt.endsWith(' 0'))
        return {
          status: 400,
          headers: { ...json, 'x-echo': key },
          pieces: [JSON.stringify({ error: { message: `bad request by ${key}` } })],
        }
      if (prompt.endsWith(' 1'))
        return {
          status: 401,
          headers: json,
          pieces: [JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } })],
        }
      if (prompt.endsWith(' 2'))
        return { pieces: [`data: ${JSON.stringify({ error: { message: `stream of ${key} broke`, code: 400 } })}\n\n`] }
      return undefined
    },
  })
  server = await startServer({ compose: composeServer, env: { OPENAI_API_KEY: ENVIRONMENT_KEY } })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})

describe('no key ever leaves the server', () => {
  it('in any reply, event, log, export or backup, whatever a model server echoes', async () => {
    await send('PUT', '/api/settings/keys/anthropic', { key: VENDOR_KEY })
    await send('PUT', '/api/settings/endpoints/echo', { name: 'echo', baseUrl: models.baseUrl, key: ENDPOINT_KEY })
    await send('POST', '/api/settings/keys/endpoint:echo/test')
    await send('PUT', '/api/settings/keys/openai', { key: `${VENDOR_KEY} with a blank` })
    await send('PUT', '/api/settings/keys/nobody', { key: VENDOR_KEY })
    await send('PUT', '/api/settings/endpoints/bad', {
      name: 'bad',
      baseUrl: `http://u:${VENDOR_KEY}@127.0.0.1/`,
      key: VENDOR_KEY,
    })
    const testCases = Array.from({ length: 5 }, (_, index) => ({
      id: `c${index}`,
      prompt: `number ${index}`,
      scoringMethod: index === 4 ? 'llm-judge' : 'boolean',
      expectedOutput: 'sent',
    }))
    const { id } = (await send('POST', '/api/suites', { suite: { name: 'Echo', testCases } })).json<{ id: string }>()
    const started = (
      await send('POST', '/api/runs', { suiteId: id, models: ['echo/fake'], judgeModelIds: ['echo/judge'] })
    ).json<StartedRun>()
    replies.push(JSON.stringify(await server.watch(`/api/runs/${started.runId}/events`).rest()))
    expect(replies.at(-1)).toContain('you sent Bearer [key] and again')
    replies.push(JSON.stringify(await server.watch(`/api/runs/${started.runId}/events`).rest()))
    await send('POST', '/api/suites/try', { testCase: testCases[4], response: 'x', judgeModelIds: ['echo/judge'] })
    await send('POST', '/api/suites/generate', { modelId: 'echo/fake', description: 'keys', count: 1 })
    await send('POST', '/api/suites/generate', { modelId: 'echo/fake', description: 'x 1', count: 1 })
    for (const index of [0, 1, 2, 3, 4])
      await get(`/api/runs/${started.runId}/exchange?case=c${index}&model=echo%2Ffake`)
    const paths = [
      '/api/app',
      '/api/models?refresh=1',
      '/api/suites',
      `/api/suites/${id}`,
      `/api/suites/${id}/history`,
      '/api/scorers',
      '/api/runs',
      '/api/settings',
      '/',
      '/nothing',
      '/api/nothing',
    ]
    for (const path of paths) await get(path)
    for (const format of ['json', 'csv', 'md', 'xml', 'html'])
      await get(`/api/results/${started.runId}/export?format=${format}`)
    for (const path of ['', '/cases', '/case?id=c3', '/answer?id=c3&model=echo%2Ffake&run=' + started.runId])
      await get(`/api/results/${started.runId}${path}`)
    const backup = await fetch(`${server.origin}/api/settings/backup`, { headers: server.session })
    replies.push(Buffer.from(await backup.arrayBuffer()).toString('latin1'))

    expect(models.stats().byPath['/v1/chat/completions']).toBeGreaterThan(5)
    expect(replies.length).toBeGreaterThan(60)
    for (const reply of replies) expect(CANARY.exec(reply)?.[0]).toBeUndefined()
    expect(CANARY.exec(server.log.join('\n'))?.[0]).toBeUndefined()
  })
  it('nor is written to any file but the key file', () => {
    const files = readdirSync(server.dataFolder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    const holding = files
      .filter(({ parentPath, name }) => CANARY.test(readFileSync(join(parentPath, name), 'latin1')))
      .map(({ name }) => name)
    expect(holding).toEqual(['keys.json'])
  })
  it('and the search for canaries works: it finds them in the key file', () => {
    expect(readFileSync(join(server.dataFolder, 'keys.json'), 'utf8')).toMatch(CANARY)
  })
  it('not even in the log of an unexpected error that contains one', async () => {
    const broken = await startServer({
      compose: composeServer,
      env: { OPENAI_API_KEY: ENVIRONMENT_KEY },
      adapt: (context) => ({
        ...context,
        databaseSize: () => Promise.reject(new Error(`with ${ENVIRONMENT_KEY} in it`)),
      }),
    })
    const reply = await broken.try('GET', '/api/settings')
    expect(reply.text + broken.log.join()).not.toMatch(CANARY)
    expect(broken.log.join()).toContain('with [key] in it')
    await broken.remove()
  })
})
