import type { SuiteDocument } from '../suites/suite-documents.ts'
import type { StartedRun } from './run-manager.ts'
import type { RunList } from './routes.ts'
import type { RunEstimate } from './estimate.ts'
import type { CellKey } from '../../contract/index.ts'
import type { Exchange } from './exchange.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import { startServer, type StartedServer } from '../testing/started-server.ts'

let server: StartedServer
let models: ModelServer
beforeAll(async () => {
  models = await startModelServer({ cost: 0.01, answer: ({ prompt }) => `echo ${prompt}` })
  server = await startServer({ compose: composeServer })
  await server.send('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})

const start = (body: object) =>
  server.send<StartedRun>('POST', '/api/runs', {
    suiteId: 'example-first-look',
    models: ['demo/good', 'demo/poor'],
    ...body,
  })
const eventsOf = (runId: string) => server.watch(`/api/runs/${runId}/events`)
const listRuns = () => server.get<RunList>('/api/runs')
const saveSuite = async (cases: number) => {
  const testCases = Array.from({ length: cases }, (_, index) => ({
    id: `case-${index}`,
    prompt: `number ${index}`,
    scoringMethod: 'boolean',
    expectedOutput: 'echo',
  }))
  return (await server.send<SuiteDocument>('POST', '/api/suites', { suite: { name: `Of ${cases}`, testCases } })).id
}

describe('estimates', () => {
  const estimate = (body: object) =>
    server.send<RunEstimate>('POST', '/api/estimate', { suiteId: 'example-first-look', models: ['demo/good'], ...body })

  it('count cells, requests and prompt tokens of all runs, and give the maximum cost', async () => {
    const one = await estimate({})
    expect(one).toMatchObject({ cells: 30, requests: 30, unknownPrices: [], problems: [], runsNeeded: '1' })
    const three = await estimate({ repeat: 3 })
    expect(three).toMatchObject({ cells: 90, requests: 90, promptTokens: one.promptTokens * 3 })
    expect(three.cost).toBeCloseTo(one.cost! * 3, 9)
    const { runId } = await start({ models: ['demo/good'] })
    await eventsOf(runId).rest()
    expect((await listRuns()).runs.find(({ id }) => id === runId)!.cost).toBeLessThan(one.cost!)
  })
  it('count judges, each grade at most twice, and give the seed’s number of runs', async () => {
    const without = await estimate({ suiteId: 'example-everyday-work' })
    expect(without).toMatchObject({ runsNeeded: '3-5', problems: [expect.stringContaining('no judge model is set')] })
    const judged = await estimate({ suiteId: 'example-everyday-work', judgeModelIds: ['demo/judge'] })
    expect(judged).toMatchObject({ cells: 24, requests: 24 + 6, mostRequests: 24 + 6 * 2, problems: [] })
    expect(judged.cost).toBeGreaterThan(without.cost!)
  })
  it('say what is unknown or missing, and send nothing', async () => {
    const before = models.stats().byPath['/v1/chat/completions']
    const unknown = await estimate({ models: ['local/fake'], maxCost: 2 })
    expect(unknown).toMatchObject({
      unknownPrices: ['local/fake'],
      problems: [expect.stringContaining('price of local/fake')],
    })
    expect(unknown.cost).toBeNull()
    expect(await estimate({ models: ['anthropic/claude'] })).toMatchObject({
      problems: [expect.stringContaining('ANTHROPIC_API_KEY')],
    })
    expect(await estimate({ filter: 'nothing' })).toMatchObject({
      cells: 0,
      problems: [expect.stringContaining('no test case')],
    })
    expect(models.stats().byPath['/v1/chat/completions']).toBe(before)
  })
})

describe('a stored run', () => {
  it('shows what was sent and received', async () => {
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: await saveSuite(1),
      models: ['local/fake'],
      parameters: { temperature: 0.2, benchmarkMode: true },
    })
    await eventsOf(runId).rest()
    const exchange = await server.get<Exchange>(`/api/runs/${runId}/exchange?case=case-0&model=local%2Ffake`)
    expect(exchange).toMatchObject({
      request: {
        modelId: 'local/fake',
        messages: [{ role: 'user', content: 'number 0' }],
        parameters: { temperature: 0 },
      },
      attempts: [{ purpose: 'answer', end: { outcome: 'ok', cost: 0.01 } }],
      answer: { response: 'echo number 0', finishReason: 'stop' },
    })
    expect((await server.try('GET', `/api/runs/${runId}/exchange?case=none&model=local%2Ffake`)).status).toBe(404)
  })
  it('costs the same on its live page and in the list of runs', async () => {
    const { storage } = server.context
    const cells = ['first', 'second'].map((testCaseId) => ({ testCaseId, modelId: 'm' }))
    await storage.createRun({ id: 'costs', kind: 'suite', models: ['m'], startedAt: 1 }, cells)
    const [answered, failed] = cells.map((cell) => ({ runId: 'costs', ...cell }))
    const attempt = (cell: CellKey) =>
      storage.startAttempt({ ...cell, purpose: 'answer', askedModel: 'm', startedAt: 2 })
    // Two attempts without a known cost before the answer, and a failure that was paid for.
    for (let lost = 0; lost < 2; lost++)
      await storage.endAttempt(await attempt(answered!), { endedAt: 3, outcome: 'timeout' })
    const answer = { outcome: 'ok' as const, response: 'yes', latencyMs: 1 }
    await storage.saveAnswer(await attempt(answered!), { endedAt: 3, outcome: 'ok', cost: 0.1 }, answered!, answer)
    await storage.saveScore(answered!, { score: 1 })
    await storage.endAttempt(await attempt(failed!), { endedAt: 3, outcome: 'empty', cost: 0.2 })
    await storage.endAttempt(await attempt(failed!), { endedAt: 3, outcome: 'timeout' })
    await storage.saveError(failed!, 'timeout', 'no answer')
    await storage.setRunStatus('costs', 'completed')

    const [listed] = await storage.listRuns({ ids: ['costs'] })
    expect(listed).toMatchObject({ cost: 0.3, unknownCosts: 3 })
    const [first] = await eventsOf('costs').rest()
    expect(first).toMatchObject({ data: { progress: { cost: 0.3, unknownCosts: 3 } } })
  })
  it('can be rated, and the rating removed', async () => {
    const { runId } = await start({ limit: 1, models: ['demo/good'] })
    await eventsOf(runId).rest()
    const rate = (body: object) =>
      server.send('PUT', `/api/runs/${runId}/rating`, {
        testCaseId: 'capital-australia',
        modelId: 'demo/good',
        ...body,
      })
    await rate({ rating: 0.5, note: 'so-so' })
    const readRating = async () => (await server.context.storage.loadRun(runId))?.results[0]?.rating
    expect(await readRating()).toEqual({ rating: 0.5, note: 'so-so' })
    await rate({ rating: 0.75 })
    expect(await readRating()).toEqual({ rating: 0.75, note: 'so-so' })
    await rate({ rating: null })
    expect(await readRating()).toEqual({ note: 'so-so' })
    await rate({ note: null })
    expect(await readRating()).toBeUndefined()
    expect(
      (await server.try('PUT', `/api/runs/${runId}/rating`, { testCaseId: 'none', modelId: 'demo/good', rating: 1 }))
        .status,
    ).toBe(404)
    expect(
      (
        await server.try('PUT', `/api/runs/${runId}/rating`, {
          testCaseId: 'capital-australia',
          modelId: 'demo/good',
          rating: 2,
        })
      ).status,
    ).toBe(422)
  })
  it('is rescored without asking the models again', async () => {
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: await saveSuite(20),
      models: ['local/fake'],
    })
    await eventsOf(runId).rest()
    await server.context.storage.saveScore({ runId, testCaseId: 'case-3', modelId: 'local/fake' }, { score: 0 })
    expect((await listRuns()).runs.find(({ id }) => id === runId)?.means).toEqual({ 'local/fake': 0.95 })
    const before = models.stats().requests
    expect(await server.send('POST', `/api/runs/${runId}/rescore`)).toEqual({ runId })
    await eventsOf(runId).rest()
    expect((await server.context.storage.loadRun(runId))?.results.every(({ score }) => score?.score === 1)).toBe(true)
    expect((await listRuns()).runs.find(({ id }) => id === runId)?.means).toEqual({ 'local/fake': 1 })
    expect(models.stats().requests).toBe(before)
  })
  it('is rescored with the suite as it is now: an edited key gives a new result of the same suite', async () => {
    const suiteId = await saveSuite(3)
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', { suiteId, models: ['local/fake'] })
    await eventsOf(runId).rest()
    const document = await server.get<{ suite: { testCases: object[] } }>(`/api/suites/${suiteId}`)
    const [first, ...others] = document.suite.testCases
    const testCases = [{ ...first, expectedOutput: 'something else' }, ...others]
    await server.send('PUT', `/api/suites/${suiteId}`, { suite: { ...document.suite, testCases }, after: 1 })
    const before = models.stats().requests
    await server.send('POST', `/api/runs/${runId}/rescore`)
    await eventsOf(runId).rest()
    expect(models.stats().requests).toBe(before)
    const { storage } = server.context
    const [newest] = await storage.listRuns({ suite: { id: suiteId } })
    expect(newest!.id).not.toBe(runId)
    const scoresOf = async (id: string) => (await storage.loadRun(id))?.results.map(({ score }) => score?.score)
    expect(await scoresOf(newest!.id)).toEqual([0, 1, 1])
    expect(await scoresOf(runId)).toEqual([1, 1, 1])
    expect((await storage.loadRun(newest!.id))?.request).toMatchObject({ suiteId, suiteVersion: 2 })
  })
  it('is deleted with everything that belongs to it', async () => {
    const { runId } = await start({ limit: 1 })
    await eventsOf(runId).rest()
    await server.send('DELETE', `/api/runs/${runId}`)
    expect((await server.try('GET', `/api/runs/${runId}/events`)).status).toBe(404)
    expect((await server.context.storage.listDocuments('settings')).some(({ id }) => id.includes(runId))).toBe(false)
    expect((await server.try('DELETE', `/api/runs/${runId}`)).status).toBe(404)
  })
  it('is listed page by page', async () => {
    const { total } = await listRuns()
    const page = await server.get<RunList>('/api/runs?offset=1&limit=2')
    expect(page.runs).toHaveLength(2)
    expect(page.total).toBe(total)
    expect(page.runs[0]?.id).toBe((await listRuns()).runs[1]?.id)
  })
})
