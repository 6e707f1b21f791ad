import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { composeServer } from '../src/cli/compose-server.ts'
import { runCli } from '../src/cli/testing/run-cli.ts'
import {
  buildReport,
  createClient,
  executeRun,
  openStorage,
  rescoreRun,
  resumeRun,
  scoreResponse,
  type Client,
  type ClientDefinition,
  type RunResult,
  type Suite,
} from '../src/index.ts'
import type { RunEstimate } from '../src/server/runs/estimate.ts'
import { startServer } from '../src/server/testing/started-server.ts'
import {
  EMBEDDING_FAULTS,
  listInputs,
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type ModelServerOptions,
} from './fakes/model-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-similar-'))
const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of cleanUp.splice(0).reverse()) await close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CASES = 3
const suiteOf = (fields: Record<string, unknown> = {}): Suite => ({
  name: 'Meaning',
  embeddingModel: 'embedder',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'similar',
    expectedOutput: `the right answer to number ${index}`,
    weight: 1,
    ...fields,
  })),
})

const answer = ({ prompt, model }: ChatRequest) =>
  model === 'good' ? `the right answer to number ${/\d+/.exec(prompt)![0]}` : 'nobody knows such things today'

async function open(options: ModelServerOptions = {}): Promise<{ server: ModelServer; client: Client }> {
  const server = await startModelServer({ answer, ...options })
  const client = createClient({ baseUrl: server.baseUrl, provider: 'test' })
  cleanUp.push(
    () => server.close(),
    () => client.close(),
  )
  return { server, client }
}

async function openDatabase() {
  const storage = await openStorage({ file: ':memory:' })
  cleanUp.push(() => storage.close())
  return storage
}

const embeddingRequests = ({ requests }: ModelServer) =>
  requests.filter(({ path }) => path.endsWith('/embeddings')).map(({ body }) => listInputs(body))

const scoresOf = ({ results }: RunResult, model: string) =>
  results.filter(({ modelId }) => modelId === model).map(({ score }) => score?.score)

describe('a run scored by embeddings', () => {
  it('scores by similarity, embeds each expected text once, and pays by the price table', async () => {
    const { client, server } = await open()
    const storage = await openDatabase()
    const prices = new Map([
      ['good', { prompt: 0, completion: 0 }],
      ['bad', { prompt: 0, completion: 0 }],
      ['embedder', { prompt: 1e-6, completion: 0 }],
    ])
    const run = await executeRun({ suite: suiteOf(), models: ['good', 'bad'], client, storage, prices })
    for (const score of scoresOf(run, 'good')) expect(score).toBeCloseTo(1, 12)
    for (const score of scoresOf(run, 'bad')) expect(score).toBeLessThan(0.75)
    const asked = embeddingRequests(server)
    expect(asked).toHaveLength(2 * CASES)
    for (let index = 0; index < CASES; index++)
      expect(
        asked.filter((texts) => texts.length === 2 && texts[0] === `the right answer to number ${index}`),
      ).toHaveLength(1)

    const attempts = (await storage.loadAttempts(run.id)).filter(({ purpose }) => purpose === 'judge')
    expect(attempts).toHaveLength(2 * CASES)
    for (const { askedModel, end } of attempts) {
      expect(askedModel).toBe('embedder')
      expect(end).toMatchObject({ outcome: 'ok', completionTokens: 0 })
      expect(end!.cost).toBeCloseTo(end!.promptTokens! * 1e-6, 12)
    }
    const { rows } = buildReport(run)
    expect(rows.map(({ modelId }) => modelId)).toEqual(['good', 'bad'])
  })

  // A cut connection is retried for seconds before it fails like the others.
  it.each(EMBEDDING_FAULTS.filter((fault) => fault !== 'cut'))(
    'keeps every answer and says why when the server sends %j',
    async (fault) => {
      const { client } = await open({ embeddingFault: () => fault })
      const run = await executeRun({ suite: suiteOf(), models: ['good'], client, timeoutMs: 5000 })
      expect(run.status).toBe('completed')
      expect(run.results).toHaveLength(CASES)
      for (const { response, score, unscored, error } of run.results) {
        expect(response).toMatch(/^the right answer/)
        expect([score, error]).toEqual([undefined, undefined])
        expect(unscored).toMatchObject({ code: 'embedding-failed', message: expect.stringMatching(/embedding/) })
      }
    },
  )

  it('waits as it is told after a 429, and scores', async () => {
    const refused = new Set<string>()
    const { client } = await open({
      reply: ({ path, prompt }) => {
        if (!path.endsWith('/embeddings') || refused.has(prompt)) return undefined
        refused.add(prompt)
        return { status: 429, headers: { 'retry-after-ms': '20' }, pieces: ['{"error": {"message": "slow down"}}'] }
      },
    })
    const run = await executeRun({ suite: suiteOf(), models: ['good'], client })
    expect(refused.size).toBe(CASES)
    for (const score of scoresOf(run, 'good')) expect(score).toBeCloseTo(1, 12)
  })

  it('is scored on resume without asking the model again, and then complete', async () => {
    let isDown = true
    const { client, server } = await open({ embeddingFault: () => (isDown ? 'error in 200' : undefined) })
    const storage = await openDatabase()
    const run = await executeRun({ suite: suiteOf(), models: ['good'], client, storage })
    expect(run.results.map(({ unscored }) => unscored?.code)).toEqual(Array(CASES).fill('embedding-failed'))
    const asked = server.requests.filter(({ path }) => path.endsWith('/chat/completions')).length
    isDown = false
    const resumed = await resumeRun(run.id, { client, storage })
    expect(resumed).toMatchObject({ asked: 0, retried: 0, scored: CASES })
    for (const score of scoresOf(resumed.run, 'good')) expect(score).toBeCloseTo(1, 12)
    expect(server.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(asked)
    server.reset()
    expect(await resumeRun(run.id, { client, storage })).toMatchObject({ asked: 0, scored: 0 })
    expect(server.requests).toEqual([])
  })

  it('so is a cell whose judge could not be reached', async () => {
    let isDown = true
    const client: ClientDefinition = {
      complete: async ({ modelId }) => {
        if (modelId !== 'judge') return { response: '42' }
        if (isDown) throw new Error('no route to the judge')
        return { response: '{"score": 9, "reasoning": "fine"}' }
      },
    }
    const storage = await openDatabase()
    const suite = suiteOf({ scoringMethod: 'llm-judge' })
    const run = await executeRun({ suite, models: ['good'], judgeModelId: 'judge', client, storage })
    expect(run.results[0]?.unscored?.code).toBe('judge-failed')
    isDown = false
    const { run: finished, scored } = await resumeRun(run.id, { client, storage })
    expect([scored, ...scoresOf(finished, 'good')]).toEqual([CASES, 0.9, 0.9, 0.9])
  })

  it('is rescored with another embedding model, which alone is asked', async () => {
    const { client, server } = await open()
    const storage = await openDatabase()
    const run = await executeRun({ suite: suiteOf(), models: ['good'], client, storage })
    server.reset()
    const suite = { ...suiteOf(), embeddingModel: 'other' }
    const { run: rescored } = await rescoreRun(run.id, { client, storage, suite })
    expect(rescored.id).not.toBe(run.id)
    expect(server.stats().byModel).toEqual({ other: CASES })
    for (const { score } of rescored.results) expect(score?.notes).toContain('other')
  })

  it('stops at the budget, which counts embeddings', async () => {
    const { client } = await open()
    const prices = new Map([
      ['good', { prompt: 0, completion: 0 }],
      ['embedder', { prompt: 0.01, completion: 0 }],
    ])
    const run = await executeRun({ suite: suiteOf(), models: ['good'], client, prices, maxCost: 0.2, concurrency: 1 })
    expect(run).toMatchObject({ status: 'cancelled', stopReason: 'budget' })
    const scored = run.results.filter(({ score }) => score).length
    expect(scored).toBeGreaterThan(0)
    expect(scored).toBeLessThan(CASES)
    const unpriced = {
      suite: suiteOf(),
      models: ['good'],
      client,
      maxCost: 1,
      prices: new Map([...prices].slice(0, 1)),
    }
    await expect(executeRun(unpriced)).rejects.toThrow('the price of embedder is unknown')
  })
})

describe('scoreResponse', () => {
  const testCase = { scoringMethod: 'similar', expectedOutput: 'a b', embeddingModel: 'mine' }

  it('asks the client for embeddings, and needs no judge', async () => {
    const client: ClientDefinition = {
      complete: async ({ modelId, embed = [] }) => ({
        response: '',
        embeddings: embed.map((text) => [modelId === 'mine' ? 1 : 0, text.length]),
      }),
    }
    expect((await scoreResponse(testCase, 'a b', { client })).score).toBeCloseTo(1, 12)
    await expect(scoreResponse(testCase, 'a b')).rejects.toThrow('there is no client for it')
    const judged = scoreResponse({ scoringMethod: 'llm-judge' }, 'a', { client })
    await expect(judged).rejects.toThrow('llm-judge needs a judge model')
  })

  it('is unscored if the client returns no embeddings', async () => {
    const client: ClientDefinition = { complete: async () => ({ response: 'what?' }) }
    await expect(scoreResponse(testCase, 'a b', { client })).rejects.toMatchObject({
      code: 'embedding-failed',
      message: expect.stringContaining('it has no embeddings'),
    })
  })
})

describe('terminal and web app', () => {
  const demoSuite = { ...suiteOf(), embeddingModel: 'demo/embedding' }
  const place = (suite: object, name = 'suite.json') => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(suite))
    return file
  }

  it('count the requests, tokens and cost of embeddings alike, before anything is sent', async () => {
    const app = await startServer({ compose: composeServer, dataFolder: join(folder, 'estimate') })
    cleanUp.push(() => app.close())
    const { id: suiteId } = await app.send<{ id: string }>('POST', '/api/suites', { suite: demoSuite })
    const models = ['demo/good', 'demo/fair']
    const parameters = { maxTokens: 100 }
    const shown = await app.send<RunEstimate>('POST', '/api/estimate', { suiteId, models, repeat: 2, parameters })
    const args = ['run', place(demoSuite), '--models', models.join(','), '--repeat', '2', '--max-tokens', '100']
    const { out, err, exitCode } = await runCli([...args, '--dry-run', '--json', '--data', app.dataFolder])
    expect(exitCode).toBe(0)
    const printed = JSON.parse(out)
    const [embedding] = shown.embeddings
    expect(embedding).toMatchObject({ modelId: 'demo/embedding', requests: 2 * 2 * CASES })
    // Two models, two runs, three answers of 100 tokens and expected texts of seven words or so.
    expect(embedding!.promptTokens).toBeGreaterThan(12 * 100)
    expect(embedding!.promptTokens).toBeLessThan(12 * 120)
    expect(embedding!.cost).toBeCloseTo(embedding!.promptTokens * 2e-8, 12)
    expect(printed.embeddings).toEqual(shown.embeddings)
    expect([printed.requests, printed.mostRequests, printed.cost]).toEqual([
      shown.requests,
      shown.mostRequests,
      shown.cost,
    ])
    expect(shown.requests).toBe(2 * 2 * CASES * 2)
    expect(err).toMatch(/demo\/embedding \(embeddings\) +12/)
  })

  it('run it, resume it and rescore it without a key, with a simulated model', async () => {
    const app = await startServer({ compose: composeServer, dataFolder: join(folder, 'run') })
    cleanUp.push(() => app.close())
    const { id: suiteId } = await app.send<{ id: string }>('POST', '/api/suites', { suite: demoSuite })
    const { runId } = await app.send<{ runId: string }>('POST', '/api/runs', { suiteId, models: ['demo/good'] })
    await app.watch(`/api/runs/${runId}/events`).rest()
    const { out } = await runCli(['rescore', runId, '--json', '--data', app.dataFolder])
    expect(out).toContain('demo/good')
    const storage = await openStorage({ file: join(app.dataFolder, 'benchmaker.db') })
    cleanUp.push(() => storage.close())
    const run = (await storage.loadRun(runId))!
    expect(run.results).toHaveLength(CASES)
    for (const { score } of run.results) expect(score?.notes).toContain('demo/embedding, simulated')
  })

  it('resume a run whose embedding model was down, from either door, at a named endpoint with its own key', async () => {
    let isDown = true
    const { server } = await open({ embeddingFault: () => (isDown ? 'not JSON' : undefined) })
    const app = await startServer({ compose: composeServer, dataFolder: join(folder, 'resume') })
    cleanUp.push(() => app.close())
    const key = 'lab-key-123456'
    await app.send('PUT', '/api/settings/endpoints/lab', { name: 'lab', baseUrl: server.baseUrl, key })
    const suite = { ...suiteOf(), embeddingModel: 'lab/embedder' }
    const { id: suiteId } = await app.send<{ id: string }>('POST', '/api/suites', { suite })
    const start = { suiteId, models: ['lab/good'] }
    const runs: string[] = []
    for (const _door of ['web', 'terminal']) {
      const { runId } = await app.send<{ runId: string }>('POST', '/api/runs', start)
      await app.watch(`/api/runs/${runId}/events`).rest()
      runs.push(runId)
    }
    const cellsOf = async () => {
      const listed = await app.get<{ runs: { id: string; cells: object }[] }>('/api/runs')
      return runs.map((runId) => listed.runs.find(({ id }) => id === runId)!.cells)
    }
    expect(await cellsOf()).toEqual(Array(2).fill(expect.objectContaining({ scored: 0, unscored: CASES, errors: 0 })))
    isDown = false
    server.reset()
    await app.send('POST', `/api/runs/${runs[0]}/resume`, {})
    await app.watch(`/api/runs/${runs[0]}/events`).rest()
    expect((await runCli(['resume', runs[1]!, '--data', app.dataFolder])).exitCode).toBe(0)
    expect(await cellsOf()).toEqual(Array(2).fill(expect.objectContaining({ scored: CASES, unscored: 0 })))
    expect(server.stats().byModel).toEqual({ embedder: 2 * CASES })
    for (const { headers } of server.requests) expect(headers['authorization']).toBe(`Bearer ${key}`)
  })

  it('refuse a model that cannot embed, or has no key, before anything is sent', async () => {
    const run = (embeddingModel: string) =>
      runCli(['run', place({ ...demoSuite, embeddingModel }), '--models', 'demo/good', '--data', join(folder, 'none')])
    expect((await run('demo/good')).err).toContain('"demo/good" gives no embeddings')
    expect((await run('openai/text-embedding-3-small')).err).toContain('no key')
  })

  it('transform an answer before an embedding model and a judge read it', async () => {
    const { server } = await open({
      answer: ({ model }) => (model === 'judge' ? '{"score": 7, "reasoning": "fine"}' : '<b>the right answer</b>'),
    })
    const graded = (check: object, code: string) => ({
      scoringMethod: 'javascript',
      transform: [code],
      check,
      passAt: 0.5,
    })
    const clean = 'output.replace(/<[^>]*>/g, "")'
    const suite = {
      name: 'Transformed',
      embeddingModel: 'embedder',
      testCases: [
        {
          id: 'one',
          prompt: '?',
          checks: [
            graded({ scoringMethod: 'similar', expectedOutput: 'the right answer' }, clean),
            graded({ scoringMethod: 'similar', expectedOutput: 'the right answer', negate: true }, clean),
            graded({ scoringMethod: 'llm-judge' }, 'output.toUpperCase()'),
            graded({ scoringMethod: 'similar', expectedOutput: 'x' }, 'JSON.parse(output).none'),
          ],
        },
      ],
    }
    const args = ['run', place(suite, 'code.json'), '--models', 'good', '--judge', 'judge', '--allow-code', '--json']
    const { exitCode, err } = await runCli([...args, '--base-url', server.baseUrl, '--data', join(folder, 'code')])
    expect([exitCode, err]).toEqual([0, expect.any(String)])
    const storage = await openStorage({ file: join(folder, 'code', 'benchmaker.db') })
    cleanUp.push(() => storage.close())
    const stored = await storage.loadRun((await storage.findRuns('latest'))[0]!)
    const checks = stored!.results[0]!.score!.checks!
    expect(checks.map(({ score }) => Math.round(score * 1000) / 1000)).toEqual([1, 0, 0.7, 0])
    expect(checks[3]!.notes).toMatch(/SyntaxError/)
    expect(embeddingRequests(server)).toEqual([['the right answer', 'the right answer'], ['the right answer']])
    expect(server.requests.find(({ model }) => model === 'judge')!.prompt).toContain('<B>THE RIGHT ANSWER</B>')
  })

  it('take embeddings from the cache text by text, whoever asks first', async () => {
    const { server } = await open()
    const base = ['run', place(suiteOf()), '--base-url', server.baseUrl, '--cache', '--data', join(folder, 'cache')]
    expect((await runCli([...base, '--models', 'good'])).exitCode).toBe(0)
    expect(server.stats().byModel['embedder']).toBe(CASES)
    server.reset()
    expect((await runCli([...base, '--models', 'bad,good'])).exitCode).toBe(0)
    expect(server.stats().byModel['good']).toBeUndefined()
    // Equal answers that are scored at the same time may each be embedded.
    const embedded = embeddingRequests(server).flat()
    expect(new Set(embedded)).toEqual(new Set(['nobody knows such things today']))
    expect(embedded.length).toBeLessThanOrEqual(CASES)
  })
})
