import type { StartedRun } from '../runs/run-manager.ts'
import type { SettingsView } from './routes.ts'
import type { RunList } from '../runs/routes.ts'
import type { RunEstimate } from '../runs/estimate.ts'
import type { ModelList } from './model-catalog.ts'
import type { AppInfo } from '../http/app-routes.ts'
import type { ApiError } from '../../contract/index.ts'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import { findOsKeyStore, openKeyStore } from '../../settings/index.ts'
import { startServer, type StartedServer } from '../testing/started-server.ts'
import { testKey, type KeyTest } from './test-key.ts'

let server: StartedServer
let models: ModelServer
beforeAll(async () => {
  models = await startModelServer({ models: ['alpha', 'beta'] })
  server = await startServer({ compose: composeServer })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})

const KEY = 'sk-or-v1-0123456789abcdef'
const keyOf = (view: { keys: AppInfo['keys'] }, name: string) => view.keys.find((key) => key.name === name)

describe('packages for pages', () => {
  it('are listed, and refused without touching the registry if their names are none', async () => {
    expect((await server.get<SettingsView>('/api/settings')).packages).toEqual([])
    const bad = await server.try('POST', '/api/settings/packages', { names: ['../up'] })
    expect([bad.status, bad.text]).toEqual([
      expect.any(Number),
      expect.stringContaining('is not the name of a package'),
    ])
    expect(bad.status).toBeGreaterThanOrEqual(400)
    expect(bad.status).toBeLessThan(500)
    expect((await server.try('POST', '/api/settings/packages', { names: [] })).status).toBe(422)
    const none = await server.try('DELETE', `/api/settings/packages/${encodeURIComponent('@a/b')}`)
    expect(none.text).toContain('@a/b is not installed')
  })
})

describe('keys', () => {
  it('are saved, shown as set and removed, but never sent back', async () => {
    const saved = await server.send<SettingsView>('PUT', '/api/settings/keys/openrouter', { key: ` ${KEY} ` })
    expect(keyOf(saved, 'openrouter')).toMatchObject({ isSet: true, source: 'file', variable: 'OPENROUTER_API_KEY' })
    expect((await server.get<AppInfo>('/api/app')).isDemoOnly).toBe(false)
    for (const path of ['/api/settings', '/api/app']) expect((await server.try('GET', path)).text).not.toContain(KEY)
    const removed = await server.send<SettingsView>('DELETE', '/api/settings/keys/openrouter')
    expect(keyOf(removed, 'openrouter')).toMatchObject({ isSet: false })
    expect((await server.get<AppInfo>('/api/app')).isDemoOnly).toBe(true)
    expect((await server.try('DELETE', '/api/settings/keys/openrouter')).status).toBe(404)
  })
  it('are kept in a file that only its owner can read, written atomically', async () => {
    await server.send('PUT', '/api/settings/keys/anthropic', { key: KEY })
    const file = join(server.dataFolder, 'keys.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain(KEY)
    expect(readdirSync(server.dataFolder).filter((name) => name.endsWith('.new'))).toEqual([])
    expect(statSync(join(server.dataFolder, 'sessions.json')).mode & 0o777).toBe(0o600)
    await server.send('DELETE', '/api/settings/keys/anthropic')
    expect(readFileSync(file, 'utf8')).not.toContain(KEY)
  })
  it('from the environment take precedence, and are shown as such', async () => {
    const own = await startServer({ compose: composeServer, env: { GEMINI_API_KEY: 'from the environment' } })
    await own.send('PUT', '/api/settings/keys/google', { key: KEY })
    expect(keyOf(await own.get<SettingsView>('/api/settings'), 'google')).toMatchObject({
      isSet: true,
      source: 'environment',
      variable: 'GEMINI_API_KEY',
    })
    await own.remove()
  })
  it('that are empty, contain spaces or line breaks, or belong to unknown vendors are refused', async () => {
    for (const key of ['a b', 'a\nb', 'schlüssel', '', '   '])
      expect((await server.try('PUT', '/api/settings/keys/openai', { key })).status).toBe(422)
    expect((await server.try('PUT', '/api/settings/keys/nobody', { key: KEY })).status).toBe(404)
    expect((await server.try('PUT', '/api/settings/keys/endpoint:nobody', { key: KEY })).status).toBe(404)
  })
})

describe('the operating system’s key store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-keys-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** A stand-in for `secret-tool` that keeps secrets as files, or refuses. */
  function installTool(isWorking: boolean): NodeJS.ProcessEnv {
    const bin = join(folder, isWorking ? 'works' : 'refuses')
    const vault = join(bin, 'vault')
    mkdirSync(vault, { recursive: true })
    const name = '$(printf %s "$account" | tr -c "A-Za-z0-9" _)'
    writeFileSync(
      join(bin, 'secret-tool'),
      isWorking
        ? `#!/bin/sh\nfor account; do :; done\ncase "$1" in\nstore) cat > "${vault}/${name}";;\nlookup) cat "${vault}/${name}";;\nclear) rm -f "${vault}/${name}";;\nesac\necho "$@" >> "${bin}/calls"\n`
        : '#!/bin/sh\necho "Cannot autolaunch D-Bus without X11" >&2\nexit 1\n',
      { mode: 0o755 },
    )
    return { PATH: [bin, process.env['PATH']].join(delimiter) }
  }

  it('is used if it works: the file then holds only the name, and no process saw the key as an argument', async () => {
    const env = installTool(true)
    const os = findOsKeyStore(env, folder, 'linux')
    const store = openKeyStore({ dataFolder: folder, os })
    await store.set('openai', KEY)
    expect([store.get('openai'), store.sourceOf('openai'), store.source]).toEqual([KEY, 'key-store', 'key-store'])
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).not.toContain(KEY)
    expect(readFileSync(join(folder, 'works', 'calls'), 'utf8')).not.toContain(KEY)
    const reopened = openKeyStore({ dataFolder: folder, os })
    expect([reopened.names(), reopened.get('openai')]).toEqual([['openai'], KEY])
    expect(await reopened.remove('openai')).toBe(true)
    expect([reopened.names(), os?.read('openai')]).toEqual([[], undefined])
  })
  it('is not used if it fails: the key goes into the file', async () => {
    const store = openKeyStore({ dataFolder: folder, os: findOsKeyStore(installTool(false), folder, 'linux') })
    await store.set('openai', KEY)
    expect([store.get('openai'), store.sourceOf('openai')]).toEqual([KEY, 'file'])
  })
  it('is undefined if there is none or it is turned off', () => {
    expect(findOsKeyStore({ PATH: '' }, folder, 'linux')).toBeUndefined()
    expect(findOsKeyStore({ ...installTool(true), BENCHMAKER_KEY_STORE: 'file' }, folder, 'linux')).toBeUndefined()
  })
})

describe('endpoints', () => {
  it('offer their models as NAME/model at once, with their own key', async () => {
    const saved = await server.send<SettingsView>('PUT', '/api/settings/endpoints/lab', {
      name: 'lab',
      baseUrl: models.baseUrl,
      key: 'lab-key-123456',
    })
    expect(saved.endpoints).toEqual([{ name: 'lab', baseUrl: models.baseUrl, hasKey: true }])
    const { models: listed, problems } = await server.get<ModelList>('/api/models')
    expect(problems).toEqual([])
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(['lab/alpha', 'lab/beta', 'demo/good']))
    expect(listed.find(({ id }) => id === 'lab/alpha')).toMatchObject({ provider: 'lab', isSimulated: false })
    // Nothing to compare: it gives no answers.
    expect(listed.map(({ id }) => id)).not.toContain('demo/embedding')
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: 'example-first-look',
      models: ['lab/alpha'],
      limit: 1,
    })
    await server.watch(`/api/runs/${runId}/events`).rest()
    expect(models.requests.at(-1)).toMatchObject({
      model: 'alpha',
      headers: { authorization: 'Bearer lab-key-123456' },
    })
    await server.send('PUT', '/api/settings/keys/endpoint:lab', { key: 'newer-key-123456' })
    const next = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: 'example-first-look',
      models: ['lab/alpha'],
      limit: 1,
    })
    await server.watch(`/api/runs/${next.runId}/events`).rest()
    expect(models.requests.at(-1)?.headers['authorization']).toBe('Bearer newer-key-123456')
  })
  it('can have a price, which estimates and costs use; a nonsensical one is refused', async () => {
    const put = (price: unknown) =>
      server.try('PUT', '/api/settings/endpoints/lab', { name: 'lab', baseUrl: models.baseUrl, price })
    for (const price of [
      { input: -1, output: 1 },
      { input: 1 },
      { input: 1, output: 1e9 },
      5,
      { input: '1', output: 1 },
    ])
      expect((await put(price)).status).toBe(422)
    expect((await put({ input: 0.5, output: 1000 })).status).toBe(200)
    const { endpoints } = await server.get<SettingsView>('/api/settings')
    expect(endpoints).toEqual([
      { name: 'lab', baseUrl: models.baseUrl, hasKey: true, price: { input: 0.5, output: 1000 } },
    ])
    const request = { suiteId: 'example-first-look', models: ['lab/alpha', 'lab/unlisted'], limit: 1 }
    const { cost } = await server.send<RunEstimate>('POST', '/api/estimate', request)
    expect(cost).toBeGreaterThan(4)
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', request)
    await server.watch(`/api/runs/${runId}/events`).rest()
    const run = await server.context.storage.loadRun(runId)
    expect(run?.results.map(({ cost: paid = 0 }) => paid > 0)).toEqual([true, true])
    const { models: listed } = await server.get<ModelList>('/api/models')
    expect(listed.find(({ id }) => id === 'lab/alpha')).toMatchObject({ promptPrice: 5e-7, completionPrice: 0.001 })
    expect((await put(undefined)).status).toBe(200)
    expect((await server.send<RunEstimate>('POST', '/api/estimate', request)).cost).toBeNull()
  })
  it('can have limits, which all runs together keep; nonsensical ones are refused', async () => {
    const put = (limits: unknown, name = 'lab') => server.try('PUT', `/api/settings/limits/${name}`, limits)
    for (const limits of [
      { requestsPerMinute: 0 },
      { tokensPerMinute: 1.5 },
      { concurrency: 'many' },
      { requestsPerHour: 5 },
      { concurrency: 1001 },
    ])
      expect((await put(limits)).status).toBe(422)
    expect((await put({ requestsPerMinute: 60 }, 'nobody')).status).toBe(422)
    expect((await put({ requestsPerMinute: 90 }, 'openai')).status).toBe(200)
    expect((await put({ requestsPerMinute: 120, concurrency: 2 })).status).toBe(200)
    const { limits } = await server.get<SettingsView>('/api/settings')
    expect(limits).toEqual({ openai: { requestsPerMinute: 90 }, lab: { requestsPerMinute: 120, concurrency: 2 } })

    // Two runs at once send no more than one every half second together.
    const request = { suiteId: 'example-first-look', models: ['lab/alpha'], limit: 2 }
    const startedAt = performance.now()
    const runs = await Promise.all([1, 2].map(() => server.send<StartedRun>('POST', '/api/runs', request)))
    await Promise.all(runs.map(({ runId }) => server.watch(`/api/runs/${runId}/events`).rest()))
    expect(performance.now() - startedAt).toBeGreaterThan(1500)

    expect((await put({})).status).toBe(200)
    expect((await put({}, 'openai')).status).toBe(200)
    expect((await server.get<SettingsView>('/api/settings')).limits).toEqual({})
  })
  it('whose stored price is damaged are used without it', async () => {
    const before = await server.context.storage.loadDocument('settings', 'endpoints')
    const content = { endpoints: [{ name: 'lab', baseUrl: models.baseUrl, price: { input: 'free' } }] }
    await server.context.storage.saveDocument({ kind: 'settings', id: 'endpoints', content })
    const { endpoints } = await server.get<SettingsView>('/api/settings')
    expect(endpoints).toEqual([{ name: 'lab', baseUrl: models.baseUrl, hasKey: true }])
    await server.context.storage.saveDocument({ kind: 'settings', id: 'endpoints', content: before!.content })
  })
  it('that move to another server lose their key', async () => {
    const other = await startModelServer({})
    const moved = await server.send<SettingsView>('PUT', '/api/settings/endpoints/lab', {
      name: 'lab',
      baseUrl: other.baseUrl,
    })
    expect(moved.endpoints).toEqual([{ name: 'lab', baseUrl: other.baseUrl, hasKey: false }])
    await other.close()
  })
  it('that do not answer are named, and the others are still listed', async () => {
    await server.send('PUT', '/api/settings/endpoints/gone', { name: 'gone', baseUrl: 'http://127.0.0.1:9/v1' })
    const { models: listed, problems } = await server.get<ModelList>('/api/models?refresh=1')
    expect(problems.map(({ provider }) => provider)).toContain('gone')
    expect(listed.some(({ id }) => id === 'demo/good')).toBe(true)
    await server.send('DELETE', '/api/settings/endpoints/gone')
    expect((await server.try('DELETE', '/api/settings/endpoints/gone')).status).toBe(404)
  })
  it.each([
    ['demo', 'http://127.0.0.1:1/v1'],
    ['openai', 'http://127.0.0.1:1/v1'],
    ['Lab', 'http://127.0.0.1:1/v1'],
    ['../x', 'http://127.0.0.1:1/v1'],
    ['lab2', 'file:///etc/passwd'],
    ['lab2', 'http://user:secret@127.0.0.1:1/v1'],
    ['lab2', 'http://127.0.0.1:1/v1?api_key=secret'],
    ['lab2', 'not an address'],
  ])('%s at %s is refused', async (name, baseUrl) => {
    expect(
      (await server.try('PUT', `/api/settings/endpoints/${encodeURIComponent(name)}`, { name, baseUrl })).status,
    ).toBe(422)
  })
})

describe('the key of an endpoint', () => {
  const KEY_OF_LAB = 'lab-key-0123456789'
  let elsewhere: ModelServer
  let own: StartedServer
  beforeAll(async () => {
    elsewhere = await startModelServer({ models: ['alpha'] })
    own = await startServer({ compose: composeServer })
    await own.send('PUT', '/api/settings/endpoints/lab', { name: 'lab', baseUrl: models.baseUrl, key: KEY_OF_LAB })
  })
  afterAll(async () => {
    await own.remove()
    await elsewhere.close()
  })
  const startRun = () =>
    own.try('POST', '/api/runs', { suiteId: 'example-first-look', models: ['lab/alpha'], limit: 1 })
  const moved = () => ({
    name: 'lab',
    baseUrl: elsewhere.baseUrl,
    hasKey: false,
    keyGivenFor: new URL(models.baseUrl).origin,
  })

  it('stays behind when a restored backup moves the endpoint', async () => {
    const stranger = await startServer({ compose: composeServer })
    await stranger.send('PUT', '/api/settings/endpoints/lab', { name: 'lab', baseUrl: elsewhere.baseUrl })
    const file = join(stranger.dataFolder, 'backup.db')
    await stranger.context.storage.backupTo(file)
    const backup = readFileSync(file)
    await stranger.remove()
    const restored = await own.ask('/api/settings/restore', {
      method: 'POST',
      headers: { ...own.session, 'content-type': 'application/octet-stream' },
      body: backup,
    })
    expect(restored.status).toBe(200)
    expect((await own.get<SettingsView>('/api/settings')).endpoints).toEqual([moved()])
    const app = await own.get<AppInfo>('/api/app')
    expect(keyOf(app, 'endpoint:lab')).toMatchObject({ isSet: false })
    const { models: listed, problems } = await own.get<ModelList>('/api/models?refresh=1')
    expect(listed.some(({ id }) => id === 'demo/good')).toBe(true)
    expect(problems).toEqual([{ provider: 'lab', message: expect.stringContaining('enter the key again in Settings') }])
    for (const reply of [
      await startRun(),
      await own.try('POST', '/api/settings/keys/endpoint:lab/test'),
      await own.try('POST', '/api/calibrations', { judgeModelId: 'lab/alpha' }),
      await own.try('POST', '/api/code-arena', { prompt: 'a page', models: ['lab/alpha'] }),
    ])
      expect([reply.status, reply.text]).toEqual([422, expect.stringContaining('enter the key again in Settings')])
    expect(elsewhere.requests).toEqual([])
    expect(elsewhere.stats().byPath).toEqual({})
  })
  it('can be entered again, for the address that is on the screen', async () => {
    const stale = await own.try('PUT', '/api/settings/keys/endpoint:lab', { key: KEY_OF_LAB, baseUrl: models.baseUrl })
    expect([stale.status, stale.json<ApiError>().error.code]).toEqual([409, 'address-changed'])
    const saved = await own.send<SettingsView>('PUT', '/api/settings/keys/endpoint:lab', {
      key: 'key-for-elsewhere',
      baseUrl: elsewhere.baseUrl,
    })
    expect(saved.endpoints).toEqual([{ name: 'lab', baseUrl: elsewhere.baseUrl, hasKey: true }])
    const { runId } = (await startRun()).json<StartedRun>()
    await own.watch(`/api/runs/${runId}/events`).rest()
    expect(elsewhere.requests.map(({ headers }) => headers['authorization'])).toEqual(['Bearer key-for-elsewhere'])
  })
  it('in BENCHMAKER_API_KEY goes to no address that only a request or the database names', async () => {
    const general = await startServer({ compose: composeServer, env: { BENCHMAKER_API_KEY: 'general-key-012345' } })
    const before = models.stats().requests
    const request = { suiteId: 'example-first-look', models: ['alpha'], limit: 1, endpoint: models.baseUrl }
    const reply = await general.try('POST', '/api/runs', request)
    expect([reply.status, reply.text]).toEqual([422, expect.stringContaining('is known only from the database')])
    expect(models.stats().requests).toBe(before)
    await general.remove()
  })
  it('comes with a warning if it travels unencrypted to another machine', async () => {
    const add = async (name: string, baseUrl: string, key?: string) => {
      const view = await own.send<SettingsView>('PUT', `/api/settings/endpoints/${name}`, { name, baseUrl, key })
      await own.send('DELETE', `/api/settings/endpoints/${name}`)
      return view.endpoints.find((endpoint) => endpoint.name === name)?.warning
    }
    expect(await add('far', 'http://10.0.0.9/v1', KEY_OF_LAB)).toMatch(/http:\/\/10\.0\.0\.9 is sent unencrypted/)
    expect(await add('far', 'http://127.0.0.1.example.invalid/v1', KEY_OF_LAB)).toMatch(/unencrypted/)
    expect(await add('far', 'http://10.0.0.9/v1')).toBeUndefined()
    for (const baseUrl of ['https://10.0.0.9/v1', 'http://localhost:1/v1', 'http://127.8.0.1/v1', 'http://[::1]:1/v1'])
      expect(await add('near', baseUrl, KEY_OF_LAB)).toBeUndefined()
  })
  it('is not asked for by endpoints that Settings would refuse: they are named, and can be removed', async () => {
    const before = await own.context.storage.loadDocument('settings', 'endpoints')
    const refused = { name: 'openai', baseUrl: elsewhere.baseUrl }
    await own.context.storage.saveDocument({ kind: 'settings', id: 'endpoints', content: { endpoints: [refused] } })
    await own.context.renewClients()
    expect(await own.get<SettingsView>('/api/settings')).toMatchObject({
      endpoints: [],
      refusedEndpoints: [{ ...refused, reason: expect.stringContaining('the name of a built-in provider') }],
    })
    expect((await own.get<ModelList>('/api/models?refresh=1')).models.map(({ provider }) => provider)).not.toContain(
      'openai',
    )
    const removed = await own.send<SettingsView>('DELETE', '/api/settings/endpoints/openai')
    expect(removed.refusedEndpoints).toEqual([])
    await own.context.storage.saveDocument({ kind: 'settings', id: 'endpoints', content: before!.content })
  })
})

describe('testing a key', () => {
  /** A vendor that accepts one key. */
  function startVendor(goodKey: string): Promise<{ url: string; asked: string[]; server: Server }> {
    const asked: string[] = []
    const vendor = createServer((request, response) => {
      asked.push(request.url ?? '')
      const isGood = request.headers.authorization === `Bearer ${goodKey}`
      response.writeHead(isGood ? 200 : 401, { 'content-type': 'application/json' })
      response.end(isGood ? '{"data":[{"id":"m"}]}' : `{"error":{"message":"no: ${request.headers.authorization}"}}`)
    })
    return new Promise((resolve) => {
      vendor.listen(0, '127.0.0.1', () => {
        const address = vendor.address()
        resolve({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked, server: vendor })
      })
    })
  }

  it('asks OpenRouter about the key itself, because its list of models is public', async () => {
    const vendor = await startVendor(KEY)
    const test = (key: string) =>
      testKey('openrouter', {
        keys: server.context.keys,
        environment: { OPENROUTER_API_KEY: key },
        storage: server.context.storage,
        openRouterKeyUrl: `${vendor.url}/api/v1/key`,
      })
    expect(await test(KEY)).toEqual({ ok: true, message: 'Connected' })
    const refused = await test('sk-or-v1-wrong-wrong-wrong')
    expect(refused).toEqual({ ok: false, message: expect.stringContaining('refuses the key') })
    expect(vendor.asked).toEqual(['/api/v1/key', '/api/v1/key'])
    vendor.server.close()
    expect((await test(KEY)).ok).toBe(false)
  })
  it('asks an endpoint for its models with the key', async () => {
    const vendor = await startVendor('right-key-123456')
    await server.send('PUT', '/api/settings/endpoints/vendor', {
      name: 'vendor',
      baseUrl: `${vendor.url}/v1`,
      key: 'right-key-123456',
    })
    expect(await server.send<KeyTest>('POST', '/api/settings/keys/endpoint:vendor/test')).toEqual({
      ok: true,
      message: 'Connected: 1 model',
    })
    await server.send('PUT', '/api/settings/keys/endpoint:vendor', { key: 'wrong-key-123456' })
    const reply = await server.try('POST', '/api/settings/keys/endpoint:vendor/test')
    expect(reply.json()).toEqual({ ok: false, message: expect.stringContaining('refuses the key') })
    expect(reply.text).not.toContain('wrong-key')
    vendor.server.close()
  })
  it('says so if there is no key to test', async () => {
    expect((await server.try('POST', '/api/settings/keys/openai/test')).json<ApiError>().error.message).toContain(
      'no key for OpenAI is set',
    )
    expect((await server.try('POST', '/api/settings/keys/endpoint:nobody/test')).status).toBe(404)
  })
})

describe('backup and restore', () => {
  const restore = (bytes: Uint8Array | string) =>
    server.ask('/api/settings/restore', {
      method: 'POST',
      headers: { ...server.session, 'content-type': 'application/octet-stream' },
      body: bytes,
    })

  async function takeBackup(): Promise<Buffer> {
    const reply = await fetch(`${server.origin}/api/settings/backup`, { headers: server.session })
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="benchmaker-\d{4}-\d\d-\d\d\.db"/)
    return Buffer.from(await reply.arrayBuffer())
  }

  it('a backup is a complete database; restoring it brings back its data and keeps the replaced database', async () => {
    const before = await server.get<RunList>('/api/runs')
    const bytes = await takeBackup()
    expect(bytes.subarray(0, 15).toString()).toBe('SQLite format 3')
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: 'example-first-look',
      models: ['demo/good'],
      limit: 1,
    })
    await server.watch(`/api/runs/${runId}/events`).rest()
    expect((await server.get<RunList>('/api/runs')).total).toBe(before.total + 1)

    const reply = await restore(bytes)
    expect([reply.status, reply.json()]).toEqual([200, { runs: before.total }])
    expect(await server.get<RunList>('/api/runs')).toMatchObject({ total: before.total })
    expect(existsSync(join(server.dataFolder, 'benchmaker.db.before-restore'))).toBe(true)
    await server.send('POST', '/api/suites', {
      suite: { name: 'After', testCases: [{ id: 'a', prompt: 'p', scoringMethod: 'boolean' }] },
    })
    expect(
      readdirSync(server.dataFolder).filter((name) => /backup$|restore$/.test(name) && name.startsWith('.')),
    ).toEqual([])

    expect((await restore(readFileSync(join(server.dataFolder, 'benchmaker.db.before-restore')))).status).toBe(200)
    expect((await server.get<RunList>('/api/runs')).total).toBe(before.total + 1)
  })
  it('a file that is not a backup is refused and changes nothing', async () => {
    const before = await server.get<RunList>('/api/runs')
    const bytes = await takeBackup()
    for (const bad of ['hello', '', bytes.subarray(0, 5000), new Uint8Array(100_000)]) {
      const reply = await restore(bad)
      expect(reply.status).toBe(422)
      expect(reply.text).not.toContain(server.dataFolder)
    }
    expect(await server.get<RunList>('/api/runs')).toEqual(before)
  })
  it('a restore is refused while a run is in progress', async () => {
    const own = await startServer({ compose: composeServer, env: { BENCHMAKER_DEMO_DELAY_MS: '2000' } })
    const { runId } = await own.send<StartedRun>('POST', '/api/runs', {
      suiteId: 'example-first-look',
      models: ['demo/good'],
    })
    const reply = await own.ask('/api/settings/restore', {
      method: 'POST',
      headers: { ...own.session, 'content-type': 'application/octet-stream' },
      body: 'x',
    })
    expect(reply.json<ApiError>().error.code).toBe('live')
    await own.send('POST', `/api/runs/${runId}/stop`)
    await own.remove()
  })
  it('a backup contains no key', async () => {
    await server.send('PUT', '/api/settings/keys/openai', { key: KEY })
    expect((await takeBackup()).includes(KEY)).toBe(false)
    await server.send('DELETE', '/api/settings/keys/openai')
  })
})

describe('the sandbox of the browser', () => {
  it('is on until it is turned off here, and a restored backup does not change it', async () => {
    const own = await startServer({ compose: composeServer, env: {} })
    const state = async () => (await own.get<SettingsView>('/api/settings')).browser
    expect(await state()).toEqual({ sandbox: 'on', setBy: 'default' })
    await own.send('PUT', '/api/settings/browser', { sandbox: 'off' })
    expect(await state()).toEqual({ sandbox: 'off', setBy: 'settings' })
    expect(statSync(join(own.dataFolder, 'browser.json')).mode & 0o077).toBe(0)
    const backup = await fetch(`${own.origin}/api/settings/backup`, { headers: own.session })
    await own.send('PUT', '/api/settings/browser', { sandbox: 'on' })
    const restored = await fetch(`${own.origin}/api/settings/restore`, {
      method: 'POST',
      headers: { ...own.session, 'content-type': 'application/octet-stream' },
      body: await backup.arrayBuffer(),
    })
    expect(restored.status).toBe(200)
    expect(await state()).toEqual({ sandbox: 'on', setBy: 'settings' })
    await own.remove()
  })
  it('follows the environment variable if there is one', async () => {
    const own = await startServer({ compose: composeServer, env: { BENCHMAKER_CHROMIUM_SANDBOX: 'off' } })
    expect((await own.get<SettingsView>('/api/settings')).browser).toEqual({ sandbox: 'off', setBy: 'environment' })
    const refused = await own.try('PUT', '/api/settings/browser', { sandbox: 'on' })
    expect([refused.status, refused.json<ApiError>().error.code]).toEqual([409, 'set-elsewhere'])
    await own.remove()
  })
})
