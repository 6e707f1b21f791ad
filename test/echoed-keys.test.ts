import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCli } from '../src/cli/testing/run-cli.ts'
import { openData } from '../src/cli/compose.ts'
import { openKeys } from '../src/cli/saved-keys.ts'
import { buildReport, createClient, executeRun, formats, openStorage, writeReport } from '../src/index.ts'
import { endpointKeyName, saveEndpoint } from '../src/settings/index.ts'
import { startModelServer, type ModelServer } from './fakes/model-server.ts'

/** A server that echoes keys, its own and another's: in answers, errors, streams, judgements and lists. */
const KEY = 'sk-echo+0123/456789'
const OTHER_KEY = 'sk-other-key-abcdef'
const FORMS = [KEY, encodeURIComponent(KEY), OTHER_KEY]
const echoed = `you sent ${FORMS.join(' and ')}`

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-echo-'))
const data = join(folder, 'data')
const suite = {
  name: 'Echo',
  testCases: ['answer', 'error', 'stream', 'judged'].map((id) => ({
    id,
    prompt: id,
    scoringMethod: id === 'judged' ? 'llm-judge' : 'exact-match',
    expectedOutput: 'x',
  })),
}
let server: ModelServer
const json = { 'content-type': 'application/json' }

beforeAll(async () => {
  server = await startModelServer({
    tokenDelayMs: 1,
    models: [`model-${KEY}`],
    answer: ({ model }) => (model === 'judge' ? JSON.stringify({ score: 3, reasoning: echoed }) : echoed),
    reply: ({ prompt }) =>
      prompt === 'error'
        ? { status: 400, headers: json, pieces: [JSON.stringify({ error: { message: echoed, code: KEY } })] }
        : prompt === 'stream'
          ? { pieces: [`data: ${JSON.stringify({ error: { message: echoed, code: 400 } })}\n\n`] }
          : undefined,
  })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
  rmSync(folder, { recursive: true })
})

function expectNoKey(text: string | Buffer, forms = FORMS): void {
  for (const form of forms) expect(text.includes(form)).toBe(false)
}

function expectNoKeyInFiles(): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (statSync(file).isFile() && !name.endsWith('keys.json')) expectNoKey(readFileSync(file))
  }
}

describe('a key that a server echoes is not shown, stored or exported', () => {
  it('in the terminal, by base URL or as a saved endpoint', async () => {
    vi.stubEnv('BENCHMAKER_HOME', data)
    vi.stubEnv('BENCHMAKER_KEY_STORE', 'file')
    vi.stubEnv('OPENAI_API_KEY', OTHER_KEY)
    const file = join(folder, 'suite.json')
    writeFileSync(file, JSON.stringify(suite))
    const storage = await openData(data, {})
    await saveEndpoint(storage, { name: 'lab', baseUrl: server.baseUrl })
    await storage.close()
    await openKeys(data, process.env).set(endpointKeyName('lab'), KEY, new URL(server.baseUrl).origin)
    const out = formats.flatMap(({ extension }) => ['--out', join(folder, `out${extension}`)])
    for (const [models, judge, ...rest] of [
      ['lab/m', 'lab/judge'],
      ['m', 'judge', '--base-url', server.baseUrl],
    ]) {
      vi.stubEnv('BENCHMAKER_API_KEY', rest.length > 0 ? KEY : undefined)
      for (const args of [
        ['run', file, '--models', models!, '--judge', judge!, ...rest, ...out],
        ['run', file, '--models', models!, '--judge', judge!, ...rest, '--json', '--cache'],
        ['resume', 'latest', ...rest],
        ['show', 'latest', '--cases'],
        ['export', 'latest', '--format', 'csv'],
        ['models', ...rest],
        ['calibrate', judge!, ...rest],
        ['audit', judge!, '--limit', '6', ...rest],
        ['audit', judge!, '--only', 'position', '--limit', '6', '--json', ...rest],
        ['arena', 'a page', '--models', models!, '--judge', judge!, '--quick-judge', ...rest],
      ]) {
        const printed = await runCli(args)
        expectNoKey(printed.out + printed.err)
      }
      expect((await runCli(['show', 'latest', '--cases'])).out).toContain('[key]')
    }
    expect(server.requests.every(({ headers }) => headers['authorization'] === `Bearer ${KEY}`)).toBe(true)
    expectNoKeyInFiles()
  })

  it('by the library, for keys given to createClient', async () => {
    const file = join(folder, 'library.db')
    const storage = await openStorage({ file })
    const client = createClient({ baseUrl: server.baseUrl, apiKey: KEY, headers: { 'x-token': OTHER_KEY } })
    const texts: string[] = []
    const run = await executeRun({
      suite,
      models: ['m'],
      judgeModelId: 'judge',
      client,
      storage,
      onEvent: (event) => texts.push(JSON.stringify(event)),
    })
    await storage.close()
    expectNoKey(JSON.stringify(run) + texts.join(''))
    for (const { name } of formats) expectNoKey(writeReport(buildReport(run), { format: name }))
    expect(JSON.stringify(run)).toContain('you sent [key] and [key] and [key]')
    expect(JSON.stringify(await client.listModels())).toBe('[{"id":"model-[key]"}]')
    await client.close()
    expectNoKeyInFiles()
  })
})
