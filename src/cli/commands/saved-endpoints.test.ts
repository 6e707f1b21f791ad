import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import { requestTemplateSchema } from '../../contract/index.ts'
import { endpointKeyName, saveEndpoint, type Endpoint } from '../../settings/index.ts'
import { openData } from '../compose.ts'
import { openKeys } from '../saved-keys.ts'
import { runCli } from '../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-endpoints-'))
const data = join(folder, 'data')
const suite = join(folder, 'suite.yaml')
let models: ModelServer

/** Saves an endpoint as the web app's Settings do. */
async function save(name: string, baseUrl: string, key?: string, more?: Partial<Endpoint>): Promise<void> {
  const storage = await openData(data, {})
  await saveEndpoint(storage, { name, baseUrl, ...more })
  await storage.close()
  if (key !== undefined)
    await openKeys(data, { BENCHMAKER_KEY_STORE: 'file' }).set(endpointKeyName(name), key, new URL(baseUrl).origin)
}

const run = (...args: string[]) => runCli(args)

beforeAll(async () => {
  vi.stubEnv('BENCHMAKER_HOME', data)
  models = await startModelServer({ models: ['small'], answer: () => '4' })
  writeFileSync(
    suite,
    'name: Sums\ntestCases:\n  - { id: a, prompt: 2+2?, scoringMethod: exact-match, expectedOutput: 4 }\n',
  )
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await models.close()
  rmSync(folder, { recursive: true })
})

describe('an endpoint saved in the web app', () => {
  it('that does not exist is an error, and looking for it creates nothing', async () => {
    expect(await run('run', suite, '--models', 'lab/small')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('lab/small: no key'),
    })
    expect(existsSync(data)).toBe(false)
  })
  it('serves its models, with its key and without its prefix', async () => {
    await save('lab', models.baseUrl, 'key-of-the-lab')
    expect(await run('run', suite, '--models', 'lab/small')).toMatchObject({ exitCode: 0 })
    const [{ model, headers }] = models.requests as [(typeof models.requests)[number]]
    expect([model, headers['authorization']]).toEqual(['small', 'Bearer key-of-the-lab'])
  })
  it('with a template of its own answers, judges and is priced; the estimate knows it', async () => {
    const template = requestTemplateSchema.parse({
      headers: { 'x-api-key': '{{key}}' },
      body: '{"model": "bot", "messages": [{"role": "user", "content": "{{prompt}}"}], "temperature": {{temperature}}}',
      answer: 'choices[0].message.content',
      promptTokens: 'usage.prompt_tokens',
      completionTokens: 'usage.completion_tokens',
    })
    models.reset()
    await save('bot', `${models.baseUrl}/chat/completions`, 'key-of-the-bot', {
      template,
      price: { input: 1_000_000, output: 1_000_000 },
    })
    const dryRun = await run('run', suite, '--models', 'bot/default', '--dry-run')
    expect([dryRun.exitCode, models.stats().requests]).toEqual([0, 0])
    const { exitCode, out } = await run('run', suite, '--models', 'bot/default', '--json')
    const [{ headers, body, prompt }] = models.requests as [(typeof models.requests)[number]]
    expect([exitCode, headers['x-api-key'], headers['authorization'], prompt]).toEqual([
      0,
      'key-of-the-bot',
      undefined,
      '2+2?',
    ])
    expect(body).toEqual({
      model: 'bot',
      messages: [{ role: 'user', content: '2+2?' }],
      temperature: expect.any(Number),
    })
    expect(JSON.parse(out)).toMatchObject({
      scores: { 'bot/default': { mean: 1, count: 1 } },
      cost: expect.any(Number),
    })
    expect(out).not.toContain('key-of-the-bot')
  })
  it('is not used when a base URL is set', async () => {
    models.reset()
    const other = await startModelServer({ answer: () => '4' })
    expect(await run('run', suite, '--models', 'lab/small', '--base-url', other.baseUrl)).toMatchObject({ exitCode: 0 })
    expect([models.stats().requests, other.stats().byModel]).toEqual([0, { 'lab/small': 1 }])
    await other.close()
  })
  it('is listed by models; an unreachable one is reported and left out', async () => {
    const off = await startModelServer()
    await save('off', off.baseUrl)
    await off.close()
    const { exitCode, out, err } = await run('models', '--json')
    const ids = JSON.parse(out).models.map(({ id }: { id: string }) => id)
    expect([exitCode, ids]).toEqual([0, expect.arrayContaining(['lab/small', 'demo/good'])])
    expect(err).toMatch(/^warning: off: /)
    expect(await run('models', '--provider', 'off')).toMatchObject({ exitCode: 2, out: '' })
  })
  it('that a restored or shared database moved elsewhere does not get its key there', async () => {
    const elsewhere = await startModelServer({ models: ['small'], answer: () => '4' })
    await save('lab', elsewhere.baseUrl)
    const { exitCode, err } = await run('run', suite, '--models', 'lab/small')
    expect([exitCode, err]).toEqual([
      2,
      expect.stringContaining(
        `the key of lab was given for ${new URL(models.baseUrl).origin}, but lab is now ${elsewhere.baseUrl}: enter the key again in Settings`,
      ),
    ])
    expect((await run('run', suite, '--models', 'demo/good', '--judge', 'lab/small')).exitCode).toBe(0)
    expect(await run('calibrate', 'lab/small')).toMatchObject({ exitCode: 2 })
    expect(await run('arena', 'a page', '--models', 'lab/small')).toMatchObject({ exitCode: 2 })
    const listed = await run('models', '--json')
    expect(listed.err).toContain('warning: lab: the key of lab was given for')
    expect(JSON.parse(listed.out).models.map(({ id }: { id: string }) => id)).toContain('demo/good')
    expect(elsewhere.requests).toEqual([])
    await elsewhere.close()
  })
  it.each([
    ['another scheme', (url: URL) => (url.protocol = 'https:')],
    ['another port', (url: URL) => (url.port = '1')],
    ['another name of the host', (url: URL) => (url.hostname = 'localhost')],
  ])('with %s is another address', async (_name, change) => {
    const url = new URL(models.baseUrl)
    change(url)
    await save('lab', url.href)
    expect((await run('run', suite, '--models', 'lab/small')).err).toContain('enter the key again in Settings')
  })
  it('with a price gives estimates, costs and budgets, also for models that it does not list and by its address', async () => {
    models.reset()
    await save('lab', models.baseUrl, 'key-of-the-lab', { price: { input: 1, output: 1000 } })
    const dryRun = async (...args: string[]) =>
      JSON.parse((await run('run', suite, '--dry-run', '--json', ...args)).out)
    for (const args of [
      ['--models', 'lab/small'],
      ['--models', 'lab/not-listed'],
      ['--models', 'not-listed', '--base-url', `${models.baseUrl}/`],
    ]) {
      const { cost, unknownPrices } = await dryRun(...args, '--max-tokens', '500')
      // 500 tokens at 0.001 dollars, and a few tokens of prompt.
      expect([cost > 0.5 && cost < 0.5001, unknownPrices], args.join(' ')).toEqual([true, []])
      const whole = JSON.parse((await run('run', suite, ...args, '--max-cost', '3', '--json')).out)
      // The answer "4" is one token.
      expect(whole.runs[0].results[0].cost).toBeGreaterThanOrEqual(0.001)
      expect(whole.runs[0].results[0].cost).toBeLessThan(0.0011)
      const tight = await run('run', suite, ...args, '--max-cost', '1', '--json')
      expect([tight.exitCode, tight.err]).toEqual([2, expect.stringContaining('One request can cost up to $2.05')])
    }
    const other = await startModelServer({ answer: () => '4' })
    expect((await dryRun('--models', 'x', '--base-url', other.baseUrl)).cost).toBeNull()
    await other.close()
    expect(JSON.parse((await run('models', '--json')).out).models).toContainEqual(
      expect.objectContaining({ id: 'lab/small', promptPrice: 1e-6, completionPrice: 0.001 }),
    )
    await save('lab', models.baseUrl)
  })
  it('with another path is the same address', async () => {
    models.reset()
    await save('lab', `${models.baseUrl}/`)
    expect(await run('run', suite, '--models', 'lab/small')).toMatchObject({ exitCode: 0 })
    expect(models.requests[0]?.headers['authorization']).toBe('Bearer key-of-the-lab')
  })
  it.each(['openai', 'openrouter', 'anthropic', 'google', 'demo', 'ollama', 'Lab', '../lab', ''])(
    'under the name "%s", which Settings refuses, is ignored with a warning',
    async (name) => {
      const storage = await openData(data, {})
      const content = { endpoints: [{ name, baseUrl: models.baseUrl }] }
      await storage.saveDocument({ kind: 'settings', id: 'endpoints', content })
      await storage.close()
      models.reset()
      vi.stubEnv('OPENAI_API_KEY', 'sk-of-the-vendor')
      const { err } = await run('run', suite, '--models', `${name}/small`, '--dry-run')
      vi.stubEnv('OPENAI_API_KEY', undefined)
      expect(err).toContain(`warning: the saved endpoint ${name} is ignored: `)
      expect(models.requests).toEqual([])
    },
  )
  it('with a key saved by a version that did not record addresses keeps it, once', async () => {
    const file = join(data, 'keys.json')
    await save('lab', models.baseUrl)
    writeFileSync(file, JSON.stringify({ keys: { 'endpoint:lab': 'older-key-1', 'endpoint:gone': 'older-key-2' } }))
    models.reset()
    expect(await run('run', suite, '--models', 'lab/small')).toMatchObject({ exitCode: 0 })
    expect(models.requests[0]?.headers['authorization']).toBe('Bearer older-key-1')
    await save('gone', models.baseUrl)
    const refused = await run('run', suite, '--models', 'gone/small')
    expect([refused.exitCode, refused.err]).toEqual([
      2,
      expect.stringContaining('the key of gone was given for an unknown address'),
    ])
    expect(models.requests).toHaveLength(1)
  })
  it('on another machine without encryption gets its key with one warning', async () => {
    models.reset()
    // Not known as this machine, and yet it is.
    const address = models.baseUrl.replace('127.0.0.1', '0.0.0.0')
    await save('far', address, 'key-of-far-away')
    const { err } = await run('run', suite, '--models', 'far/small', '--repeat', '2')
    expect(err.match(/warning: the key for http:\/\/0\.0\.0\.0:\d+ is sent unencrypted/g)).toHaveLength(1)
    expect(models.requests.map(({ headers }) => headers['authorization'])).toEqual(
      Array(2).fill('Bearer key-of-far-away'),
    )
  })
})

describe('the general key', () => {
  const KEY = 'general-key-0123456789'
  let other: ModelServer
  beforeAll(async () => {
    other = await startModelServer({ models: ['small'], answer: () => '4' })
    vi.stubEnv('BENCHMAKER_API_KEY', KEY)
  })
  afterAll(async () => {
    vi.stubEnv('BENCHMAKER_API_KEY', undefined)
    await other.close()
  })
  const keysSent = (server: ModelServer) => [...new Set(server.requests.map(({ headers }) => headers['authorization']))]

  /** Leaves the last run unfinished and moves it elsewhere, as whoever can write to the database could. */
  async function moveRun(endpoint: string): Promise<void> {
    const storage = await openData(data, {})
    const [id] = await storage.findRuns('latest')
    const stored = await storage.loadRun(id!)
    await storage.saveRequest(id!, { ...stored!.request!, endpoint, repeat: stored!.request!.repeat + 1 })
    await storage.close()
  }

  it('goes to the address of --base-url, and again on resume', async () => {
    models.reset()
    expect((await run('run', suite, '--models', 'small', '--base-url', models.baseUrl)).exitCode).toBe(0)
    await moveRun(models.baseUrl)
    expect(await run('resume', 'latest')).toMatchObject({ exitCode: 0 })
    expect([models.stats().requests, keysSent(models)]).toEqual([2, [`Bearer ${KEY}`]])
  })
  it('does not go to an address that only the database names', async () => {
    await moveRun(other.baseUrl)
    const { exitCode, err } = await run('resume', 'latest')
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`--base-url ${other.baseUrl}`)])
    expect(await run('rescore', 'latest', '--judge', 'small')).toMatchObject({ exitCode: 2 })
    expect(other.requests).toEqual([])
  })
  it('is not remembered for another key', async () => {
    await moveRun(models.baseUrl)
    models.reset()
    vi.stubEnv('BENCHMAKER_API_KEY', 'another-key-0123456789')
    expect(await run('resume', 'latest')).toMatchObject({ exitCode: 2 })
    expect(models.requests).toEqual([])
    vi.stubEnv('BENCHMAKER_API_KEY', KEY)
  })
  it('goes there once the user names the address', async () => {
    await moveRun(other.baseUrl)
    expect(await run('resume', 'latest', '--base-url', other.baseUrl)).toMatchObject({ exitCode: 0 })
    expect(keysSent(other)).toEqual([`Bearer ${KEY}`])
  })
  it('is kept out of every file of the data folder', () => {
    for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
      const file = join(data, name)
      if (statSync(file).isFile()) expect(readFileSync(file).includes(KEY)).toBe(false)
    }
  })
  it('without encryption gets a warning', async () => {
    const { err } = await run('models', '--base-url', 'http://benchmaker.invalid/v1')
    expect(err).toMatch(/^warning: the key for http:\/\/benchmaker\.invalid is sent unencrypted/)
    expect((await run('models', '--base-url', models.baseUrl)).err).toBe('')
  })
})

it('one model with an endless name does not widen the rows of all others', async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `m${index}`)
  const server = await startModelServer({ models: [`${'x'.repeat(100_000)}end`, ...names] })
  // As in a pipe.
  const { exitCode, out } = await runCli(['models', '--base-url', server.baseUrl], { columns: Infinity })
  await server.close()
  expect(exitCode).toBe(0)
  expect(out.length).toBeLessThan(2_000_000)
  expect(out).toMatch(/x{100}….*end/)
})
