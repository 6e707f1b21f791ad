import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { isAtLeast, roles, type Role } from '../../contract/index.ts'
import { enterByProvider, findSessionAccount, hashSecret, openAccountSession } from '../../access/index.ts'
import { startTeamServer, type TeamServer } from '../testing/team-server.ts'
import { ruleOf } from './authenticate.ts'

let server: TeamServer
let now = Date.now()
beforeAll(async () => {
  server = await startTeamServer({
    compose: async (options) => {
      const composed = await composeServer(options)
      return { ...composed, context: { ...composed.context, now: () => now } }
    },
  })
})
afterAll(() => server.remove())

const DAY = 24 * 3_600_000
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const use = (token: string, method = 'GET', path = '/api/runs', body: unknown = {}) =>
  server.ask(method, path, { ...bearer(token), body })
const activity = async (search: string) =>
  (await server.context.storage.access.listActivity({ words: search.split(' ') })).entries

async function createToken(cookie: string, role: Role, { name = 'CI', days = 30 } = {}): Promise<string> {
  const reply = await server.ask('POST', '/api/account/tokens', { cookie, body: { name, role, days } })
  expect(reply.status).toBe(201)
  return String(reply.json['token'])
}
const tokensOf = async (cookie: string) =>
  Object((await server.ask('GET', '/api/account', { cookie })).json)['tokens'] as Record<string, unknown>[]

describe('tokens', () => {
  it('are shown once, stored as a hash, and listed with name, role, end and last use', async () => {
    const cookie = await server.enter('runner', 'ada')
    const token = await createToken(cookie, 'viewer')
    expect(token).toMatch(/^benchmaker_[\w-]{43}$/)
    const [listed] = await tokensOf(cookie)
    const id = hashSecret(token)
    expect(listed).toEqual({ id, name: 'CI', role: 'viewer', createdAt: now, endsAt: now + 30 * DAY, isOver: false })
    expect((await use(token)).status).toBe(200)
    expect((await tokensOf(cookie))[0]).toMatchObject({ usedAt: now })
    const stored = await server.context.storage.access.findApiToken(id)
    expect(JSON.stringify([stored, await tokensOf(cookie), server.log, server.requests])).not.toContain(token)
    expect(JSON.stringify(await activity(''))).not.toContain(token)
  })

  it('do what their role allows and no more, on every route', async () => {
    const cookie = await server.enter('admin', 'root')
    const routes = server.app.routes.filter(({ path }) => path.startsWith('/api/') && !path.includes('*'))
    for (const role of roles) {
      const token = await createToken(cookie, role)
      for (const { method, path } of routes.filter((route) => route.method !== 'ALL')) {
        const needed = ruleOf(method, path).role
        if (isAtLeast(role, needed)) continue
        const type = /restore|imports|trajectories\/files/.test(path) ? 'application/octet-stream' : 'application/json'
        const headers = { ...bearer(token).headers, 'content-type': type }
        const reply = await server.ask(method, path.replaceAll(/:\w+(?:\{[^}]*\})?/g, 'nothing'), { headers })
        expect([method, path, reply.status, reply.code]).toEqual([method, path, 403, 'role'])
      }
      expect((await use(token)).status).toBe(200)
      expect((await use(token, 'GET', '/api/team')).status).toBe(role === 'admin' ? 200 : 403)
    }
  })

  it('have at most the role of who makes them, a name and an end', async () => {
    const cookie = await server.enter('runner', 'climber')
    const make = async (body: object) => (await server.ask('POST', '/api/account/tokens', { cookie, body })).status
    expect(await make({ name: 'x', role: 'admin', days: 1 })).toBe(422)
    for (const wrong of [{ days: 0 }, { days: 366 }, { days: 1.5 }, { name: ' ' }, { name: 'a\nb' }, { role: 'root' }])
      expect(await make({ name: 'x', role: 'viewer', days: 1, ...wrong })).toBeGreaterThanOrEqual(400)
    expect(await tokensOf(cookie)).toEqual([])
  })

  it('follow their owner: a lower role at once, nothing when disabled or without access', async () => {
    const admin = await server.enter('admin', 'boss')
    const token = await createToken(await server.enter('admin', 'falling'), 'admin')
    const change = (body: object) => server.ask('PUT', '/api/team/people/falling', { cookie: admin, body })
    expect((await use(token, 'GET', '/api/settings')).status).toBe(200)
    await change({ role: 'viewer' })
    const lowered = await use(token, 'POST', '/api/suites', {})
    expect([lowered.status, lowered.code]).toEqual([403, 'role'])
    expect((await use(token, 'GET', '/api/settings')).status).toBe(403)
    expect((await use(token)).status).toBe(200)
    await change({ isDisabled: true })
    expect((await use(token)).status).toBe(401)
    await change({ isDisabled: false, role: 'admin' })

    const tools = { storage: server.context.storage, now: () => now }
    const proved = { issuer: 'https://id.example', subject: '7', name: 'Eve', login: 'eve', isRoleFromGroups: true }
    const entered = await enterByProvider({ ...proved, role: 'runner' }, tools)
    const id = 'account' in entered ? entered.account.id : ''
    const secret = 'benchmaker_of-eve'
    const stored = { hash: hashSecret(secret), account: id, name: 'CI', role: 'runner', createdAt: 1, endsAt: now * 2 }
    await server.context.storage.access.saveApiToken({ ...stored, role: 'runner' })
    expect((await use(secret)).status).toBe(200)
    await enterByProvider({ ...proved, role: undefined }, tools)
    expect((await use(secret)).status).toBe(401)
  })

  it('end at their time and when they are revoked, by their owner alone', async () => {
    const [cookie, other] = [await server.enter('viewer', 'owner'), await server.enter('admin', 'other')]
    const [short, long] = [await createToken(cookie, 'viewer', { days: 1 }), await createToken(cookie, 'viewer')]
    const before = now
    now += DAY - 1
    expect((await use(short)).status).toBe(200)
    now += 1
    expect((await use(short)).status).toBe(401)
    now = before
    const revoke = (by: string) => server.ask('DELETE', `/api/account/tokens/${hashSecret(long)}`, { cookie: by })
    expect((await revoke(other)).status).toBe(404)
    expect((await use(long)).status).toBe(200)
    expect((await revoke(cookie)).status).toBe(200)
    expect((await use(long)).status).toBe(401)
    expect((await tokensOf(cookie)).map(({ id }) => id)).toEqual([hashSecret(short)])
    expect((await activity('token revoked'))[0]).toMatchObject({ person: { id: 'owner' }, object: 'CI' })
  })

  it('are refused if guessed or altered, also beside a session; a header for somebody else is ignored', async () => {
    const cookie = await server.enter('admin', 'careful')
    const token = await createToken(cookie, 'viewer')
    for (const wrong of [
      `${token}x`,
      token.slice(0, -1),
      `benchmaker_${'A'.repeat(43)}`,
      hashSecret(token),
      'benchmaker_',
    ])
      expect((await use(wrong)).status).toBe(401)
    const both = await server.ask('GET', '/api/settings', { cookie, ...bearer(token) })
    expect([both.status, both.code]).toEqual([403, 'role'])
    for (const authorization of ['Basic YTpi', 'Bearer of-the-proxy'])
      expect((await server.ask('GET', '/api/settings', { cookie, headers: { authorization } })).status).toBe(200)
  })

  it('cannot make, list or revoke tokens, nor end sessions', async () => {
    const cookie = await server.enter('admin', 'cautious')
    const token = await createToken(cookie, 'admin')
    for (const [method, path] of [
      ['GET', '/api/account'],
      ['POST', '/api/account/tokens'],
      ['DELETE', `/api/account/tokens/${hashSecret(token)}`],
      ['POST', '/api/account/end-sessions'],
    ] as const) {
      const reply = await use(token, method, path, { name: 'more', role: 'viewer', days: 1 })
      expect([path, reply.status, reply.code]).toEqual([path, 403, 'token'])
    }
    expect((await server.ask('GET', '/api/runs', { cookie })).status).toBe(200)
  })

  it('leave every use in the log, as their owner’s', async () => {
    const token = await createToken(await server.enter('runner', 'logged'), 'runner', { name: 'Nightly' })
    for (let time = 0; time < 3; time++) await use(token)
    const request = { suiteId: 'example-first-look', models: ['demo/good'], limit: 1 }
    const started = await use(token, 'POST', '/api/runs', request)
    expect(started.status).toBe(201)
    await use(token, 'GET', '/api/settings')
    const mine = (await activity('nightly')).filter(({ detail }) => detail === 'token Nightly')
    const person = { id: 'logged', name: 'logged' }
    expect(mine.map(({ at: _at, ...entry }) => entry).toReversed()).toEqual([
      { person, action: 'token used', object: 'GET /api/runs', detail: 'token Nightly' },
      { person, action: 'run started', object: started.json['runId'], detail: 'token Nightly' },
      { person, action: 'request refused', object: 'GET /api/settings', detail: 'token Nightly' },
    ])
    expect(server.requests.slice(-1)).toMatchObject([{ route: '/api/settings', person: 'logged' }])
  })
})

describe('sessions', () => {
  it('are all ended by their owner, and nobody else’s', async () => {
    const first = await server.enter('viewer', 'everywhere')
    const invited = await server.enter('viewer', 'somebody-else')
    const token = await createToken(first, 'viewer')
    const tools = { storage: server.context.storage, now: () => now }
    const second = await openAccountSession({ id: 'everywhere', name: 'everywhere' }, tools)
    expect(await findSessionAccount(second, tools)).toBeDefined()
    expect((await server.ask('POST', '/api/account/end-sessions', { cookie: first })).status).toBe(200)
    expect((await server.ask('GET', '/api/runs', { cookie: first })).status).toBe(401)
    expect(await findSessionAccount(second, tools)).toBeUndefined()
    expect((await server.ask('GET', '/api/runs', { cookie: invited })).status).toBe(200)
    // A token is revoked by itself: what it does must not break because somebody left a browser open.
    expect((await use(token)).status).toBe(200)
    expect((await activity('signed out everywhere'))[0]).toMatchObject({ person: { id: 'everywhere' } })
  })
})
