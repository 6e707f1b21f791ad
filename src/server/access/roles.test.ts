import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { isAtLeast, roles, type Role } from '../../contract/index.ts'
import { startTeamServer, type TeamServer } from '../testing/team-server.ts'
import { ruleOf } from './authenticate.ts'

let server: TeamServer
const cookies = new Map<Role, string>()
beforeAll(async () => {
  server = await startTeamServer({ compose: composeServer })
  for (const role of roles) cookies.set(role, await server.enter(role))
})
afterAll(() => server.remove())

/** Every route of the app, as it was declared: a new one is in here by itself. */
function listRoutes(): { method: string; path: string }[] {
  const found = new Map<string, { method: string; path: string }>()
  for (const { method, path } of server.app.routes)
    if (path.startsWith('/api/') && method !== 'ALL' && !path.includes('*'))
      found.set(`${method} ${path}`, { method, path })
  return [...found.values()]
}

/** An address of the route, with names that do not exist. */
const addressOf = (path: string) => path.replaceAll(/:\w+(?:\{[^}]*\})?/g, 'nothing')

/** What is sent to these must name a file; JSON is refused before the role is looked at, which is no less safe. */
const UPLOADS = new Set(['/api/settings/restore', '/api/imports', '/api/imports/preview', '/api/trajectories/files'])

const ask = (method: string, path: string, cookie?: string) =>
  server.ask(method, addressOf(path), {
    ...(cookie !== undefined && { cookie }),
    ...(UPLOADS.has(path) && { headers: { 'content-type': 'application/octet-stream' } }),
  })

describe('roles', () => {
  it('every route of the app is refused without a session and below its role', async () => {
    const routes = listRoutes()
    expect(routes.length).toBeGreaterThan(80)
    for (const { method, path } of routes) {
      const route = `${method} ${path}`
      const anonymous = await ask(method, path)
      expect([route, anonymous.status, anonymous.code]).toEqual([route, 401, 'signed-out'])
      const { role: needed } = ruleOf(method, path)
      for (const role of roles.filter((one) => !isAtLeast(one, needed))) {
        const reply = await ask(method, path, cookies.get(role))
        expect([route, role, reply.status, reply.code]).toEqual([route, role, 403, 'role'])
      }
    }
  })

  it('outside of /api, only what a sign-in needs, shared links and the pages answer without a session', () => {
    const open = server.app.routes.filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/api/'))
    expect([...new Set(open.map(({ method, path }) => `${method} ${path}`))].toSorted()).toEqual([
      'GET /*',
      'GET /auth/callback',
      'GET /auth/openid',
      'GET /auth/session',
      'GET /shared/:secret',
      'POST /auth/accept',
      'POST /auth/invitation',
      'POST /auth/sign-in',
      'POST /auth/sign-out',
    ])
  })

  it('the log of requests says whose they were, also of refused ones', async () => {
    const cookie = await server.enter('viewer', 'watched')
    await server.ask('GET', '/api/runs', { cookie })
    await server.ask('DELETE', '/api/runs/nothing', { cookie })
    await server.ask('GET', '/api/runs')
    expect(server.requests.slice(-3)).toMatchObject([
      { route: '/api/runs', status: 200, person: 'watched' },
      { route: '/api/runs/:id', status: 403, person: 'watched' },
      { route: '/api/runs', status: 401, person: undefined },
    ])
  })

  it('viewers read, runners change, admins have keys, people and budgets', () => {
    const neededBy = (route: string) => ruleOf(...(route.split(' ') as [string, string])).role
    expect(neededBy('GET /api/runs')).toBe('viewer')
    expect(neededBy('POST /api/estimate')).toBe('viewer')
    expect(neededBy('POST /api/runs')).toBe('runner')
    expect(neededBy('PUT /api/runs/:id/rating')).toBe('runner')
    expect(neededBy('DELETE /api/something-new')).toBe('runner')
    for (const route of listRoutes().filter(({ path }) => /^\/api\/(?:settings|team)\b/.test(path)))
      expect(neededBy(`${route.method} ${route.path}`)).toBe('admin')
  })

  it('addresses written in another way need the same role', async () => {
    for (const path of [
      '/api/settings',
      '/api/settings/',
      '/api//settings',
      '/api/%73ettings',
      '/api/settings/../settings',
      '/api/./settings',
      '/api/settings%2Fbackup',
      '/API/settings',
      '/api/settings;x',
      '/api/settings?role=admin',
    ]) {
      const reply = await server.ask('GET', path, { cookie: cookies.get('runner')! })
      expect([path, reply.status === 200 && reply.text.includes('keyStore')]).toEqual([path, false])
    }
  })

  it('an admin, a runner and a viewer get what their role allows', async () => {
    const statusOf = async (role: Role, method: string, path: string, body?: unknown) =>
      (await server.ask(method, path, { cookie: cookies.get(role)!, body })).status
    expect(await statusOf('viewer', 'GET', '/api/runs')).toBe(200)
    expect(await statusOf('admin', 'GET', '/api/settings')).toBe(200)
    const run = { suiteId: 'example-first-look', models: ['demo/good'], limit: 1 }
    expect(await statusOf('runner', 'POST', '/api/runs', run)).toBe(201)
  })

  it('nothing in a request raises a role or names another person', async () => {
    const cookie = cookies.get('runner')!
    const started = await server.ask('POST', '/api/runs', {
      cookie,
      body: {
        suiteId: 'example-first-look',
        models: ['demo/good'],
        limit: 1,
        startedBy: { id: 'somebody', name: 'Somebody else' },
      },
    })
    expect(started.status).toBe(201)
    const runs = (await server.ask('GET', '/api/runs', { cookie })).json['runs']
    const [run] = Array.isArray(runs) ? runs : []
    expect(Object(Object(run)['startedBy'])['name']).toMatch(/^runner-/)
    for (const [name, value] of Object.entries({
      'x-role': 'admin',
      'x-forwarded-user': 'admin',
      authorization: 'Basic YWRtaW46',
    }))
      expect((await server.ask('GET', '/api/team', { cookie, headers: { [name]: value } })).status).toBe(403)
    const escalation = await server.ask('PUT', '/api/team/people/me', { cookie, body: { role: 'admin' } })
    expect(escalation.status).toBe(403)
  })

  it('a new role or a disabled account ends the sessions at once', async () => {
    const admin = cookies.get('admin')!
    const cookie = await server.enter('runner', 'leaving')
    expect((await server.ask('GET', '/api/runs', { cookie })).status).toBe(200)
    await server.ask('PUT', '/api/team/people/leaving', { cookie: admin, body: { role: 'viewer' } })
    expect((await server.ask('GET', '/api/runs', { cookie })).status).toBe(401)
    const again = await server.enter('runner', 'disabled')
    await server.ask('PUT', '/api/team/people/disabled', { cookie: admin, body: { isDisabled: true } })
    expect((await server.ask('GET', '/api/runs', { cookie: again })).status).toBe(401)
  })

  it('the last admin stays', async () => {
    const cookie = cookies.get('admin')!
    const { json } = await server.ask('GET', '/auth/session', { cookie })
    const id = String(Object(json['person'])['id'])
    const reply = await server.ask('PUT', `/api/team/people/${id}`, { cookie, body: { isDisabled: true } })
    expect([reply.status, reply.code]).toEqual([409, 'last-admin'])
  })

  it('everything that changes something is in the log, with who did it', async () => {
    const cookie = cookies.get('admin')!
    const log = await server.ask('GET', '/api/team/log?search=run%20started', { cookie })
    const entries = log.json['entries']
    const [entry] = Array.isArray(entries) ? entries : []
    expect(Object(entry)).toMatchObject({ action: 'run started', person: { name: expect.stringMatching(/^runner-/) } })
    expect(Object(entry)['object']).toMatch(/^\d{8}-\d{6}-/)
    const refused = await server.ask('GET', '/api/team/log?search=refused', { cookie })
    expect(refused.json['total']).toBeGreaterThan(10)
    const csv = await server.ask('GET', '/api/team/log/csv', { cookie })
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.text.split('\r\n')[0]).toBe('time,person,person id,action,object,detail')
    expect(csv.text).toContain('"run started"')
  })
})
