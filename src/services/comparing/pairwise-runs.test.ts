import { describe, expect, it } from 'vitest'
import {
  ClientError,
  runRequestSchema,
  type Client,
  type ModelRequest,
  type RunResult,
  type Suite,
} from '../../contract/index.ts'
import { createScoring } from '../../scoring/index.ts'
import { openStorage } from '../../storage/index.ts'
import { estimateRun } from '../estimate.ts'
import { prepareRun } from '../prepare.ts'
import { executeRun, rescoreRun, resumeRun, type EngineTools } from '../run-with-client.ts'

const suite: Suite = {
  name: 'Compared',
  testCases: ['one', 'two'].map((id) => ({ id, prompt: `Task ${id}`, scoringMethod: 'pairwise', weight: 1 })),
}

const STRENGTH: Record<string, number> = { strong: 3, middle: 2, weak: 1 }

function partOf(name: string, request: ModelRequest): string {
  return new RegExp(`<<<${name} (\\w+)>>>\\n([\\s\\S]*?)\\n<<<END ${name} \\1>>>`).exec(
    String(request.messages.at(-1)!.content),
  )![2]!
}

interface Script {
  /** Models that fail, by name. */
  failing?: Set<string>
  /** Called before each judge call. */
  onJudge?: (count: number) => void
}

/** Models that answer with their name, and a judge that prefers the stronger. */
function createModels({ failing = new Set(), onJudge }: Script = {}) {
  const asked: ModelRequest[] = []
  const judged: string[] = []
  const client: Client = {
    provider: 'scripted',
    async complete(request) {
      asked.push(request)
      const { modelId } = request
      const common = { outcome: 'ok' as const, latencyMs: 1, promptTokens: 10, completionTokens: 10 }
      if (!modelId.startsWith('judge')) {
        if (failing.has(modelId)) throw new ClientError('refused', 'no such model', { status: 404 })
        return { ...common, response: `I am ${modelId}` }
      }
      onJudge?.(judged.length)
      const [first, second] = [partOf('FIRST', request), partOf('SECOND', request)]
      judged.push(`${modelId}: ${first} / ${second}`)
      const lead = STRENGTH[first.slice(5)]! - STRENGTH[second.slice(5)]!
      const winner = modelId === 'judge-of-first' ? 'first' : lead > 0 ? 'first' : 'second'
      return { ...common, completionTokens: 2000, response: JSON.stringify({ winner, reasoning: 'because' }) }
    },
    listModels: async () => [],
    close: async () => {},
  }
  return { client, asked, judged }
}

async function createTools(): Promise<EngineTools> {
  let ids = 0
  let time = 1000
  let drawn = 0
  return {
    storage: await openStorage({ file: ':memory:' }),
    scoring: createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: Math.random }),
    clock: { now: () => ++time, sleep: async () => {} },
    random: () => (++drawn % 97) / 97,
    createId: () => `run-${++ids}`,
    countTokens: (text) => text.length,
    versions: {},
  }
}

const models = ['strong', 'middle', 'weak']
const scoresOf = ({ results }: RunResult) =>
  Object.fromEntries(
    results.map(({ testCaseId, modelId, score, unscored, outcome }) => [
      `${testCaseId} ${modelId}`,
      score?.score ?? unscored?.code ?? outcome,
    ]),
  )

describe('a run that compares answers in pairs', () => {
  it('scores each answer by the share of its comparisons won, in both orders', async () => {
    const { client, judged } = createModels()
    const run = await executeRun({ suite, models, client, judgeModelId: 'judge' }, await createTools())
    expect(scoresOf(run)).toEqual({
      'one strong': 1,
      'one middle': 0.5,
      'one weak': 0,
      'two strong': 1,
      'two middle': 0.5,
      'two weak': 0,
    })
    // 2 cases × 3 pairs × 2 orders.
    expect(judged).toHaveLength(12)
    expect(new Set(judged).size).toBe(6)
    const middle = run.results.find(({ modelId }) => modelId === 'middle')!.score!
    expect(middle.comparisons).toMatchObject([
      { opponentId: 'strong', score: 0, judges: [{ judgeModelId: 'judge', score: 0, isConsistent: true }] },
      { opponentId: 'weak', score: 1 },
    ])
    expect(run.versions).toMatchObject({ judgePrompt: 'pairwise/1' })
    expect(run.results.every(({ cost, attempts }) => cost === undefined && attempts === 1)).toBe(true)
  })

  it('ties where the result changes with the order, and combines a panel', async () => {
    const { client } = createModels()
    const settings = { suite, models: ['strong', 'weak'], client, judgeModelId: ['judge', 'judge-of-first'] }
    const run = await executeRun(settings, await createTools())
    expect(scoresOf(run)).toMatchObject({ 'one strong': 0.75, 'one weak': 0.25 })
    expect(run.results[0]!.score!.judges).toMatchObject([
      { judgeModelId: 'judge', score: 1 },
      { judgeModelId: 'judge-of-first', score: 0.5 },
    ])
  })

  it('leaves out the pairs of a model that failed; a resume asks it and compares only what is new', async () => {
    const failing = new Set(['middle'])
    const { client, judged } = createModels({ failing })
    const tools = await createTools()
    const run = await executeRun({ suite, models, client, judgeModelId: 'judge' }, tools)
    expect(scoresOf(run)).toMatchObject({ 'one strong': 1, 'one middle': 'error', 'one weak': 0 })
    expect(judged).toHaveLength(4)
    failing.clear()
    const resumed = await resumeRun(run.id, { client }, tools)
    expect(resumed).toMatchObject({ retried: 2, asked: 2, scored: 0 })
    expect(scoresOf(resumed.run)).toMatchObject({ 'one strong': 1, 'one middle': 0.5, 'one weak': 0 })
    expect(judged).toHaveLength(12)
  })

  it('has no score for an answer that nothing can be compared with', async () => {
    const { client } = createModels({ failing: new Set(['middle', 'weak']) })
    const run = await executeRun({ suite, models, client, judgeModelId: 'judge' }, await createTools())
    expect(scoresOf(run)).toMatchObject({ 'one strong': 'not-compared', 'one weak': 'error' })
  })

  it('can be cancelled while it compares; a resume pays for no pair twice', async () => {
    const cancel = new AbortController()
    const { client, judged } = createModels({ onJudge: (count) => count === 3 && cancel.abort() })
    const tools = await createTools()
    const settings = { suite, models, client, judgeModelId: 'judge', concurrency: 1, signal: cancel.signal }
    const run = await executeRun(settings, tools)
    expect(run.status).toBe('cancelled')
    expect(run.results.filter(({ score }) => score)).toEqual([])
    expect(
      run.results.filter(({ unscored }) => unscored).every(({ unscored }) => unscored!.code === 'not-compared'),
    ).toBe(true)
    const before = judged.length
    const resumed = await resumeRun(run.id, { client }, tools)
    expect(scoresOf(resumed.run)).toMatchObject({ 'one strong': 1, 'one middle': 0.5, 'two weak': 0 })
    const stored = Math.floor(before / 2) * 2
    expect(judged.length).toBeLessThanOrEqual(before + 12 - stored + 2)
    expect(resumed.run.status).toBe('completed')
  })

  it.each([1, 2, 4])('finishes a case of which only %d scores were stored, without asking again', async (stored) => {
    const { client, judged, asked } = createModels()
    const tools = await createTools()
    const { storage } = tools
    let saved = 0
    const breaking: EngineTools['storage'] = {
      ...storage,
      saveScore: async (cell, score) => {
        if (saved++ === stored) throw new Error('the disk is full')
        if (saved <= stored) await storage.saveScore(cell, score)
      },
    }
    const run = executeRun(
      { suite, models, client, judgeModelId: 'judge', concurrency: 1 },
      { ...tools, storage: breaking },
    )
    await expect(run).rejects.toThrow('the disk is full')
    const [before, questions] = [judged.length, asked.length - judged.length]
    const resumed = await resumeRun('run-1', { client, takeOver: true }, tools)
    expect(scoresOf(resumed.run)).toMatchObject({ 'one strong': 1, 'one middle': 0.5, 'two strong': 1, 'two weak': 0 })
    expect(judged.length).toBe(Math.max(before, 12))
    expect(asked.length - judged.length).toBe(Math.max(questions, 6))
  })

  it('stops at its budget, judge calls included', async () => {
    const { client, judged } = createModels()
    const prices = new Map([...models, 'judge'].map((model) => [model, { prompt: 1e-6, completion: 1e-6 }]))
    const tools = await createTools()
    const run = await executeRun(
      { suite, models, client, judgeModelId: 'judge', prices, maxCost: 0.01, concurrency: 1 },
      tools,
    )
    expect(run).toMatchObject({ status: 'cancelled', stopReason: 'budget' })
    expect(judged.length).toBeLessThan(12)
    const [summary] = await tools.storage.listRuns({ ids: [run.id] })
    expect(summary!.cost).toBeLessThanOrEqual(0.01)
    const resumed = await resumeRun(run.id, { client, prices, maxCost: 10 }, tools)
    expect(scoresOf(resumed.run)).toMatchObject({ 'two strong': 1, 'two middle': 0.5 })
  })

  it('is rescored with another judge as a new run, and in place with every pair judged again', async () => {
    const { client, judged } = createModels()
    const tools = await createTools()
    const run = await executeRun({ suite, models, client, judgeModelId: 'judge' }, tools)
    const { run: copy } = await rescoreRun(run.id, { client, judgeModelId: 'judge-of-first' }, tools)
    expect(copy.id).not.toBe(run.id)
    expect(scoresOf(copy)).toMatchObject({ 'one strong': 0.5, 'one middle': 0.5 })
    const before = judged.length
    const { run: same } = await rescoreRun(run.id, { client }, tools)
    expect(judged.length).toBe(before + 12)
    expect(scoresOf(same)).toEqual(scoresOf(run))
  })

  it('is refused with a single model', async () => {
    const { client, asked } = createModels()
    await expect(
      executeRun({ suite, models: ['strong'], client, judgeModelId: 'judge' }, await createTools()),
    ).rejects.toThrow('choose at least two')
    await expect(executeRun({ suite, models, client }, await createTools())).rejects.toThrow('no judge model is set')
    expect(asked).toEqual([])
  })

  it('is estimated with pairs × 2 orders × judges', async () => {
    const { client } = createModels()
    const request = runRequestSchema.parse({ suiteId: 's', models, judgeModelIds: ['judge', 'judge-of-first'] })
    const prepared = await prepareRun(
      { kind: 'suite', request, suite },
      {
        connect: () => ({ clientOf: () => client, readPrices: async () => new Map() }),
      },
    )
    const estimate = await estimateRun(prepared, (text) => text.length)
    expect(estimate.judges.map(({ requests, mostRequests }) => [requests, mostRequests])).toEqual([
      [12, 24],
      [12, 24],
    ])
    expect(estimate.requests).toBe(6 + 24)
    // Each call reads two answers of at most 2,048 tokens.
    expect(estimate.judges[0]!.promptTokens).toBeGreaterThan(24 * 2 * 2048)
  })
})
