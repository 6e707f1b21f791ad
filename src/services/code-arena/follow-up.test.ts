import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ARENA_SUITE_ID,
  ClientError,
  type Client,
  type CodeArenaRequest,
  type FollowUpRequest,
  type ModelRequest,
  type RunResult,
  type Storage,
} from '../../contract/index.ts'
import { codeArenaRequestSchema } from '../../contract/index.ts'
import { startScoring } from '../../runner/index.ts'
import { openStorage } from '../../storage/index.ts'
import { withClaim } from '../claim.ts'
import { estimateRun } from '../estimate.ts'
import { prepareRun } from '../prepare.ts'
import { rescoreRun } from '../rescore.ts'
import { resumeSeries } from '../resume.ts'
import type { RunTools } from '../run-tools.ts'
import { startSeries } from '../series.ts'
import { createFollowUp } from './follow-up.ts'
import { createArenaRequest, isQuickCase, readArenaTask, turnOf } from './suite.ts'

const GRADES = JSON.stringify(
  Object.fromEntries(
    ['visualAccuracy', 'codeQuality', 'functionality', 'responsiveness'].map((name) => [
      name,
      { score: 70, reason: 'fine' },
    ]),
  ),
)

let storage: Storage
let asked: ModelRequest[]
let answers: Record<string, string | Error>
let ids: number

beforeEach(async () => {
  storage = await openStorage({ file: ':memory:' })
  asked = []
  ids = 0
  answers = { a: '```html\n<p>page of a</p>\n```', b: '```html\n<p>page of b</p>\n```', judge: GRADES }
})
afterEach(() => storage.close())

const client: Client = {
  provider: 'scripted',
  async complete(request) {
    asked.push(request)
    const answer = answers[request.modelId]
    if (answer === undefined || answer instanceof Error)
      throw answer ?? new ClientError('refused', 'no such model', { status: 404 })
    return { outcome: 'ok', response: answer, latencyMs: 1, cost: 0.01 }
  },
  listModels: async () => [],
  close: async () => undefined,
}

const tools = (): RunTools => ({
  storage,
  scoring: startScoring(),
  clock: { now: () => 5, sleep: async () => undefined },
  random: Math.random,
  createId: () => `run-${++ids}`,
  loadTokenCounter: async () => (text) => text.length,
  versions: {},
  pages: {
    inspectPage: async (response) => ({
      files: [{ name: 'index.html', language: 'html', code: response }],
      runs: true,
      notes: [],
      pictures: [],
      notSeen: 'not opened',
    }),
    openPage: async () => Promise.reject(new Error('not opened')),
    takesImages: async () => false,
  },
  connect: () => ({ clientOf: () => client, readPrices: async () => new Map() }),
})

async function start(change: Partial<CodeArenaRequest> = {}): Promise<RunResult> {
  const arena = codeArenaRequestSchema.parse({
    prompt: 'a pricing page',
    models: ['a', 'b'],
    judgeModelIds: ['judge'],
    isQuickJudge: true,
    ...change,
  })
  const [run] = await startSeries(await prepareRun(createArenaRequest(arena), tools()), tools())
  return run!
}

async function follow(runId: string, change: Partial<FollowUpRequest> = {}): Promise<RunResult> {
  const followUp = { prompt: 'make it blue', ...change }
  const input = await createFollowUp(runId, followUp, { storage, now: 5 })
  const [run] = await startSeries(await prepareRun(input, tools()), tools())
  return run!
}

const lastAskedOf = (model: string) => asked.findLast(({ modelId }) => modelId === model)!
const saidTo = (model: string) => lastAskedOf(model).messages.filter(({ role }) => role !== 'system')

describe('a follow-up turn', () => {
  it('asks each model after its own page, is judged on the whole conversation, and is linked to its run', async () => {
    const first = await start({ parameters: { temperature: 0.2 }, maxCost: undefined })
    const second = await follow(first.id)
    expect(second).toMatchObject({
      status: 'completed',
      testSuiteId: ARENA_SUITE_ID,
      testSuiteName: 'Code Arena: make it blue (turn 2)',
      models: ['a', 'b'],
      judgeModel: 'judge',
      results: [{ score: { score: 0.7 } }, { score: { score: 0.7 } }],
    })
    expect((await storage.loadRun(second.id))?.request).toMatchObject({
      follows: first.id,
      parameters: { temperature: 0.2, maxTokens: 8192 },
    })
    for (const model of ['a', 'b'])
      expect(saidTo(model)).toEqual([
        { role: 'user', content: 'a pricing page' },
        { role: 'assistant', content: answers[model] },
        { role: 'user', content: 'make it blue' },
      ])
    expect(lastAskedOf('a').messages[0]).toMatchObject({ role: 'system', content: /front-end developer/ })
    const judged = asked.filter(({ modelId }) => modelId === 'judge').slice(-2)
    const words = judged.map(({ messages }) => JSON.stringify(messages))
    for (const text of words) {
      expect(text).toContain('Turn 1: a pricing page')
      expect(text).toContain('Turn 2, which is to be graded: make it blue')
    }
    expect(words.filter((text) => text.includes('page of a') && text.includes('page of b'))).toEqual([])
  })

  it('can be followed in turn, and by some of the models only', async () => {
    const first = await start()
    answers['a'] = '<think>hm, blue</think>```html\n<p>blue a</p>\n```'
    const second = await follow(first.id, { models: ['a'] })
    const third = await follow(second.id, { prompt: 'and bigger' })
    expect(third.models).toEqual(['a'])
    expect(turnOf(readArenaTask(third)!)).toBe(3)
    expect(saidTo('a').map(({ content }) => content)).toEqual([
      'a pricing page',
      '```html\n<p>page of a</p>\n```',
      'make it blue',
      '```html\n<p>blue a</p>\n```',
      'and bigger',
    ])
    await expect(follow(second.id, { models: ['b'] })).rejects.toThrow(/has no page of b; a follow-up can go to a/)
  })

  it('asks a model that failed before with what it has, and says so', async () => {
    answers['b'] = new ClientError('refused', 'b is overloaded', { status: 400 })
    const first = await start()
    answers['b'] = 'now it works'
    const second = await follow(first.id)
    expect(saidTo('b')).toEqual([{ role: 'user', content: 'a pricing page\n\nmake it blue' }])
    expect(second.results.every(({ score }) => score)).toBe(true)
    const { conversation } = readArenaTask(second)!
    expect(conversation?.models.find(({ modelId }) => modelId === 'b')?.answers).toEqual([
      { missing: expect.stringContaining('b is overloaded') },
    ])
  })

  it('is resumed and rescored with the same conversation, even if the earlier run is gone', async () => {
    const first = await start()
    answers['b'] = new ClientError('refused', 'b is overloaded', { status: 400 })
    const second = await follow(first.id)
    await storage.deleteRun(first.id)
    answers['b'] = 'the blue page of b'
    await resumeSeries(second.id, {}, tools())
    expect(saidTo('b').map(({ content }) => content)).toEqual([
      'a pricing page',
      '```html\n<p>page of b</p>\n```',
      'make it blue',
    ])
    asked = []
    await rescoreRun(second.id, {}, tools())
    expect(asked.map(({ modelId }) => modelId)).toEqual(['judge', 'judge'])
    expect(JSON.stringify(asked)).toContain('Turn 1: a pricing page')
  })

  it('is estimated by what each model is sent', async () => {
    answers['b'] = `\`\`\`html\n${'<p>long</p>'.repeat(1000)}\n\`\`\``
    const first = await start()
    const input = await createFollowUp(first.id, { prompt: 'go on' }, { storage, now: 5 })
    const { models } = await estimateRun(await prepareRun(input, tools()), (text) => text.length)
    const [a, b] = models.map(({ promptTokens }) => promptTokens)
    expect(b! - a!).toBe(answers['b'].length - String(answers['a']).length)
  })

  it('takes what is not given from the run before it', async () => {
    const first = await start({ timeoutSeconds: 7, concurrency: 2, repeat: 2, maxTimeSeconds: 30 })
    const inherited = await createFollowUp(first.id, { prompt: 'x' }, { storage, now: 5 })
    expect(inherited.request).toMatchObject({ timeoutSeconds: 7, concurrency: 2, maxTimeSeconds: 30, repeat: 1 })
    const changed = await createFollowUp(
      first.id,
      { prompt: 'x', timeoutSeconds: 9, judgeModelIds: [], parameters: { maxTokens: 100 }, isQuickJudge: false },
      { storage, now: 5 },
    )
    expect(changed.request).toMatchObject({ timeoutSeconds: 9, judgeModelIds: [], parameters: { maxTokens: 100 } })
    expect(isQuickCase(changed.suite.testCases[0]!)).toBe(false)
  })

  it('is refused for a run that is in progress, is unknown or is of a suite', async () => {
    const first = await start()
    const { clock } = tools()
    await withClaim(first.id, { storage, clock }, () => expect(follow(first.id)).rejects.toThrow('still in progress'))
    await expect(follow('nothing')).rejects.toThrow('there is no run nothing')
    const { request } = createArenaRequest(codeArenaRequestSchema.parse({ prompt: 'x', models: ['a'] }))
    const suite = {
      name: 's',
      testCases: [{ id: '1', prompt: 'x', scoringMethod: 'exact-match', expectedOutput: 'y', weight: 1 }],
    }
    const [other] = await startSeries(
      await prepareRun({ kind: 'suite', request: { ...request, suiteId: 's' }, suite }, tools()),
      tools(),
    )
    await expect(follow(other!.id)).rejects.toThrow('is not a Code Arena run')
  })

  it('cannot be repeated with a model that has no part in it', async () => {
    const first = await start()
    const input = await createFollowUp(first.id, { prompt: 'x' }, { storage, now: 5 })
    const { problems } = await prepareRun({ ...input, request: { ...input.request, models: ['a', 'c'] } }, tools())
    expect(problems).toEqual(['model c has no part in the conversation that this run continues'])
  })
})
