import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { startTeamServer, type TeamServer } from '../testing/team-server.ts'

let server: TeamServer
let cookie: string
let runId: string
beforeAll(async () => {
  server = await startTeamServer({ compose: composeServer })
  cookie = await server.enter('runner', 'ada')
  const testCases = ['a', 'b'].map((id) => ({
    id,
    prompt: `Secret question ${id}`,
    scoringMethod: 'boolean',
    expectedOutput: 'yes',
  }))
  const body = { suite: { name: 'Shared suite', testCases }, models: ['demo/good', 'demo/poor'] }
  const saved = await server.ask('POST', '/api/suites', { cookie, body: { suite: body.suite } })
  expect([saved.status, saved.text]).toEqual([201, expect.any(String)])
  const started = await server.ask('POST', '/api/runs', {
    cookie,
    body: { suiteId: saved.json['id'], models: body.models },
  })
  expect([started.status, started.text]).toEqual([201, expect.any(String)])
  runId = String(started.json['runId'])
  await vi.waitFor(async () => expect((await server.context.storage.loadRun(runId))?.status).toBe('completed'), {
    timeout: 30_000,
    interval: 50,
  })
})
afterAll(() => server.remove())

const links = () => `/api/results/${runId}/links`
async function share(body: unknown = {}): Promise<{ path: string; id: string }> {
  const reply = await server.ask('POST', links(), { cookie, body })
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  const [newest] = Object(reply.json['links'])
  return { path: new URL(String(reply.json['url'])).pathname, id: newest.id }
}

describe('a shared link', () => {
  it('shows the report to whoever has it, who can do nothing else', async () => {
    const { path } = await share()
    const page = await server.ask('GET', path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Shared suite')
    expect(page.text).toContain('Secret question a')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox allow-scripts$/)
    expect(page.headers.get('x-robots-tag')).toBe('noindex')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect((await server.ask('GET', `/api/results/${runId}`)).status).toBe(401)
    expect((await server.ask('GET', links())).status).toBe(401)
  })

  it('leaves out what its maker chose', async () => {
    const { path } = await share({ isAnonymous: true, isWithoutTexts: true })
    const { text } = await server.ask('GET', path)
    expect(text).toContain('Model A')
    expect(text).not.toMatch(/demo\/good|Secret question/)
  })

  it('shows nothing once it is revoked, nor does an invented one or one whose run was deleted', async () => {
    const { path, id } = await share()
    expect((await server.ask('DELETE', `${links()}/${id}`, { cookie })).status).toBe(200)
    const gone = await server.ask('GET', path)
    expect(gone.status).toBe(404)
    expect(gone.text).not.toContain('Shared suite')
    expect((await server.ask('GET', `/shared/${'x'.repeat(43)}`)).status).toBe(404)
    expect((await server.ask('DELETE', `${links()}/${id}`, { cookie })).status).toBe(404)
  })

  it('is made and revoked by runners only, is in the log, and its secret is nowhere', async () => {
    const { path, id } = await share()
    const viewer = await server.enter('viewer', 'vera')
    expect((await server.ask('POST', links(), { cookie: viewer, body: {} })).status).toBe(403)
    expect((await server.ask('DELETE', `${links()}/${id}`, { cookie: viewer })).status).toBe(403)
    expect((await server.ask('GET', links(), { cookie: viewer })).json['links']).toContainEqual(
      expect.objectContaining({ id, createdBy: { id: 'ada', name: expect.any(String) } }),
    )
    await server.ask('GET', path)
    const { entries } = await server.context.storage.access.listActivity({ words: ['shared'] })
    expect(entries.map(({ action }) => action)).toContain('result shared')
    const secret = path.split('/').at(-1)!
    expect(JSON.stringify([server.log, server.requests, entries])).not.toContain(secret)
    expect(JSON.stringify(await server.context.storage.listDocuments('shared-link'))).not.toContain(secret)
  })
})
