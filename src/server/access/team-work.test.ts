import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { openConnectGuard } from '../../cli/saved-keys.ts'
import { openDatabaseKeyStore, rotateSecretKey } from '../../settings/index.ts'
import { startTeamServer, type TeamServer } from '../testing/team-server.ts'

const SECRET = Buffer.alloc(32, 7).toString('base64')
const OTHER = Buffer.alloc(32, 8).toString('hex')
const KEY = 'sk-or-v1-0123456789abcdefghijklmnopqrstuvwxyz'

let server: TeamServer
let admin: string
beforeAll(async () => {
  server = await startTeamServer({ compose: composeServer, env: { BENCHMAKER_SECRET_KEY: SECRET } })
  admin = await server.enter('admin', 'root')
})
afterAll(() => server.remove())

const open = (env: Record<string, string>) =>
  openDatabaseKeyStore({ storage: server.context.storage, env, now: Date.now })
const runsOf = async (cookie: string) => {
  const { json } = await server.ask('GET', '/api/runs', { cookie })
  return Array.isArray(json['runs']) ? json['runs'].map(Object) : []
}

describe('keys of a team server', () => {
  it('are stored encrypted, usable by other processes, and never sent back', async () => {
    const saved = await server.ask('PUT', '/api/settings/keys/openrouter', { cookie: admin, body: { key: KEY } })
    expect(saved.status).toBe(200)
    expect(saved.text).toContain('"by":"root"')
    const [stored] = await server.context.storage.access.listSealedKeys()
    expect(stored?.sealed).toMatch(/^v1\.[0-9a-f]{12}\.[\w+/=]+$/)
    expect(stored?.sealed).not.toContain(Buffer.from(KEY).toString('base64').slice(0, 20))
    for (const path of ['/api/settings', '/api/app', '/api/team', '/api/team/log', '/auth/session', '/api/models']) {
      const { text } = await server.ask('GET', path, { cookie: admin })
      expect([path, text.includes(KEY), text.includes(KEY.slice(-8)), text.includes(stored!.sealed)]).toEqual([
        path,
        false,
        false,
        false,
      ])
    }
    expect((await open({ BENCHMAKER_SECRET_KEY: SECRET })).get('openrouter')).toBe(KEY)
  })

  it('cannot be opened with another key, under another name or after a change', async () => {
    const stolen = await open({ BENCHMAKER_SECRET_KEY: OTHER })
    expect(() => stolen.get('openrouter')).toThrow('rotate-key')
    expect(stolen.names()).toEqual([])
    const { access } = server.context.storage
    const [stored] = await access.listSealedKeys()
    await access.saveSealedKey({ ...stored!, name: 'endpoint:evil' })
    const moved = await open({ BENCHMAKER_SECRET_KEY: SECRET })
    expect(() => moved.get('endpoint:evil')).toThrow('was changed')
    await access.deleteSealedKey('endpoint:evil')
    const [version, id, text = ''] = stored!.sealed.split('.')
    const bytes = Buffer.from(text, 'base64')
    bytes[bytes.length - 1]! ^= 1
    await access.saveSealedKey({ ...stored!, sealed: [version, id, bytes.toString('base64')].join('.') })
    const changed = await open({ BENCHMAKER_SECRET_KEY: SECRET })
    expect(() => changed.get('openrouter')).toThrow('was changed')
    await access.saveSealedKey(stored!)
  })

  it('are encrypted again with a new secret key', async () => {
    const { storage } = server.context
    const before = await storage.access.listSealedKeys()
    await expect(rotateSecretKey(storage, { BENCHMAKER_SECRET_KEY: OTHER })).rejects.toThrow(
      'BENCHMAKER_SECRET_KEY_OLD',
    )
    const env = { BENCHMAKER_SECRET_KEY: OTHER, BENCHMAKER_SECRET_KEY_OLD: SECRET }
    expect(await rotateSecretKey(storage, env)).toEqual({ rotated: 1, total: 1 })
    expect(await rotateSecretKey(storage, env)).toEqual({ rotated: 0, total: 1 })
    expect((await open({ BENCHMAKER_SECRET_KEY: OTHER })).get('openrouter')).toBe(KEY)
    await storage.access.replaceSealedKeys([
      { name: 'openrouter', from: (await storage.access.listSealedKeys())[0]!.sealed, to: before[0]!.sealed },
    ])
  })

  it('are not saved without a secret key, nor with a broken one', async () => {
    const keys = await open({})
    await expect(keys.set('openai', 'sk-1')).rejects.toThrow('openssl rand -base64 32')
    await expect(open({ BENCHMAKER_SECRET_KEY: 'short' })).rejects.toThrow('32 bytes')
  })
})

describe('endpoints of a team server', () => {
  it('inside the network are refused when saved, in runs and in estimates', async () => {
    for (const baseUrl of ['http://169.254.169.254/latest', 'http://localhost:9999/v1', 'http://2130706433:9999/v1']) {
      const body = { name: 'inside', baseUrl }
      const saved = await server.ask('PUT', '/api/settings/endpoints/inside', { cookie: admin, body })
      expect([baseUrl, saved.status, saved.text]).toEqual([
        baseUrl,
        422,
        expect.stringContaining('BENCHMAKER_ALLOWED_HOSTS'),
      ])
    }
    const request = { suiteId: 'example-first-look', models: ['model'], limit: 1, endpoint: `${server.origin}/v1` }
    const before = (await server.context.storage.access.listActivity()).total
    const started = await server.ask('POST', '/api/runs', { cookie: admin, body: request })
    if (started.status === 201) {
      const id = String(started.json['runId'])
      await expect
        .poll(async () => (await server.context.storage.loadRun(id))?.results[0]?.error ?? '')
        .toContain('this machine')
    } else expect(started.text).toContain('this machine')
    expect((await server.context.storage.access.listActivity()).total).toBeLessThanOrEqual(before + 1)
  })

  it('on a server for one person, localhost works as before', () => {
    expect(openConnectGuard({})).toBeUndefined()
  })
})

describe('budgets', () => {
  const request = { suiteId: 'example-first-look', models: ['demo/good'], limit: 1 }

  it('nothing is sent once the month is spent; the words say whose budget it is', async () => {
    const cookie = await server.enter('runner', 'poor')
    await server.ask('PUT', '/api/team/budgets', {
      cookie: admin,
      body: { owner: { kind: 'person', id: 'poor' }, monthly: 0 },
    })
    const refused = await server.ask('POST', '/api/runs', { cookie, body: request })
    expect([refused.status, refused.code]).toEqual([422, 'month-spent'])
    expect(refused.text).toContain('Nothing is left of your budget for this month ($0, $0 spent)')
    for (const [path, body] of [
      ['/api/code-arena', { prompt: 'A page', models: ['demo/good'] }],
      ['/api/calibrations', { judgeModelId: 'demo/judge' }],
    ] as const)
      expect([path, (await server.ask('POST', path, { cookie, body })).code]).toEqual([path, 'month-spent'])
    expect(await runsOf(cookie)).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ startedBy: { id: 'poor', name: 'poor' } })]),
    )
    await server.ask('PUT', '/api/team/budgets', {
      cookie: admin,
      body: { owner: { kind: 'person', id: 'poor' }, monthly: null },
    })
    expect((await server.ask('POST', '/api/runs', { cookie, body: request })).status).toBe(201)
  })

  it('a run gets at most what is left, of the person and of the project', async () => {
    const cookie = await server.enter('runner', 'careful')
    const set = (owner: object, monthly: number) =>
      server.ask('PUT', '/api/team/budgets', { cookie: admin, body: { owner, monthly } })
    await set({ kind: 'person', id: 'careful' }, 5)
    await set({ kind: 'project', id: 'Atlas' }, 2)
    const costOf = async (body: object) => {
      const started = await server.ask('POST', '/api/runs', { cookie, body: { ...request, ...body } })
      expect(started.status).toBe(201)
      return (await server.context.storage.loadRun(String(started.json['runId'])))?.request
    }
    expect(await costOf({})).toMatchObject({ maxCost: 5, startedBy: { id: 'careful' } })
    expect(await costOf({ maxCost: 1 })).toMatchObject({ maxCost: 1 })
    expect(await costOf({ project: ' Atlas ', maxCost: 9 })).toMatchObject({ maxCost: 2, project: 'Atlas' })
    // Simulated models have simulated prices, which count like any other.
    const spentOf = async () =>
      Number(Object((await server.ask('GET', '/auth/session', { cookie })).json['budget'])['spent'])
    await expect.poll(spentOf).toBeGreaterThan(0)
    const team = await server.ask('GET', '/api/team', { cookie: admin })
    expect(team.json['projects']).toMatchObject([{ name: 'Atlas', monthly: 2 }])
  })

  it('a run that could pass what is left is refused before anything is sent, unless its own budget keeps it below', async () => {
    const cookie = await server.enter('runner', 'frugal')
    await server.ask('PUT', '/api/team/budgets', {
      cookie: admin,
      body: { owner: { kind: 'person', id: 'frugal' }, monthly: 0.001 },
    })
    const large = { ...request, limit: undefined, models: ['demo/good', 'demo/fair'], repeat: 50 }
    for (const body of [large, { ...large, maxCost: 3 }]) {
      const refused = await server.ask('POST', '/api/runs', { cookie, body })
      expect([refused.status, refused.code]).toEqual([422, 'month-budget'])
      expect(refused.text).toContain('$0.001 is left of your budget for this month')
    }
    const started = await server.ask('POST', '/api/runs', { cookie, body: { ...large, maxCost: 0.0005 } })
    expect(started.status).toBe(201)
    const ended = async () => (await server.context.storage.loadRun(String(started.json['runId'])))?.stopReason
    await expect.poll(ended).toBe('budget')
    const spent = await server.context.storage.access.sumSpending({ kind: 'person', id: 'frugal' }, 0)
    expect(spent).toBeLessThanOrEqual(0.0005)
    // Deleting the run gives nothing back.
    await server.ask('DELETE', `/api/runs/${String(started.json['runId'])}`, { cookie })
    expect(await server.context.storage.access.sumSpending({ kind: 'person', id: 'frugal' }, 0)).toBe(spent)
  })

  it('runs that are started at once share what is left', async () => {
    const cookie = await server.enter('runner', 'racing')
    await server.ask('PUT', '/api/team/budgets', {
      cookie: admin,
      body: { owner: { kind: 'project', id: 'Race' }, monthly: 0.001 },
    })
    const models = ['demo/good', 'demo/fair']
    const body = {
      ...request,
      limit: undefined,
      models,
      repeat: 50,
      maxCost: 0.0009,
      project: 'Race',
      parameters: { maxTokens: 20 },
    }
    const started = await Promise.all([1, 2, 3].map(() => server.ask('POST', '/api/runs', { cookie, body })))
    expect(started.map(({ status }) => status)).toEqual([201, 201, 201])
    const { storage } = server.context
    for (const { json } of started)
      await expect.poll(async () => (await storage.loadRun(String(json['runId'])))?.stopReason).toBe('budget')
    const spent = await storage.access.sumSpending({ kind: 'project', id: 'Race' }, 0)
    expect(spent).toBeLessThanOrEqual(0.001)
    expect(spent).toBeGreaterThan(0)
  })

  it('calls outside of runs count, and end with the month’s budget', async () => {
    const cookie = await server.enter('runner', 'judge')
    const owner = { kind: 'person' as const, id: 'judge' }
    const calibrate = () => server.ask('POST', '/api/calibrations', { cookie, body: { judgeModelId: 'demo/judge' } })
    const spentNow = () => server.context.storage.access.sumSpending(owner, 0)
    expect((await calibrate()).status).toBe(201)
    const first = await spentNow()
    expect(first).toBeGreaterThan(0)
    await server.ask('PUT', '/api/team/budgets', { cookie: admin, body: { owner, monthly: first * 5 } })
    let cut = ''
    for (let tries = 0; tries < 10 && !cut.includes('budget of judge for this month'); tries++)
      cut = (await calibrate()).text
    expect(cut).toContain('could cost more than is left of the budget of judge for this month')
    const second = await spentNow()
    expect(second).toBeGreaterThan(first)
    expect(second).toBeLessThanOrEqual(first * 5)
    await server.ask('PUT', '/api/team/budgets', { cookie: admin, body: { owner, monthly: second } })
    const refused = await calibrate()
    expect([refused.status, refused.code, await spentNow()]).toEqual([422, 'month-spent', second])
  })

  it('calls at once outside of runs reserve what they may cost before they are sent', async () => {
    const cookie = await server.enter('runner', 'eager')
    const owner = { kind: 'person' as const, id: 'eager' }
    const testCase = { prompt: 'Say yes', scoringMethod: 'llm-judge' }
    const body = { testCase, response: 'Yes', judgeModelIds: ['demo/judge'] }
    const attempt = async () => (await server.ask('POST', '/api/suites/try', { cookie, body })).text
    const spentNow = () => server.context.storage.access.sumSpending(owner, 0)
    expect(await attempt()).toContain('"score"')
    const one = await spentNow()
    expect(one).toBeGreaterThan(0)
    // What one may cost at most is many times what it costs.
    await server.ask('PUT', '/api/team/budgets', { cookie: admin, body: { owner, monthly: 12 * one } })
    const replies = await Promise.all(Array.from({ length: 40 }, attempt))
    expect(await spentNow()).toBeLessThanOrEqual(12 * one)
    expect(replies.filter((text) => /could cost more than is left|Nothing is left/.test(text)).length).toBeGreaterThan(
      0,
    )
  })
})
