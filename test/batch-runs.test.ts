import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunResult, Suite } from '../src/contract/index.ts'
import { createClient, executeRun, openStorage } from '../src/index.ts'
import { createAnthropicClient } from '../src/providers/anthropic.ts'
import type { RunEvent } from '../src/services/index.ts'
import { createRandom } from '../src/statistics/index.ts'
import { startBatchServer, type BatchServer, type BatchServerOptions } from './fakes/batch-server.ts'

const cleanUp: (() => Promise<void> | void)[] = []
afterAll(async () => {
  for (const undo of cleanUp.splice(0)) await undo()
})

async function serve(options: BatchServerOptions = {}): Promise<BatchServer> {
  const server = await startBatchServer({ answer: (prompt) => `${Number(/\d+/.exec(prompt)) + 1}`, ...options })
  cleanUp.push(() => server.close())
  return server
}

const CASES = 12

const suite: Suite = {
  name: 'Next number',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `case-${index}`,
    prompt: `What follows ${index}?`,
    scoringMethod: 'exact-match',
    expectedOutput: `${index + 1}`,
    weight: 1,
  })),
}

const interfaces = [
  ['OpenAI', ({ baseUrl }: BatchServer) => createClient({ baseUrl, apiKey: 'key-of-openai' })],
  ['Anthropic', ({ baseUrl }: BatchServer) => createAnthropicClient({ baseUrl, apiKey: 'key-of-anthropic' })],
] as const

const scoresOf = ({ results }: RunResult) => results.map(({ score }) => score?.score)
const allRight = Array(CASES).fill(1)

// At once: each waits for its provider most of the time.
describe.concurrent.each(interfaces)('a run in batches with the interface of %s', (name, connect) => {
  it('hands in one batch a model, says what the provider says, and costs half', async () => {
    // Long enough to be looked at before it is done, on a busy machine too.
    const batchMs = 1500
    const server = await serve({ batchMs })
    const events: RunEvent[] = []
    const run = await executeRun({
      suite,
      models: ['large', 'small'],
      client: connect(server),
      prices: new Map([
        ['large', { prompt: 0.001, completion: 0.002 }],
        ['small', { prompt: 0.001, completion: 0.002 }],
      ]),
      maxCost: 100,
      batch: true,
      onEvent: (event) => events.push(event),
    })
    expect(scoresOf(run)).toEqual([...allRight, ...allRight])
    expect(server.batches.map(({ entries }) => entries.length)).toEqual([CASES, CASES])
    // 10 tokens in and 5 out, at half of 0.001 and 0.002 dollars.
    expect(run.results.map(({ cost }) => cost)).toEqual(Array(2 * CASES).fill(0.01))
    expect(run.results.every(({ latencyMs = 0 }) => latencyMs >= batchMs)).toBe(true)
    expect(events.filter(({ type }) => type === 'batch-submitted')).toHaveLength(2)
    expect(events.find((event) => event.type === 'batch-looked-at')).toMatchObject({
      status: 'in progress',
      done: 0,
      total: CASES,
    })
  })

  it('asks again for what expired or failed in the batch, and only for that', async () => {
    const server = await serve({
      entryFault: (prompt, seen) =>
        seen > 0 ? undefined : prompt.includes(' 3?') ? 'expired' : prompt.includes(' 5?') ? 'server error' : undefined,
    })
    const run = await executeRun({ suite, models: ['m'], client: connect(server), batch: true })
    expect(scoresOf(run)).toEqual(allRight)
    expect([...server.billed.values()]).toEqual(Array(CASES).fill(1))
    expect(server.batches[0]!.entries).toHaveLength(CASES)
    expect(server.batches.slice(1).reduce((sum, { entries }) => sum + entries.length, 0)).toBe(2)
  })

  it.each([
    ['none', undefined],
    ['negative', { prompt_tokens: -10, completion_tokens: -5, input_tokens: -10, output_tokens: -5 }],
    ['broken', { prompt_tokens: 1.5, completion_tokens: 'x', input_tokens: 1.5, output_tokens: 'x' }],
  ])('usage that is %s leaves the cost unknown, the answers scored and the budget kept', async (_name, usage) => {
    const server = await serve({ usage })
    const run = await executeRun({
      suite,
      models: ['m'],
      client: connect(server),
      prices: new Map([['m', { prompt: 0.001, completion: 0.002 }]]),
      maxCost: 1000,
      batch: true,
    })
    expect(scoresOf(run)).toEqual(allRight)
    expect(run.results.map(({ cost }) => cost)).toEqual(Array(CASES).fill(undefined))
  })

  it('takes each result once, whatever else the results hold, and asks again for those that are missing', async () => {
    const server = await serve({
      counts: { total: -3, completed: 1e300, processing: -7, succeeded: 1e300 },
      resultLines: (lines, batch) => [
        'not an object',
        null,
        { custom_id: 'of someone else' },
        { custom_id: 7, response: { status_code: 'x' }, result: { type: 'succeeded' } },
        ...(batch === 0 ? lines.slice(2) : lines),
        ...lines.slice(4, 6),
      ],
    })
    const run = await executeRun({ suite, models: ['m'], client: connect(server), batch: true })
    expect(scoresOf(run)).toEqual(allRight)
    // On a busy machine, each of the two that are missing may be in a batch of its own.
    const [first, ...rest] = server.batches.map(({ entries }) => entries.length)
    expect([first, rest.reduce((sum, count) => sum + count, 0)]).toEqual([CASES, 2])
  })

  it.each([
    ['the reply to the submission is lost', { submit: 'lost reply' }],
    ['the server is away while it is asked for the state', { look: 'server error' }],
    ['the results break off in the middle', { collect: 'cut' }],
  ] as const)(
    'pays once although %s',
    async (_name, faults: Partial<Record<string, 'lost reply' | 'server error' | 'cut'>>) => {
      const server = await serve({ callFault: (call, count) => (count === 0 ? faults[call] : undefined) })
      const run = await executeRun({ suite, models: ['m'], client: connect(server), batch: true })
      expect(scoresOf(run)).toEqual(allRight)
      expect(server.batches).toHaveLength(1)
      expect([...server.billed.values()]).toEqual(Array(CASES).fill(1))
    },
  )

  it('does not take the answers of another run when its own submission fails', async () => {
    const server = await serve({
      callFault: (call, count) => (call === 'submit' && count === 1 ? 'server error' : undefined),
    })
    for (let run = 0; run < 2; run++)
      expect(scoresOf(await executeRun({ suite, models: ['m'], client: connect(server), batch: true }))).toEqual(
        allRight,
      )
    expect(server.batches).toHaveLength(2)
    expect([...server.billed.values()]).toEqual(Array(CASES).fill(2))
  })

  it('ends with the words of a server that has no batches or refuses the key', async () => {
    for (const fault of ['missing', 'forbidden'] as const) {
      const server = await serve({ callFault: () => fault })
      const run = await executeRun({ suite, models: ['m'], client: connect(server), batch: true })
      expect(new Set(run.results.map(({ error }) => error))).toEqual(
        new Set([
          expect.stringMatching(
            fault === 'missing'
              ? /404: planned missing\. This endpoint has no batches: run without them\.$/
              : /401: planned forbidden/,
          ),
        ]),
      )
      expect(server.calls.get(name === 'OpenAI' ? 'upload' : 'submit')).toBe(1)
    }
  })

  it('judges in batches too', async () => {
    const server = await serve({
      answer: (prompt) => (prompt.includes('score') ? '{"score": 8, "reasoning": "fine"}' : 'text'),
    })
    const judged: Suite = {
      ...suite,
      testCases: suite.testCases.map(({ id, prompt }) => ({ id, prompt, scoringMethod: 'llm-judge', weight: 1 })),
    }
    const run = await executeRun({
      suite: judged,
      models: ['m'],
      client: connect(server),
      judgeModelId: 'j',
      batch: true,
    })
    expect(scoresOf(run)).toEqual(Array(CASES).fill(0.8))
    expect(server.batches.map(({ entries }) => entries.length)).toEqual([CASES, CASES])
  })
})

it('a parameter that the model does not support is left out in the next batch', async () => {
  const server = await serve({ entryFault: (_prompt, seen) => (seen === 0 ? 'refused parameter' : undefined) })
  const client = createClient({ baseUrl: server.baseUrl })
  const run = await executeRun({ suite, models: ['m'], client, parameters: { temperature: 0.2 }, batch: true })
  expect(scoresOf(run)).toEqual(allRight)
  const [first, second] = server.batches.map(({ entries }) => entries[0]!.body['temperature'])
  expect([first, second]).toEqual([0.2, undefined])
})

it('a model without batches is refused before anything is stored', async () => {
  const storage = await openStorage({ file: ':memory:' })
  const client = { complete: async () => ({ response: 'x' }) as never }
  await expect(executeRun({ suite, models: ['m'], client, batch: true, storage })).rejects.toThrow(
    /has no batches here: leave out --batch/,
  )
  expect(await storage.countRuns()).toBe(0)
  await storage.close()
})

describe('real processes', () => {
  const program = join(import.meta.dirname, '..', 'dist', 'cli.js')

  function start(args: string[], folder: string) {
    const child = spawn(process.execPath, [program, ...args, '--json'], {
      cwd: folder,
      env: { ...process.env, BENCHMAKER_HOME: join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (err += chunk))
    return {
      child,
      ended: new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
        child.on('close', (code) => resolve({ code, out, err })),
      ),
    }
  }

  it('killed at any moment and resumed, a run waits for its batch and pays nothing twice', async () => {
    const server = await serve({ batchMs: 2500 })
    const folder = mkdtempSync(join(tmpdir(), 'benchmaker-batch-'))
    cleanUp.push(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'suite.json'), JSON.stringify(suite))
    const random = createRandom('batch')
    const run = ['run', 'suite.json', '--models', 'm', '--base-url', server.baseUrl, '--batch']
    let args = run
    for (let kills = 0; kills < 3; kills++) {
      const { child, ended } = start(args, folder)
      const timer = setTimeout(() => child.kill('SIGKILL'), 300 + random() * 1200)
      await ended
      clearTimeout(timer)
      const { out } = await start(['list'], folder).ended
      const isStored = JSON.parse(out).runs.length > 0
      args = isStored ? ['resume', 'latest', '--base-url', server.baseUrl] : run
    }
    const { code, out, err } = await start(args, folder).ended
    expect([code, err]).toEqual([0, expect.any(String)])
    expect(JSON.parse(out).runs).toHaveLength(1)
    expect(scoresOf(JSON.parse(out).runs[0])).toEqual(allRight)
    expect([...server.billed.values()]).toEqual(Array(CASES).fill(1))
  })

  it('stopped with Ctrl-C, the batch goes on and a resume collects it', async () => {
    const server = await serve({ batchMs: 1500 })
    const folder = mkdtempSync(join(tmpdir(), 'benchmaker-batch-'))
    cleanUp.push(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'suite.json'), JSON.stringify(suite))
    const first = start(['run', 'suite.json', '--models', 'm', '--base-url', server.baseUrl, '--batch'], folder)
    first.child.stderr.on('data', (text) => String(text).includes('has taken batch') && first.child.kill('SIGINT'))
    const stopped = await first.ended
    expect([stopped.code, stopped.err]).toEqual([130, expect.stringContaining('benchmaker resume latest')])
    const resumed = await start(['resume', 'latest', '--base-url', server.baseUrl], folder).ended
    expect([resumed.code, scoresOf(JSON.parse(resumed.out).runs[0])]).toEqual([0, allRight])
    expect(server.batches).toHaveLength(1)
  })
})
