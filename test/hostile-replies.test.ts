import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { composeServer } from '../src/cli/compose-server.ts'
import { runCli } from '../src/cli/testing/run-cli.ts'
import {
  createClient,
  createDemoClient,
  executeRun,
  openStorage,
  resumeRun,
  type ClientDefinition,
  type ModelAnswer,
  type RunResult,
  type SdkLanguageModel,
  type Suite,
} from '../src/index.ts'
import { createAnthropicClient } from '../src/providers/anthropic.ts'
import { createGoogleClient } from '../src/providers/google.ts'
import { startServer as startWebApp } from '../src/server/testing/started-server.ts'
import { startModelServer, type ModelServerOptions, type ScriptedReply } from './fakes/model-server.ts'

const cleanUp: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo()
})

function suiteOf(cases: number, more: Partial<Suite['testCases'][number]> = {}): Suite {
  const testCases = Array.from({ length: cases }, (_, index) => ({
    id: `case-${index}`,
    prompt: `What is 6 × 7? (${index})`,
    scoringMethod: 'exact-match',
    expectedOutput: '42',
    weight: 1,
    ...more,
  }))
  return { name: 'Hostile', testCases }
}

async function startServer(options: ModelServerOptions) {
  const server = await startModelServer({ answer: () => '42', ...options })
  cleanUp.push(() => server.close())
  return server
}

async function open(options: ModelServerOptions) {
  const server = await startServer(options)
  const client = createClient({ baseUrl: server.baseUrl, provider: 'test', apiKey: 'sk-test-0123456789abcdef' })
  cleanUp.push(() => client.close())
  return { server, client }
}

async function openMemory() {
  const storage = await openStorage({ file: ':memory:' })
  cleanUp.push(() => storage.close())
  return storage
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-hostile-'))
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const JSON_TYPE = { 'content-type': 'application/json' }
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const delta = (piece: unknown) => event({ choices: [{ index: 0, delta: piece }] })

/** The answer 42 with this usage as JSON text, so that it can hold what JavaScript cannot write. */
const streamed = (usage: string): ScriptedReply => ({
  pieces: [
    `${delta({ content: '42' })}data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": ${usage}}\n\ndata: [DONE]\n\n`,
  ],
})
const whole = (usage: string): ScriptedReply => ({
  headers: JSON_TYPE,
  pieces: [`{"choices": [{"index": 0, "message": {"content": "42"}, "finish_reason": "stop"}], "usage": ${usage}}`],
})

const KNOWN_PRICE = new Map([['m', { prompt: 1e-6, completion: 2e-6 }]])

describe('absurd usage', () => {
  const usages = [
    '{"prompt_tokens": 10, "completion_tokens": 1, "cost": 1e9}',
    '{"prompt_tokens": 10, "completion_tokens": 1, "cost": 1e300}',
    '{"prompt_tokens": 10, "completion_tokens": 1, "cost": 1e400}',
    '{"prompt_tokens": 10, "completion_tokens": 1, "cost": -1}',
    '{"prompt_tokens": 10, "completion_tokens": 1, "cost": "free"}',
    '{"prompt_tokens": 9e18, "completion_tokens": 1}',
    '{"prompt_tokens": 1.5, "completion_tokens": 2.5}',
    '{"prompt_tokens": -10, "completion_tokens": 1}',
    '{"prompt_tokens": 10, "completion_tokens": 1e400}',
    '{"prompt_tokens": [], "completion_tokens": {}}',
  ]

  async function expectKept(client: ClientDefinition): Promise<void> {
    for (const prices of [KNOWN_PRICE, undefined]) {
      const storage = await openMemory()
      const run = await executeRun({ suite: suiteOf(1), models: ['m'], client, prices, storage })
      expect(run.status).toBe('completed')
      const [cell] = run.results
      expect(cell).toMatchObject({ outcome: 'ok', response: '42', attempts: 1, score: { score: 1 } })
      expect(cell?.score?.notes).toContain('Usage left out, so the cost is unknown: ')
      expect([cell?.cost, cell?.promptTokens, cell?.completionTokens]).toEqual([undefined, undefined, undefined])
      const [attempt] = await storage.loadAttempts(run.id)
      expect(attempt?.end).toMatchObject({ outcome: 'ok', error: expect.stringContaining('Usage left out') })
      expect(attempt?.end?.cost).toBeUndefined()
      expect(await resumeRun(run.id, { client, prices, storage })).toMatchObject({
        asked: 0,
        run: { status: 'completed' },
      })
    }
  }

  it.each(usages)('%s is left out of a streamed answer and of a whole one', async (usage) => {
    for (const reply of [streamed(usage), whole(usage)]) await expectKept((await open({ reply: () => reply })).client)
  })

  it.each([
    { inputTokens: 9e18, outputTokens: 1 },
    { inputTokens: 1.5, outputTokens: 1 },
    { inputTokens: { total: -1 }, outputTokens: { total: 1 } },
    { inputTokens: { total: Number.NaN }, outputTokens: { total: 1 } },
    { inputTokens: 1, outputTokens: 'many' },
  ])('%j is left out of an answer of an AI SDK model', async (usage) => {
    const model = {
      specificationVersion: 'v4',
      provider: 'sdk',
      modelId: 'm',
      supportedUrls: {},
      doStream: async () => ({
        stream: ReadableStream.from([
          { type: 'text-delta', id: '1', delta: '42' },
          { type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } },
        ]),
      }),
    } as unknown as SdkLanguageModel
    await expectKept(createClient({ model }))
  })

  it.each([
    { cost: 1e9 },
    { cost: 1e300 },
    { promptTokens: 9e18, completionTokens: 1 },
    { promptTokens: 0.5, completionTokens: 1 },
    { promptTokens: Number.NaN },
    { cost: '1' },
  ])('%j is left out of an answer of a user’s own client', async (usage) => {
    await expectKept({ complete: async () => ({ response: '42', ...(usage as Partial<ModelAnswer>) }) })
  })

  it('does not end a run in the terminal, nor a resume, and leaves the other answers alone', async () => {
    const folder = createFolder()
    const file = join(folder, 'suite.json')
    writeFileSync(file, JSON.stringify(suiteOf(3)))
    const { baseUrl } = await startServer({
      reply: ({ prompt, stream }) =>
        prompt.includes('(1)')
          ? (stream ? streamed : whole)('{"prompt_tokens": 9e18, "completion_tokens": 1, "cost": 1e9}')
          : undefined,
      cost: 0.25,
    })
    const data = ['--data', join(folder, 'data')]
    const run = await runCli(['run', file, '--models', 'm', '--base-url', baseUrl, '--json', ...data])
    expect(run).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(run.out)).toMatchObject({ cost: 0.5, unknownCosts: 1 })
    expect(await runCli(['resume', 'latest', '--base-url', baseUrl, ...data])).toMatchObject({ exitCode: 0 })
    expect((await runCli(['show', 'latest', ...data])).out).toContain('$0.50, plus 1 unpriced request')
  })

  it('in a judge’s reply does not spoil the grade', async () => {
    const grade = JSON.stringify('{"score": 8, "reasoning": "Right."}')
    const { client } = await open({
      reply: ({ model }) =>
        model === 'judge'
          ? {
              headers: JSON_TYPE,
              pieces: [
                `{"choices": [{"message": {"content": ${grade}}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1e30, "cost": 1e30}}`,
              ],
            }
          : undefined,
    })
    const run = await executeRun({
      suite: suiteOf(1, { scoringMethod: 'llm-judge' }),
      models: ['m'],
      judgeModelId: 'judge',
      client,
    })
    expect(run.results[0]?.score?.score).toBe(0.8)
  })

  it('of a model’s price counts as an unknown price', async () => {
    const { client } = await open({})
    const prices = new Map([['m', { prompt: 1e300, completion: Number.NaN }]])
    const run = await executeRun({ suite: suiteOf(1), models: ['m'], client, prices })
    expect(run.results[0]).toMatchObject({ outcome: 'ok', response: '42' })
    expect(run.results[0]?.cost).toBeUndefined()
    await expect(executeRun({ suite: suiteOf(1), models: ['m'], client, prices, maxCost: 1 })).rejects.toThrow(
      /price of m is unknown/,
    )
  })
})

/** Every cell of `evil` is one error after one request; those of `good` are scored. */
function expectOneErrorEach(run: RunResult, message: RegExp, outcome = 'error'): void {
  const evil = run.results.filter(({ modelId }) => modelId === 'evil')
  const good = run.results.filter(({ modelId }) => modelId === 'good')
  expect(evil.map(({ outcome: actual, attempts }) => [actual, attempts])).toEqual(evil.map(() => [outcome, 1]))
  for (const { error } of evil) expect(error).toMatch(message)
  expect(good.map(({ score }) => score?.score)).toEqual(good.map(() => 1))
}

describe('a reply without end', () => {
  const endless: Record<string, ScriptedReply> = {
    'a stream of tokens': { pieces: [delta({ content: '4' })], endless: delta({ content: 'x'.repeat(60_000) }) },
    'a stream of thoughts': { pieces: [''], endless: delta({ reasoning: 'x'.repeat(60_000) }) },
    'keep-alive comments': { pieces: [delta({ content: '4' })], endless: ': still here\n\n'.repeat(4000) },
    'one line': { pieces: ['data: '], endless: 'x'.repeat(60_000) },
    blanks: { pieces: [' '], endless: ' \n'.repeat(30_000) },
    'a JSON document': { headers: JSON_TYPE, pieces: ['{"choices": ["'], endless: 'x'.repeat(60_000) },
    'bytes that are no text': { pieces: ['data: '], endless: new Uint8Array(60_000).fill(0xff) },
  }
  it.each(Object.entries(endless))('ends at 32 MiB and is not asked again: %s', async (_name, reply) => {
    const { client, server } = await open({ reply: ({ model }) => (model === 'evil' ? reply : undefined) })
    const run = await executeRun({ suite: suiteOf(1), models: ['evil', 'good'], client })
    expectOneErrorEach(run, /^test sent more than 32 MiB without ending its reply$/)
    expect(server.stats()).toMatchObject({ byModel: { evil: 1, good: 1 } })
  })

  it('with an error status is read no further than its message', async () => {
    const { client } = await open({
      reply: ({ model }) =>
        model === 'evil'
          ? { status: 400, headers: JSON_TYPE, pieces: ['{"error": "no'], endless: 'o'.repeat(60_000) }
          : undefined,
    })
    const run = await executeRun({ suite: suiteOf(2), models: ['evil', 'good'], client })
    expectOneErrorEach(run, /^test returned error 400: \{"error": "no+…$/)
  })

  it('that goes on after its own end mark keeps its answer', async () => {
    const finished = `${delta({ content: '42' })}data: [DONE]\n\n`
    const { client } = await open({ reply: () => ({ pieces: [finished + ': more\n'.repeat(6_000_000)] }) })
    const run = await executeRun({ suite: suiteOf(1), models: ['m'], client })
    expect(run.results[0]).toMatchObject({ outcome: 'ok', response: '42', attempts: 1 })
  })

  it('to six requests at once leaves the process alive, and the other cells complete', async () => {
    const folder = createFolder()
    const file = join(folder, 'suite.json')
    writeFileSync(file, JSON.stringify(suiteOf(6)))
    const { baseUrl } = await startServer({
      reply: ({ model }) => (model === 'evil' ? endless['a stream of tokens'] : undefined),
    })
    const program = join(import.meta.dirname, '..', 'dist', 'cli.js')
    const args = ['run', file, '--models', 'evil,good', '--base-url', baseUrl, '--concurrency', '12', '--json']
    // Far less memory than six endless replies need.
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=768', program, ...args, '--data', join(folder, 'data')],
      {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(code).toBe(3)
    expect(JSON.parse(out).scores).toMatchObject({ evil: { errors: 6 }, good: { errors: 0, mean: 1 } })
  })

  it('in the web app ends its own cells only: the rest of the run and other runs complete', async () => {
    const { baseUrl } = await startServer({
      reply: ({ model }) => (model === 'evil' ? endless['a stream of tokens'] : undefined),
    })
    const app = await startWebApp({ compose: composeServer, dataFolder: join(createFolder(), 'data') })
    cleanUp.push(() => app.close())
    await app.send('PUT', '/api/settings/endpoints/lab', { name: 'lab', baseUrl })
    const { id: suiteId } = await app.send<{ id: string }>('POST', '/api/suites', { suite: suiteOf(6) })
    const start = (models: string[]) =>
      app.send<{ runId: string }>('POST', '/api/runs', { suiteId, models, concurrency: 12, maxTimeSeconds: 300 })
    const started = [await start(['lab/evil', 'lab/good']), await start(['demo/good'])]
    for (const { runId } of started) await app.watch(`/api/runs/${runId}/events`).rest()
    const { runs } = await app.get<{ runs: { id: string; status: string; cells: object }[] }>('/api/runs')
    const cellsOf = (runId: string) => runs.find(({ id }) => id === runId)
    expect(cellsOf(started[0]!.runId)).toMatchObject({ status: 'completed', cells: { scored: 6, errors: 6 } })
    expect(cellsOf(started[1]!.runId)).toMatchObject({ status: 'completed', cells: { scored: 6, errors: 0 } })
  })

  const slow: ScriptedReply = { pieces: [''], endless: delta({ content: 'x' }), pieceDelayMs: 10 }
  it('but a token now and then ends after the maximum time, and is not asked again', async () => {
    const { client, server } = await open({ reply: ({ model }) => (model === 'evil' ? slow : undefined) })
    const run = await executeRun({ suite: suiteOf(2), models: ['evil', 'good'], client, maxTimeMs: 400 })
    expectOneErrorEach(run, /^test had not finished its answer after 0\.4 s, .*--max-time/, 'timeout')
    await expect.poll(() => server.stats().inFlight).toBe(0)
  })

  it('of a judge leaves the cell unscored and the answer kept', async () => {
    const { client } = await open({ reply: ({ model }) => (model === 'judge' ? slow : undefined) })
    const run = await executeRun({
      suite: suiteOf(1, { scoringMethod: 'llm-judge' }),
      models: ['good'],
      judgeModelId: 'judge',
      client,
      maxTimeMs: 400,
    })
    expect(run.results[0]).toMatchObject({ response: '42', unscored: { code: 'judge-failed' } })
    expect(run.results[0]?.unscored?.message).toContain('--max-time')
  })

  it('of a user’s own client, which ignores its signal, ends after the maximum time too', async () => {
    const client: ClientDefinition = {
      complete: ({ modelId }) =>
        modelId === 'evil' ? new Promise(() => undefined) : Promise.resolve({ response: '42' }),
    }
    const run = await executeRun({ suite: suiteOf(2), models: ['evil', 'good'], client, maxTimeMs: 100 })
    expectOneErrorEach(run, /had not finished its answer after 0\.1 s/, 'timeout')
  })

  it('in the terminal ends after --max-time, which a resume keeps until it is changed', async () => {
    const folder = createFolder()
    const file = join(folder, 'suite.json')
    writeFileSync(file, JSON.stringify(suiteOf(1)))
    let isSlow = true
    const { baseUrl } = await startServer({ reply: () => (isSlow ? slow : undefined) })
    const data = ['--data', join(folder, 'data')]
    const last = ['--base-url', baseUrl, ...data]
    expect(await runCli(['run', file, '--models', 'm', '--max-time', '0.3', ...last])).toMatchObject({
      exitCode: 3,
      out: expect.stringContaining('after 0.3 s'),
    })
    expect(await runCli(['resume', 'latest', ...last])).toMatchObject({ out: expect.stringContaining('after 0.3 s') })
    expect(await runCli(['resume', 'latest', '--max-time', '0.2', ...last])).toMatchObject({
      out: expect.stringContaining('after 0.2 s'),
    })
    isSlow = false
    expect(await runCli(['resume', 'latest', ...last])).toMatchObject({ exitCode: 0 })
  })

  it('of an AI SDK model ends at 32 Mi characters or after the maximum time', async () => {
    const sdkModel = (pauseMs: number, text: string) =>
      ({
        specificationVersion: 'v4',
        provider: 'sdk',
        modelId: 'evil',
        supportedUrls: {},
        doStream: async () => ({
          stream: new ReadableStream({
            async pull(controller) {
              await new Promise((resolve) => setTimeout(resolve, pauseMs))
              controller.enqueue({ type: 'text-delta', id: '1', delta: text })
            },
          }),
        }),
      }) as unknown as SdkLanguageModel
    const options = { suite: suiteOf(1), models: ['evil'], maxTimeMs: 30_000 }
    const large = await executeRun({ ...options, client: createClient({ model: sdkModel(0, 'x'.repeat(1_000_000)) }) })
    expectOneErrorEach(large, /^sdk sent more than 32 MiB/)
    const late = await executeRun({ ...options, client: createClient({ model: sdkModel(5, 'x') }), maxTimeMs: 200 })
    expectOneErrorEach(late, /had not finished its answer after 0\.2 s/, 'timeout')
  })
})

describe('a hostile server behind the vendors’ own packages', () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))
  const createVendorClients = (baseUrl: string) => {
    const keys = { apiKey: 'vendor-key-0123456789', baseUrl }
    return [createAnthropicClient(keys), createGoogleClient(keys)]
  }

  /** Answers every request alike, whatever its path. */
  async function startRaw(head: string, body: Buffer | string) {
    const heads: string[] = []
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (chunk) => {
        heads.push(String(chunk))
        socket.write(head)
        socket.end(body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanUp.push(() => new Promise((resolve) => server.close(resolve)))
    return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heads }
  }

  it.each([true, false])('a compressed reply is counted as it unpacks (streamed: %s)', async (stream) => {
    const { baseUrl } = await startRaw(
      `HTTP/1.1 200 OK\r\ncontent-type: ${stream ? 'text/event-stream' : 'application/json'}\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\nconnection: close\r\n\r\n`,
      bomb,
    )
    for (const client of createVendorClients(baseUrl)) {
      cleanUp.push(() => client.close())
      await expect(
        client.complete({ modelId: 'm', messages: [{ role: 'user', content: 'Hello?' }], parameters: {}, stream }),
      ).rejects.toMatchObject({ message: expect.stringContaining('more than 32 MiB'), retryable: false })
    }
  })

  it('a redirect is not followed, so no key reaches another host', async () => {
    const elsewhere = await startRaw('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n', '')
    for (const status of [301, 302, 307, 308]) {
      const { baseUrl } = await startRaw(
        `HTTP/1.1 ${status} Moved\r\nlocation: ${elsewhere.baseUrl}/x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
        '',
      )
      const own = createClient({ baseUrl, apiKey: 'own-key-0123456789' })
      for (const client of [...createVendorClients(baseUrl), own]) {
        cleanUp.push(() => client.close())
        await expect(
          client.complete({ modelId: 'm', messages: [{ role: 'user', content: 'Hello?' }], parameters: {} }),
        ).rejects.toMatchObject({ kind: 'refused', status })
        await expect(client.listModels()).rejects.toMatchObject({ kind: 'refused', status })
      }
    }
    expect(elsewhere.heads).toEqual([])
  })

  const head = (headers: string) => `HTTP/1.1 200 OK\r\n${headers}connection: close\r\n\r\n`
  it.each([
    ['a megabyte of headers', head(`x-long: ${'x'.repeat(1_000_000)}\r\n`), '', /too many headers/],
    ['a hundred thousand headers', head('x: y\r\n'.repeat(100_000)), '', /too many headers/],
    ['a compressed reply that nobody asked for', head('content-encoding: gzip\r\n'), bomb, /compressed/],
  ])('%s end the request, which is not sent again', async (_name, start, body, message) => {
    const { baseUrl, heads } = await startRaw(start, body)
    const client = createClient({ baseUrl, provider: 'raw' })
    cleanUp.push(() => client.close())
    const run = await executeRun({ suite: suiteOf(1), models: ['evil'], client })
    expectOneErrorEach(run, message)
    expect(heads).toHaveLength(1)
  })

  it('a list of models without end is an error at 32 MiB, and so is one that is nested too deeply', async () => {
    const lists = [Buffer.from(`{"data": ["${'x'.repeat(33 * 1024 * 1024)}`), `{"data": ${'['.repeat(200_000)}`]
    for (const [index, list] of lists.entries()) {
      const { baseUrl } = await startRaw(head(''), list)
      const clients = [createClient({ baseUrl, provider: 'raw' }), ...createVendorClients(baseUrl)]
      for (const client of clients) {
        cleanUp.push(() => client.close())
        await expect(client.listModels()).rejects.toMatchObject({
          kind: 'broken',
          message: expect.stringContaining(index === 0 ? 'more than 32 MiB' : 'did not return JSON'),
        })
      }
    }
  })

  it('odd header names and a web page instead of JSON are an error of the cell', async () => {
    const { baseUrl } = await startRaw(
      head('__proto__: x\r\nconstructor: y\r\ntoString: z\r\n'),
      '<html>Welcome</html>',
    )
    const client = createClient({ baseUrl, provider: 'raw' })
    cleanUp.push(() => client.close())
    await expect(
      client.complete({ modelId: 'm', messages: [{ role: 'user', content: 'Hello?' }], parameters: {} }),
    ).rejects.toMatchObject({ kind: 'broken', message: expect.stringContaining('web page') })
  })

  it('a chunked reply that is cut in the middle is a lost connection', async () => {
    const { baseUrl } = await startRaw(head('transfer-encoding: chunked\r\n'), 'ff\r\n{"choices": [')
    const client = createClient({ baseUrl, provider: 'raw' })
    cleanUp.push(() => client.close())
    await expect(
      client.complete({ modelId: 'm', messages: [{ role: 'user', content: 'Hello?' }], parameters: {}, stream: false }),
    ).rejects.toMatchObject({ kind: 'network', unbilled: undefined })
  })
})

describe('a budget', () => {
  // Each request may cost 1 dollar for its answer, and next to nothing for its prompt.
  const prices = new Map([
    ['m', { prompt: 0, completion: 0.01 }],
    ['judge', { prompt: 0, completion: 1 / 2048 }],
  ])
  const capped = { models: ['m'], prices, parameters: { maxTokens: 100 }, concurrency: 1 }
  const error = (status: number): ScriptedReply => ({ status, headers: JSON_TYPE, pieces: ['{"error": "no"}'] })

  it.each<[name: string, reply: ScriptedReply, sent: number]>([
    ['a server error counts its maximum', error(500), 3],
    [
      'an error inside a 200 counts its maximum',
      { headers: JSON_TYPE, pieces: ['{"error": {"code": 429, "message": "x"}}'] },
      3,
    ],
    ['a cut stream counts its maximum', { pieces: [delta({ content: '4' })], ending: 'destroy' }, 3],
    ['absurd usage counts its maximum', whole('{"prompt_tokens": 1, "completion_tokens": 1, "cost": 1e9}'), 3],
    ['a reply that is too large counts its maximum', { pieces: [''], endless: ' '.repeat(60_000) }, 3],
    ['a refusal counts nothing', error(404), 5],
  ])('%s', async (_name, reply, sent) => {
    const { client, server } = await open({ reply: () => reply })
    const events: unknown[] = []
    const run = await executeRun({
      ...capped,
      suite: suiteOf(5),
      client: {
        ...client,
        complete: (request, options) =>
          client.complete(request, options).catch((failure) => {
            // Retried at once: only the number of requests matters here.
            throw Object.assign(failure, { retryAfterMs: 1 })
          }),
      },
      maxCost: 3.5,
      onEvent: (happened) => events.push(happened),
    })
    expect(server.stats().requests).toBe(sent)
    expect(run.status).toBe(sent === 3 ? 'cancelled' : 'completed')
    if (sent === 3) expect(events).toContainEqual({ type: 'budget-reached', spent: 0, assumed: 3 })
  })

  it('counts a timed-out request at its maximum, and a server that is not there at nothing', async () => {
    const { client, server } = await open({ reply: () => ({ pieces: [''], ending: 'hang' }) })
    const run = await executeRun({ ...capped, suite: suiteOf(5), client, maxCost: 2.5, maxTimeMs: 50 })
    expect([run.status, server.stats().requests]).toEqual(['cancelled', 2])
    await server.close()
    const away = await executeRun({
      ...capped,
      suite: suiteOf(2),
      client: {
        ...client,
        complete: (request) =>
          client.complete(request).catch((failure) => {
            throw Object.assign(failure, { retryAfterMs: 1, retryable: false })
          }),
      },
      maxCost: 1.5,
    })
    expect(away.status).toBe('completed')
    expect(away.results.map(({ error: message }) => message)).toEqual([
      expect.stringContaining('refused the connection'),
      expect.stringContaining('refused the connection'),
    ])
  })

  it('is kept by a resume, which counts what was in flight, judges included', async () => {
    const storage = await openMemory()
    let isHanging = true
    const { client, server } = await open({
      reply: ({ model }) => (model === 'judge' && isHanging ? { pieces: [''], ending: 'hang' } : undefined),
      answer: ({ model }) => (model === 'judge' ? '{"score": 8, "reasoning": "Right."}' : '42'),
      cost: 0.25,
    })
    const controller = new AbortController()
    const suite = suiteOf(4, { scoringMethod: 'llm-judge' })
    const stopped = executeRun({
      ...capped,
      suite,
      client,
      storage,
      judgeModelId: 'judge',
      maxCost: 2.6,
      signal: controller.signal,
    })
    await expect.poll(() => server.stats().byModel['judge']).toBe(1)
    controller.abort()
    const { id } = await stopped
    isHanging = false
    const events: unknown[] = []
    const resumed = await resumeRun(id, { client, storage, prices, onEvent: (happened) => events.push(happened) })
    // 0.25 is known and 1 in flight. After two more requests for 0.25 each, another for 1 would be 2.75 in all.
    expect(resumed.run).toMatchObject({ status: 'cancelled', stopReason: 'budget' })
    expect(events).toContainEqual({ type: 'budget-reached', spent: 0.75, assumed: 1 })
    expect(server.stats().requests).toBe(4)
    expect((await storage.loadRun(id))?.request?.maxCost).toBe(2.6)
    await expect(resumeRun(id, { client, storage, prices, maxCost: 1.75 })).rejects.toThrow(
      'the budget of $1.75 may already be spent: $0.75 is known, and requests whose cost is unknown may have cost up to $1 more',
    )
    expect((await storage.loadRun(id))?.request?.maxCost).toBe(2.6)
  })

  it('counts attempts that were written as started and never ended at their maximum', async () => {
    const storage = await openMemory()
    const { client, server } = await open({ cost: 0.25 })
    const settings = { ...capped, client, storage }
    const run = await executeRun({ ...settings, suite: suiteOf(4), maxCost: 1.1 })
    expect(run).toMatchObject({ status: 'cancelled', stopReason: 'budget' })
    expect(server.stats().requests).toBe(1)
    const unfinished = await storage.loadOpenCells(run.id)
    for (const { cell } of unfinished.slice(0, 2))
      await storage.startAttempt({ ...cell, purpose: 'answer', askedModel: 'm', startedAt: 1 })
    // 0.25 known + 2 × 1 in flight + 1 for the next is 3.25.
    await expect(resumeRun(run.id, { client, storage, prices, maxCost: 2.25 })).rejects.toThrow(/may already be spent/)
    const tight = await resumeRun(run.id, { client, storage, prices, maxCost: 3.2 })
    expect([tight.run.status, server.stats().requests]).toEqual(['cancelled', 1])
    const enough = await resumeRun(run.id, { client, storage, prices, maxCost: 4 })
    expect([enough.run.status, server.stats().requests]).toEqual(['completed', 4])
  })
})

describe('requests for one cell', () => {
  it.each([
    ['in the past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
    ['below 0', { 'retry-after': '-5' }],
    ['of 0', { 'retry-after': '0' }],
    ['of -5 ms', { 'retry-after-ms': '-5' }],
    ['of 1 ms', { 'retry-after-ms': '1' }],
    ['that is no number', { 'retry-after': 'NaN' }],
  ])('with a Retry-After %s never leave all at once', async (_name, headers) => {
    const arrivals: number[] = []
    const { client } = await open({
      reply: () => {
        arrivals.push(performance.now())
        return arrivals.length < 3
          ? { status: 429, headers: { ...JSON_TYPE, ...headers }, pieces: ['{"error": "slow down"}'] }
          : undefined
      },
    })
    const run = await executeRun({ suite: suiteOf(1), models: ['m'], client })
    expect(run.results[0]).toMatchObject({ outcome: 'ok', attempts: 3 })
    // The shortest back-off is 250 ms, and the server does not shorten the second.
    expect(arrivals[2]! - arrivals[1]!).toBeGreaterThanOrEqual(245)
  })

  it('are one, if a user’s own client throws a plain error', async () => {
    let requests = 0
    const client = {
      complete: async () => {
        requests++
        throw new Error('my own mistake')
      },
    }
    const run = await executeRun({ suite: suiteOf(1), models: ['m'], client })
    expect(run.results[0]).toMatchObject({ outcome: 'error', error: 'my own mistake', attempts: 1 })
    expect(requests).toBe(1)
  })

  it.each([
    { status: Number.NaN },
    { status: 1e300 },
    { retryAfterMs: Number.NaN, retryable: true },
    Object.create(null),
  ])('may fail with anything: %j', async (thrown) => {
    let requests = 0
    const client = {
      complete: async () => {
        if (++requests > 1) return { response: '42' }
        throw thrown instanceof Object ? Object.assign(new Error('odd'), thrown) : thrown
      },
    }
    const run = await executeRun({ suite: suiteOf(2), models: ['m'], client, concurrency: 1 })
    expect(run.status).toBe('completed')
    expect(run.results.filter(({ score }) => score?.score === 1).length).toBeGreaterThanOrEqual(1)
  })
})

it('an unknown simulated model is refused in the library before anything is stored', async () => {
  const storage = await openMemory()
  for (const client of [createDemoClient(), () => createDemoClient()])
    await expect(
      executeRun({ suite: suiteOf(1), models: ['demo/good', 'demo/nope'], client, storage }),
    ).rejects.toThrow('demo/nope: no such model\nThe simulated models are demo/good, demo/fair')
  expect(await storage.countRuns()).toBe(0)
})
