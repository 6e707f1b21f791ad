import { describe, expect, it } from 'vitest'
import { ClientError, type CellKey, type CellResult, type Client, type Suite } from '../../contract/index.ts'
import { createScoring, scoreJob } from '../../scoring/index.ts'
import { createRandom, drawOrder } from '../../statistics/index.ts'
import { createModelDecisions } from '../../statistics/sequential/model-decisions.ts'
import { openStorage } from '../../storage/index.ts'
import type { OpenCell } from '../engine.ts'
import { executeRun, resumeRun, type EngineTools, type RunSettings } from '../run-with-client.ts'
import { createCellLine, createGaps } from './drive-runs.ts'

const CASES = 40
const suite: Suite = {
  name: 'Deciding',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    expectedOutput: 'yes',
    scoringMethod: 'exact-match',
    partial: false,
    weight: 1,
  })),
}

type Condition = (modelId: string, prompt: string) => boolean

/** Counts what it is asked; `fails` makes a request fail for good, `knows` lets models other than the good one be right. */
function createFake(fails: Condition = () => false, knows: Condition = () => false) {
  const asked: { modelId: string; prompt: string }[] = []
  const client: Client = {
    provider: 'fake',
    listModels: async () => [],
    close: async () => undefined,
    async complete({ modelId, messages }) {
      const prompt = String(messages.at(-1)!.content)
      asked.push({ modelId, prompt })
      if (fails(modelId, prompt)) throw new ClientError('network', 'refused', { retryable: false })
      const isRight = modelId === 'good' || knows(modelId, prompt)
      return { outcome: 'ok', response: isRight ? 'yes' : 'no', latencyMs: 1, cost: 0.01 }
    },
  }
  return { asked, client }
}

async function makeTools(): Promise<EngineTools> {
  const random = createRandom('deciding')
  let ids = 0
  return {
    storage: await openStorage({ file: ':memory:' }),
    scoring: createScoring({ scoreInWorker: scoreJob, random }),
    clock: { now: () => 1, sleep: async () => undefined },
    random,
    createId: () => `run-${ids++}`,
    countTokens: (text) => text.length,
    versions: {},
  }
}

const settings = (client: Client): RunSettings => ({
  suite,
  models: ['good', 'bad'],
  client,
  concurrency: 2,
  until: 'decided',
  orderSeed: 'order',
})

describe('a run that decides, by the library', () => {
  it('asks in the drawn order and stops after 9 wins, with what was in flight', async () => {
    const { client, asked } = createFake()
    const run = await executeRun(settings(client), await makeTools())
    expect(run).toMatchObject({ status: 'completed', stopReason: 'decided', request: { orderSeed: 'order' } })
    expect(asked.length).toBeGreaterThanOrEqual(18)
    expect(asked.length).toBeLessThanOrEqual(18 + 2)
    const order = drawOrder(suite.testCases, 'order').map(({ prompt }) => prompt)
    expect([...new Set(asked.map(({ prompt }) => prompt))].slice(0, 9)).toEqual(order.slice(0, 9))
    expect(run.results).toHaveLength(2 * CASES)
    expect(run.results.filter(({ outcome }) => outcome === 'cancelled')).toHaveLength(2 * CASES - asked.length)
  })

  it('asks clusters one after another, each whole, also one of more cases than are asked ahead', async () => {
    const { client, asked } = createFake()
    const clustered = {
      ...suite,
      testCases: suite.testCases.map((testCase, index) => ({
        ...testCase,
        cluster: index < 12 ? 'large' : `g${index % 14}`,
      })),
    }
    const run = await executeRun({ ...settings(client), suite: clustered, concurrency: 1 }, await makeTools())
    expect(run.status).toBe('completed')
    const clusterOf = new Map(clustered.testCases.map(({ prompt, cluster }) => [prompt, cluster]))
    const order = [...new Set(asked.map(({ prompt }) => prompt))].map((prompt) => clusterOf.get(prompt))
    expect(new Set(order.filter((cluster, index) => cluster !== order[index - 1])).size).toBe(
      order.filter((cluster, index) => cluster !== order[index - 1]).length,
    )
    expect(order).toContain('large')
  })

  it("stops when two models are the same within the suite's smallest difference", async () => {
    const tools = await makeTools()
    const large = {
      ...suite,
      smallestDifference: 20,
      testCases: Array.from({ length: 300 }, (_, index) => ({
        ...suite.testCases[0]!,
        id: `c${index}`,
        prompt: `${index}`,
      })),
    }
    const equal = createFake(undefined, () => true)
    const run = await executeRun({ ...settings(equal.client), suite: large }, tools)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'decided', request: { sameWithin: 20 } })
    expect(equal.asked.length).toBeLessThan(200)
  })

  it('draws a new order for each run, and stores it', async () => {
    const { orderSeed: _seed, ...drawn } = settings(createFake().client)
    const tools = await makeTools()
    const seeds = [await executeRun(drawn, tools), await executeRun(drawn, tools)].map(
      ({ request }) => request?.orderSeed,
    )
    expect(new Set(seeds).size).toBe(2)
    expect(seeds).not.toContain(undefined)
  })

  it('goes on after errors, and a resume retries them without asking what was left out', async () => {
    const order = drawOrder(suite.testCases, 'order').map(({ prompt }) => prompt!)
    const first = createFake((modelId, prompt) => modelId === 'bad' && order.indexOf(prompt) < 2)
    const tools = await makeTools()
    const run = await executeRun(settings(first.client), tools)
    expect(run.stopReason).toBe('decided')
    expect(run.results.filter(({ error }) => error !== undefined)).toHaveLength(2)

    const second = createFake()
    const resumed = await resumeRun(run.id, { client: second.client }, tools)
    expect(second.asked.map(({ modelId, prompt }) => [modelId, order.indexOf(prompt)])).toEqual([
      ['bad', 0],
      ['bad', 1],
    ])
    expect([resumed.retried, resumed.asked, resumed.run.stopReason]).toEqual([2, 2, 'decided'])
    const third = createFake()
    await resumeRun(run.id, { client: third.client }, tools)
    expect(third.asked).toEqual([])
  })

  it('buys no new cells when a run that is decided is resumed, however many it asks at once', async () => {
    const order = drawOrder(suite.testCases, 'order').map(({ prompt }) => prompt!)
    const fails = (modelId: string, prompt: string) => modelId === 'bad' && [1, 3].includes(order.indexOf(prompt))
    const first = createFake(fails)
    const tools = await makeTools()
    const run = await executeRun({ ...settings(first.client), concurrency: 10 }, tools)
    expect(run.stopReason).toBe('decided')

    const again = createFake(fails)
    const resumed = await resumeRun(run.id, { client: again.client, concurrency: 10 }, tools)
    expect(again.asked.map(({ modelId, prompt }) => [modelId, order.indexOf(prompt)])).toEqual([
      ['bad', 1],
      ['bad', 3],
    ])
    expect(resumed.run.stopReason).toBe('decided')
  })

  it('asks a model that was dropped nothing new when the run is resumed', async () => {
    const order = drawOrder(suite.testCases, 'order').map(({ prompt }) => prompt!)
    const fails = (modelId: string, prompt: string) => modelId === 'good' && order.indexOf(prompt) === 2
    const three = (client: Client): RunSettings => ({
      ...settings(client),
      models: ['good', 'fair', 'bad'],
      concurrency: 6,
      decide: 'best',
    })
    const first = createFake(fails, (modelId, prompt) => modelId === 'fair' && order.indexOf(prompt) % 4 > 0)
    const tools = await makeTools()
    const run = await executeRun(three(first.client), tools)
    const askedOfBad = first.asked.filter(({ modelId }) => modelId === 'bad').length
    expect(askedOfBad).toBeLessThan(CASES)

    const again = createFake(fails, (modelId, prompt) => modelId === 'fair' && order.indexOf(prompt) % 4 > 0)
    await resumeRun(run.id, { client: again.client, concurrency: 6 }, tools)
    expect(again.asked.map(({ modelId, prompt }) => [modelId, order.indexOf(prompt)])).toEqual([['good', 2]])
  })

  it('stops at its budget and goes on in the same order', async () => {
    const { client, asked } = createFake()
    const tools = await makeTools()
    const prices = new Map(['good', 'bad'].map((model) => [model, { prompt: 0, completion: 0.00001 }]))
    const run = await executeRun({ ...settings(client), prices, maxCost: 0.1 }, tools)
    expect(run).toMatchObject({ status: 'cancelled', stopReason: 'budget' })
    const before = asked.length
    const { run: finished } = await resumeRun(run.id, { client, prices, maxCost: 10 }, tools)
    expect(finished).toMatchObject({ status: 'completed', stopReason: 'decided' })
    expect(asked.length).toBeGreaterThan(before)
    expect(new Set(asked.map(({ modelId, prompt }) => `${modelId} ${prompt}`)).size).toBe(asked.length)
  })

  it('goes on with the others if a model is refused, and a resume asks it', async () => {
    const { client, asked } = createFake()
    const closed: Client = {
      ...client,
      async complete(request) {
        if (request.modelId !== 'closed') return client.complete(request)
        asked.push({ modelId: 'closed', prompt: '' })
        throw new ClientError('refused', 'HTTP 403: no access', { status: 403 })
      },
    }
    const tools = await makeTools()
    const run = await executeRun({ ...settings(closed), models: ['good', 'closed', 'bad'] }, tools)
    expect(run).toMatchObject({ status: 'completed', stopReason: 'decided' })
    expect(asked.filter(({ modelId }) => modelId === 'closed').length).toBeLessThan(10)
    const countScores = (results: CellResult[], model: string) =>
      results.filter(({ modelId, score }) => modelId === model && score).length
    expect(countScores(run.results, 'good')).toBeGreaterThanOrEqual(9)
    const { run: finished } = await resumeRun(run.id, { client }, tools)
    expect(finished).toMatchObject({ status: 'completed', stopReason: 'decided' })
    expect(countScores(finished.results, 'closed')).toBeGreaterThanOrEqual(9)
  })

  it('stops if a refused model leaves nothing to compare', async () => {
    const { client, asked } = createFake()
    const closed: Client = {
      ...client,
      async complete(request) {
        if (request.modelId === 'good') return client.complete(request)
        throw new ClientError('refused', 'HTTP 403: no access', { status: 403 })
      },
    }
    const run = await executeRun(settings(closed), await makeTools())
    expect(run).toMatchObject({ status: 'failed', stopReason: 'provider' })
    expect(asked.length).toBeLessThan(10)
  })

  it('cannot be added to a series run by run', async () => {
    const { client } = createFake()
    await expect(executeRun({ ...settings(client), seriesId: 's' }, await makeTools())).rejects.toThrow(
      'cannot be added to a series',
    )
  })
})

describe('the line of cells', () => {
  const cases = Array.from({ length: 10 }, (_, index) => `case-${index}`)
  const makeLine = (findOpen: (cell: CellKey) => OpenCell | undefined = (cell) => ({ cell })) => {
    const decisions = createModelDecisions(['a', 'b'], { question: 'all', from: 1, isOnce: false })
    const gaps = createGaps([], { cases, decisions })
    const line = createCellLine({
      cases,
      runIds: ['r1', 'r2'],
      models: ['a', 'b'],
      findOpen,
      decisions,
      gaps,
      ahead: 2,
    })
    return { decisions, line }
  }

  it('goes case by case through all runs and models, and waits for cases to be counted', () => {
    const { line, decisions } = makeLine()
    const taken = Array.from({ length: 8 }, () => line.take())
    expect(taken.map((open) => typeof open === 'object' && open.cell.testCaseId)).toEqual([
      ...Array.from({ length: 4 }, () => 'case-0'),
      ...Array.from({ length: 4 }, () => 'case-1'),
    ])
    expect(line.take()).toBe('wait')
    decisions.addCases([{ scores: new Map() }])
    expect(line.take()).toMatchObject({ cell: { testCaseId: 'case-2', runId: 'r1', modelId: 'a' } })
  })

  it('skips what is finished, and ends', () => {
    const { line } = makeLine((cell) => (cell.testCaseId === 'case-0' ? { cell } : undefined))
    expect(Array.from({ length: 5 }, () => line.take()).at(-1)).toBeUndefined()
  })
})
