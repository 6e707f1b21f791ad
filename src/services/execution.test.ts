import { describe, expect, it } from 'vitest'
import { ClientError, type Client, type ModelAnswer, type ModelRequest, type Suite } from '../contract/index.ts'
import { createScoring } from '../scoring/index.ts'
import type { EngineTools, RunSettings } from './run-with-client.ts'
import { executeRun, resumeRun } from './run-with-client.ts'
import type { RunEvent } from './events.ts'
import { openStorage } from '../storage/index.ts'

const suite: Suite = {
  name: 'Capitals',
  systemPrompt: 'Be brief.',
  testCases: [
    { id: 'fr', prompt: 'Capital of France?', scoringMethod: 'exact-match', expectedOutput: 'Paris', weight: 1 },
    { id: 'it', prompt: 'Capital of Italy?', scoringMethod: 'exact-match', expectedOutput: 'Rome', weight: 1 },
  ],
}
const judgedSuite: Suite = {
  name: 'Judged',
  judgeSystemPrompt: 'Be fair.',
  testCases: [{ id: 'x', prompt: 'Why?', scoringMethod: 'llm-judge', weight: 1 }],
}

type Script = (
  request: ModelRequest,
  options: Parameters<Client['complete']>[1],
) => Partial<ModelAnswer> | Promise<Partial<ModelAnswer>>

/** A client that answers from a script and records its requests. */
function scripted(script: Script) {
  const requests: ModelRequest[] = []
  const client: Client = {
    provider: 'scripted',
    async complete(request, options) {
      requests.push(request)
      return { outcome: 'ok', response: '', latencyMs: 5, ...(await script(request, options)) }
    },
    listModels: async () => [],
    close: async () => {},
  }
  return { client, requests }
}

async function createTools(changes: Partial<EngineTools> = {}): Promise<EngineTools> {
  let ids = 0
  let time = 1000
  return {
    storage: await openStorage({ file: ':memory:' }),
    scoring: createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: Math.random }),
    clock: { now: () => ++time, sleep: async () => {} },
    random: () => 0.5,
    createId: () => `run-${++ids}`,
    countTokens: (text) => text.length,
    versions: { benchmaker: '0.0.0' },
    ...changes,
  }
}

const paris: Script = () => ({ response: 'Paris', promptTokens: 10, completionTokens: 2 })
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('a run', () => {
  it('asks each model every case once with system prompt and parameters, and stores its settings', async () => {
    const { client, requests } = scripted(paris)
    const run = await executeRun(
      { suite, models: ['a', 'b'], client, parameters: { temperature: 0.3 } },
      await createTools(),
    )
    expect(requests).toHaveLength(4)
    expect(requests[0]).toMatchObject({
      modelId: 'a',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Capital of France?' },
      ],
      parameters: { temperature: 0.3, topP: 1, maxTokens: 2048, frequencyPenalty: 0, presencePenalty: 0 },
      stream: true,
    })
    expect(requests[0]!.parameters).not.toHaveProperty('benchmarkMode')
    expect(run).toMatchObject({
      id: 'run-1',
      status: 'completed',
      testSuiteName: 'Capitals',
      models: ['a', 'b'],
      parameters: { temperature: 0.3 },
      versions: { benchmaker: '0.0.0' },
    })
    expect(run.testSuiteSnapshot).toEqual(suite)
    expect(run.results.map(({ testCaseId, modelId, score }) => [testCaseId, modelId, score?.score])).toEqual([
      ['fr', 'a', 1],
      ['fr', 'b', 1],
      ['it', 'a', 0],
      ['it', 'b', 0],
    ])
  })
  it('returns only numbers when texts are not wanted, but still stores the texts', async () => {
    const { client } = scripted(paris)
    const tools = await createTools()
    const run = await executeRun({ suite, models: ['a'], client, textsInResult: false }, tools)
    expect(run.testSuiteSnapshot).toEqual(suite)
    expect(
      run.results.map(({ score, response, latencyMs, promptTokens }) => [score, response, latencyMs, promptTokens]),
    ).toEqual([
      [{ score: 1 }, undefined, 5, 10],
      [{ score: 0 }, undefined, 5, 10],
    ])
    expect((await tools.storage.loadRun(run.id))?.results.map(({ response }) => response)).toEqual(['Paris', 'Paris'])
  })
  it('sends temperature and penalties 0 in Benchmark Mode', async () => {
    const { client, requests } = scripted(paris)
    await executeRun(
      { suite, models: ['a'], client, parameters: { temperature: 0.9, presencePenalty: 1, benchmarkMode: true } },
      await createTools(),
    )
    expect(requests[0]!.parameters).toMatchObject({ temperature: 0, presencePenalty: 0, frequencyPenalty: 0 })
  })
  it('treats variants as separate contestants, each with its prompt and parameters', async () => {
    const { client, requests } = scripted(paris)
    const variants = [{ name: 'plain' }, { name: 'terse', systemPrompt: 'One word.', parameters: { temperature: 0 } }]
    const run = await executeRun({ suite: { ...suite, variants }, models: ['a'], client }, await createTools())
    expect(run.models).toEqual(['a@plain', 'a@terse'])
    expect(
      requests
        .filter(({ messages }) => messages[0]!.content === 'One word.')
        .map(({ modelId, parameters }) => [modelId, parameters.temperature]),
    ).toEqual([
      ['a', 0],
      ['a', 0],
    ])
  })
  it('lets a variant change only what it names, even after a resume; the run’s Benchmark Mode applies to all', async () => {
    const variants = [{ name: 'hot', parameters: { temperature: 1.5, benchmarkMode: false } }, { name: 'plain' }]
    const varied = { ...suite, variants }
    const { client, requests } = scripted(paris)
    const tools = await createTools()
    const { id } = await executeRun(
      { suite: varied, models: ['a'], client, parameters: { temperature: 0.3, benchmarkMode: true } },
      tools,
    )
    expect(new Set(requests.map(({ parameters }) => parameters.temperature))).toEqual(new Set([0]))

    const failing = scripted(() => Promise.reject(new ClientError('refused', 'no', { status: 400 })))
    const failed = await executeRun(
      { suite: varied, models: ['a'], client: failing.client, parameters: { temperature: 0.3 } },
      tools,
    )
    const again = scripted(paris)
    await resumeRun(failed.id, { client: again.client }, tools)
    expect(again.requests.map((request) => request.parameters.temperature).sort()).toEqual([0.3, 0.3, 1.5, 1.5])
    expect((await tools.storage.loadRun(id))?.parameters).toMatchObject({ temperature: 0.3, benchmarkMode: true })
  })
  it('emits events as it goes', async () => {
    const events: RunEvent[] = []
    const { client } = scripted((_request, options) => {
      options?.onText?.('Par')
      return { response: 'Paris' }
    })
    await executeRun(
      {
        suite: { ...suite, testCases: suite.testCases.slice(0, 1) },
        models: ['a'],
        client,
        onEvent: (event) => events.push(event),
      },
      await createTools(),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'run-started',
      'cell-started',
      'tokens-arrived',
      'attempt-ended',
      'answer-stored',
      'cell-scored',
      'run-finished',
    ])
  })
  it('retries an empty reply, then takes it as the answer, scored and counted as empty', async () => {
    const { client, requests } = scripted(() => ({ outcome: 'empty' }))
    const run = await executeRun({ suite, models: ['a'], client }, await createTools())
    expect(requests).toHaveLength(6)
    expect(run.results[0]).toMatchObject({ outcome: 'empty', score: { score: 0 }, attempts: 3 })
  })
  it('stores a final error with its cell and continues with the others', async () => {
    const { client } = scripted(({ messages }) => {
      if (String(messages.at(-1)!.content).includes('France'))
        throw new ClientError('refused', 'HTTP 404: no such model', { status: 404 })
      return { response: 'Rome' }
    })
    const run = await executeRun({ suite, models: ['a'], client }, await createTools())
    expect(run.results[0]).toMatchObject({
      status: 'failed',
      outcome: 'error',
      error: 'HTTP 404: no such model',
      attempts: 1,
    })
    expect(run.results[0]).not.toHaveProperty('score')
    expect(run.results[1]).toMatchObject({ score: { score: 1 } })
  })
  it('takes the cost from the provider, else tokens times price, else unknown', async () => {
    const prices = new Map([['priced', { prompt: 0.001, completion: 0.01 }]])
    const { client } = scripted(({ modelId }) => ({
      ...paris({} as never, {}),
      ...(modelId === 'reporting' && { cost: 0.5 }),
    }))
    const models = ['reporting', 'priced', 'unknown']
    const run = await executeRun({ suite, models, client, prices }, await createTools())
    expect(run.results.slice(0, 3).map(({ cost }) => cost)).toEqual([0.5, 0.03, undefined])
  })
})

describe('judged cases', () => {
  const answer: Script = ({ modelId }) => ({
    response: modelId.startsWith('judge') ? '{"score": 7, "reasoning": "fine"}' : 'Because.',
    cost: 0.25,
  })

  it('are graded by the judge, whose calls are included in the ledger and the cost', async () => {
    const { client, requests } = scripted(answer)
    const tools = await createTools()
    const run = await executeRun({ suite: judgedSuite, models: ['a'], client, judgeModelId: 'judge' }, tools)
    expect(run).toMatchObject({ judgeModel: 'judge', versions: { judgePrompt: 'llm-judge/1' } })
    expect(run.results[0]).toMatchObject({ score: { score: 0.7 }, cost: 0.5, attempts: 1 })
    expect(requests.map(({ modelId }) => modelId)).toEqual(['a', 'judge'])
    expect(String(requests[1]!.messages[0]!.content)).toContain('Be fair.')
    expect((await tools.storage.loadAttempts('run-1')).map(({ purpose }) => purpose)).toEqual(['answer', 'judge'])
  })
  it('are graded by each judge of a panel, without a deadlock at concurrency 1', async () => {
    const { client } = scripted(answer)
    const run = await executeRun(
      { suite: judgedSuite, models: ['a'], client, judgeModelId: ['judge-1', 'judge-2'], concurrency: 1 },
      await createTools(),
    )
    expect(run.results[0]!.score?.judges).toHaveLength(2)
  })
  it('are refused without a judge before anything is written or sent', async () => {
    const { client, requests } = scripted(answer)
    const tools = await createTools()
    await expect(executeRun({ suite: judgedSuite, models: ['a'], client }, tools)).rejects.toThrow(
      /test case x is scored by llm-judge, and no judge model is set/,
    )
    expect(requests).toHaveLength(0)
    expect(await tools.storage.listRuns()).toEqual([])
  })
  it('are left unscored with their answer when the judge cannot be read', async () => {
    const { client } = scripted(({ modelId }) => ({ response: modelId === 'judge' ? 'lovely' : 'Because.' }))
    const run = await executeRun(
      { suite: judgedSuite, models: ['a'], client, judgeModelId: 'judge' },
      await createTools(),
    )
    expect(run.results[0]).toMatchObject({ response: 'Because.', unscored: { code: 'judge-unreadable' } })
  })
})

describe('stopping and resuming', () => {
  it('a cancelled run keeps its finished cells, and a resume asks only the rest', async () => {
    const controller = new AbortController()
    const { client, requests } = scripted(async (_request, options) => {
      if (requests.length === 2) {
        controller.abort()
        throw new ClientError('cancelled', 'cancelled')
      }
      expect(options?.signal?.aborted).toBe(false)
      return { response: 'Paris' }
    })
    const tools = await createTools()
    const settings: RunSettings = { suite, models: ['a'], client, concurrency: 1 }
    const run = await executeRun({ ...settings, signal: controller.signal }, tools)
    expect([run.status, run.results.map(({ outcome }) => outcome)]).toEqual(['cancelled', ['ok', 'cancelled']])
    const resumed = await resumeRun('run-1', settings, tools)
    expect(resumed).toMatchObject({ retried: 0, asked: 1, scored: 0, run: { status: 'completed' } })
    expect(resumed.run.results).toHaveLength(2)
    expect(requests).toHaveLength(3)
  })
  it('a resume retries errors and says how many', async () => {
    let isUp = false
    const { client } = scripted(() => {
      if (!isUp) throw new ClientError('refused', 'HTTP 401', { status: 401 })
      return { response: 'Paris' }
    })
    const tools = await createTools()
    await executeRun({ suite, models: ['a'], client }, tools)
    isUp = true
    const resumed = await resumeRun('run-1', { client }, tools)
    expect(resumed).toMatchObject({ retried: 2, asked: 2, scored: 0 })
    expect(resumed.run.results.every(({ score }) => score)).toBe(true)
  })
  it('a provider that refuses the key gets only a few requests; the rest is left for a resume', async () => {
    const { client, requests } = scripted(() => {
      throw new ClientError('refused', 'HTTP 401: no such key', { status: 401 })
    })
    const many: Suite = {
      ...suite,
      testCases: Array.from({ length: 100 }, (_, index) => ({ ...suite.testCases[0]!, id: `c${index}` })),
    }
    const events: RunEvent[] = []
    const tools = await createTools()
    const run = await executeRun(
      { suite: many, models: ['a'], client, concurrency: 2, onEvent: (event) => events.push(event) },
      tools,
    )
    expect(run.status).toBe('failed')
    expect(requests.length).toBeLessThan(10)
    expect(events).toContainEqual({ type: 'provider-refused', error: 'HTTP 401: no such key' })
    expect(await tools.storage.loadOpenCells('run-1')).toHaveLength(100 - requests.length)
  })
  it('a provider that refuses the key does not keep others from finishing', async () => {
    const refusing = scripted(() => {
      throw new ClientError('refused', 'HTTP 401: no such key', { status: 401 })
    })
    const healthy = scripted(async () => {
      await settle()
      return { response: 'Paris' }
    })
    const other = { ...healthy.client, provider: 'healthy' }
    const testCases = Array.from({ length: 50 }, (_, index) => ({ ...suite.testCases[0]!, id: `c${index}` }))
    const events: RunEvent[] = []
    const run = await executeRun(
      {
        suite: { ...suite, testCases },
        models: ['a', 'b'],
        client: (modelId) => (modelId === 'a' ? refusing.client : other),
        concurrency: 2,
        onEvent: (event) => events.push(event),
      },
      await createTools(),
    )
    expect([run.status, run.stopReason]).toEqual(['failed', 'provider'])
    expect(refusing.requests.length).toBeLessThan(10)
    expect(run.results.filter(({ modelId, score }) => modelId === 'b' && score)).toHaveLength(50)
    expect(events.map(({ type }) => type).slice(-2)).toEqual(['provider-refused', 'run-finished'])
  })
  it('a model that is refused does not keep others of its provider from being answered', async () => {
    let isClosed = true
    const { client, requests } = scripted(async ({ modelId }) => {
      if (modelId === 'closed' && isClosed) throw new ClientError('refused', 'HTTP 403: no access', { status: 403 })
      await settle()
      return { response: 'Paris' }
    })
    const testCases = Array.from({ length: 50 }, (_, index) => ({ ...suite.testCases[0]!, id: `c${index}` }))
    const events: RunEvent[] = []
    const tools = await createTools()
    const settings: RunSettings = { suite: { ...suite, testCases }, models: ['open', 'closed'], client, concurrency: 2 }
    const run = await executeRun({ ...settings, onEvent: (event) => events.push(event) }, tools)
    const asked = requests.filter(({ modelId }) => modelId === 'closed').length
    expect(run.results.filter(({ modelId, score }) => modelId === 'open' && score)).toHaveLength(50)
    expect(asked).toBeLessThan(10)
    expect([run.status, run.stopReason]).toEqual(['failed', 'provider'])
    expect(events).toContainEqual({ type: 'provider-refused', error: 'HTTP 403: no access', models: ['closed'] })
    expect(await tools.storage.loadOpenCells('run-1')).toHaveLength(50 - asked)
    isClosed = false
    const resumed = await resumeRun('run-1', { client }, tools)
    expect(resumed.run.status).toBe('completed')
    expect(resumed.run.results.filter(({ score }) => score)).toHaveLength(100)
  })
  it('a refused model whose cells were all asked leaves nothing out: the run is complete', async () => {
    const { client } = scripted(({ modelId }) => {
      if (modelId === 'closed') throw new ClientError('refused', 'HTTP 403: no access', { status: 403 })
      return { response: 'Paris' }
    })
    const testCases = Array.from({ length: 10 }, (_, index) => ({ ...suite.testCases[0]!, id: `c${index}` }))
    const run = await executeRun(
      { suite: { ...suite, testCases }, models: ['open', 'closed'], client, concurrency: 20 },
      await createTools(),
    )
    expect([run.status, run.stopReason]).toEqual(['completed', undefined])
    expect(run.results.filter(({ outcome }) => outcome === 'error')).toHaveLength(10)
  })
  it('a budget stops sending before it is exceeded, counting requests in progress', async () => {
    const prices = new Map([['a', { prompt: 0, completion: 0.001 }]])
    const { client, requests } = scripted(() => ({ response: 'Paris', promptTokens: 1, completionTokens: 1000 }))
    const many: Suite = {
      ...suite,
      testCases: Array.from({ length: 20 }, (_, index) => ({ ...suite.testCases[0]!, id: `c${index}` })),
    }
    const events: RunEvent[] = []
    const run = await executeRun(
      {
        suite: many,
        models: ['a'],
        client,
        prices,
        maxCost: 5,
        parameters: { maxTokens: 1000 },
        concurrency: 4,
        onEvent: (event) => events.push(event),
      },
      await createTools(),
    )
    expect(requests).toHaveLength(5)
    expect(run.status).toBe('cancelled')
    expect(events.filter(({ type }) => type === 'budget-reached')).toHaveLength(1)
    expect(run.results.reduce((sum, { cost = 0 }) => sum + cost, 0)).toBe(5)
  })
  describe('a budget too small for all requests at once', () => {
    const prices = new Map([
      ['a', { prompt: 0, completion: 0.001 }],
      ['judge', { prompt: 0, completion: 0.001 }],
    ])
    const many: Suite = {
      ...suite,
      testCases: Array.from({ length: 20 }, (_, index) => ({ ...suite.testCases[0]!, id: `c${index}` })),
    }
    const cheap = { promptTokens: 1, completionTokens: 10 }

    it('makes a request wait until those in progress have cost less than their maximum', async () => {
      let inProgress = 0
      let highest = 0
      const { client, requests } = scripted(async () => {
        highest = Math.max(highest, ++inProgress)
        await settle()
        inProgress--
        return { response: 'Paris', ...cheap }
      })
      const run = await executeRun(
        { suite: many, models: ['a'], client, prices, maxCost: 2.5, parameters: { maxTokens: 1000 }, concurrency: 5 },
        await createTools(),
      )
      expect([run.status, requests.length, highest]).toEqual(['completed', 20, 2])
    })
    it('does not deadlock with judges at concurrency 1', async () => {
      const { client } = scripted(({ modelId }) => ({
        response: modelId === 'judge' ? '{"score": 7, "reasoning": "fine"}' : 'Because.',
        ...cheap,
      }))
      const judged: Suite = {
        ...judgedSuite,
        testCases: many.testCases.map(({ id }) => ({ ...judgedSuite.testCases[0]!, id })),
      }
      const run = await executeRun(
        {
          suite: judged,
          models: ['a'],
          client,
          judgeModelId: 'judge',
          prices,
          maxCost: 2.6,
          parameters: { maxTokens: 1000 },
          concurrency: 1,
        },
        await createTools(),
      )
      expect([run.status, run.results.filter(({ score }) => score).length]).toEqual(['completed', 20])
    })
    it('reports what was spent, including requests in progress when it stopped', async () => {
      const { client, requests } = scripted(async () => {
        await settle()
        return { response: 'Paris', promptTokens: 1, completionTokens: 900 }
      })
      const events: RunEvent[] = []
      await executeRun(
        {
          suite: many,
          models: ['a'],
          client,
          prices,
          maxCost: 2.5,
          parameters: { maxTokens: 1000 },
          concurrency: 5,
          onEvent: (event) => events.push(event),
        },
        await createTools(),
      )
      expect(requests).toHaveLength(2)
      expect(events.slice(-2)).toEqual([
        { type: 'budget-reached', spent: 1.8, assumed: 0 },
        { type: 'run-finished', runId: 'run-1', status: 'cancelled' },
      ])
    })
    it('counts the maximum cost when an answer does not report its tokens', async () => {
      const { client, requests } = scripted(() => ({ response: 'Paris' }))
      await executeRun(
        { suite: many, models: ['a'], client, prices, maxCost: 2.5, parameters: { maxTokens: 1000 } },
        await createTools(),
      )
      expect(requests).toHaveLength(2)
    })
    it('counts what earlier runs of the series spent', async () => {
      const { client, requests } = scripted(() => ({ response: 'Paris', promptTokens: 1, completionTokens: 100 }))
      const settings: RunSettings = {
        suite: many,
        models: ['a'],
        client,
        prices,
        maxCost: 3.5,
        seriesId: 'series',
        parameters: { maxTokens: 100 },
      }
      const tools = await createTools()
      const first = await executeRun(settings, tools)
      const second = await executeRun(settings, tools)
      expect([first.status, second.status, requests.length]).toEqual(['completed', 'cancelled', 35])
      await resumeRun('run-2', { ...settings, maxCost: 3.8 }, tools)
      expect(requests).toHaveLength(38)
    })
    it('stops waiting at once when the run is cancelled', async () => {
      const controller = new AbortController()
      const { client, requests } = scripted(async (_request, options) => {
        await new Promise((_resolve, reject) => {
          options!.signal!.addEventListener('abort', () => reject(new ClientError('cancelled', 'cancelled')), {
            once: true,
          })
          setImmediate(() => controller.abort())
        })
        return {}
      })
      const run = await executeRun(
        {
          suite: many,
          models: ['a'],
          client,
          prices,
          maxCost: 1.5,
          parameters: { maxTokens: 1000 },
          signal: controller.signal,
        },
        await createTools(),
      )
      expect([run.status, requests.length]).toEqual(['cancelled', 1])
    })
  })
  it('a budget with a model of unknown price is refused', async () => {
    const { client } = scripted(paris)
    await expect(executeRun({ suite, models: ['a'], client, maxCost: 1 }, await createTools())).rejects.toThrow(
      /price of a is unknown/,
    )
  })
  it.each([
    [{ models: [] }, /no model chosen/],
    [{ models: ['a', 'a'] }, /chosen twice/],
    [{ concurrency: 0 }, /concurrency: must be a whole number from 1 to 1000/],
    [{ maxCost: 0, prices: new Map() }, /must be more than 0/],
  ])('%j is refused', async (changes, message) => {
    const { client, requests } = scripted(paris)
    await expect(executeRun({ suite, models: ['a'], client, ...changes }, await createTools())).rejects.toThrow(message)
    expect(requests).toHaveLength(0)
  })
  it('a storage error fails the run and is not swallowed', async () => {
    const storage = await openStorage({ file: ':memory:' })
    const tools = await createTools({
      storage: { ...storage, saveScore: () => Promise.reject(new Error('disk full')) },
    })
    await expect(executeRun({ suite, models: ['a'], client: scripted(paris).client }, tools)).rejects.toThrow(
      'disk full',
    )
    expect((await storage.loadRun('run-1'))?.status).toBe('failed')
    expect(await storage.loadOpenCells('run-1')).toMatchObject([
      { answer: { response: 'Paris' } },
      { answer: { response: 'Paris' } },
    ])
  })
  it('requests in progress at a provider never exceed the concurrency', async () => {
    let inProgress = 0
    let highest = 0
    const { client } = scripted(async () => {
      highest = Math.max(highest, ++inProgress)
      await settle()
      inProgress--
      return { response: 'Paris' }
    })
    await executeRun({ suite, models: ['a', 'b', 'c', 'd'], client, concurrency: 3 }, await createTools())
    expect(highest).toBe(3)
  })
})
