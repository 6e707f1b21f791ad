import type { SuiteSummary } from '../suites/suite-summaries.ts'
import type { SuiteDocument } from '../suites/suite-documents.ts'
import type { StartedRun } from './run-manager.ts'
import type { RunList } from './routes.ts'
import type { RunEstimate } from './estimate.ts'
import type { ApiError, LiveSnapshot, LiveUpdate } from '../../contract/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeServer } from '../../cli/compose-server.ts'
import { startModelServer, type ChatRequest, type ModelServer } from '../../../test/fakes/model-server.ts'
import { formatCost } from '../../report/words/index.ts'
import { startServer, type EventReader, type StartedServer, type StreamedEvent } from '../testing/started-server.ts'

let server: StartedServer
let models: ModelServer
const slow = (request: ChatRequest) => request.model === 'slow'

beforeAll(async () => {
  models = await startModelServer({
    cost: 0.01,
    answer: ({ prompt }) => `echo ${prompt}`,
    tokenDelayMs: 0,
    models: ['fake', 'slow'],
  })
  server = await startServer({ compose: composeServer })
  await server.send('PUT', '/api/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
})
afterAll(async () => {
  await server.remove()
  await models.close()
})

function isSnapshot(event: StreamedEvent): event is { event: 'snapshot'; data: LiveSnapshot } {
  return event.event === 'snapshot'
}
function isUpdate(event: StreamedEvent): event is { event: 'update'; data: LiveUpdate } {
  return event.event === 'update'
}

/** What a screen would show after these events: cells by case and model. */
function showCells(events: StreamedEvent[]): Map<string, string> {
  const shown = new Map<string, string>()
  for (const event of events) {
    if (isSnapshot(event)) shown.clear()
    if (isSnapshot(event) || isUpdate(event))
      for (const cell of event.data.cells) shown.set(`${cell.case},${cell.model}`, `${cell.state} ${cell.score ?? ''}`)
  }
  return shown
}

const start = (body: object) =>
  server.send<StartedRun>('POST', '/api/runs', {
    suiteId: 'example-first-look',
    models: ['demo/good', 'demo/poor'],
    ...body,
  })
const eventsOf = (runId: string, from = server): EventReader => from.watch(`/api/runs/${runId}/events`)
const listRuns = (from = server) => from.get<RunList>('/api/runs')
const saveSuite = async (cases: number, from = server, extra: object = {}) => {
  const testCases = Array.from({ length: cases }, (_, index) => ({
    id: `case-${index}`,
    prompt: `number ${index}`,
    scoringMethod: 'boolean',
    expectedOutput: 'echo',
    ...extra,
  }))
  return (await from.send<SuiteDocument>('POST', '/api/suites', { suite: { name: `Of ${cases}`, testCases } })).id
}

describe('a run', () => {
  it('is started, watched to its end, and listed with its means and under its suite', async () => {
    const { runId, seriesId } = await start({})
    expect(seriesId).toBeUndefined()
    const events = await eventsOf(runId).rest()
    expect(events[0]).toMatchObject({
      event: 'snapshot',
      data: { runId, runNumber: 1, runsPlanned: 1, suiteName: 'First look', models: ['demo/good', 'demo/poor'] },
    })
    expect(events.at(-1)).toEqual({ event: 'finished', data: {} })
    expect(events.findLast(isUpdate)?.data.progress ?? events.findLast(isSnapshot)?.data.progress).toMatchObject({
      state: 'done',
      done: 60,
      total: 60,
      errors: 0,
    })
    // On a busy machine a pattern may miss its deadline: the cell is then unscored, but finished.
    expect([...showCells(events).values()].every((cell) => /^(un)?scored/.test(cell))).toBe(true)
    const run = (await listRuns()).runs.find(({ id }) => id === runId)
    expect(run).toMatchObject({
      status: 'completed',
      state: 'done',
      cells: { total: 60, errors: 0, pending: 0 },
      means: { 'demo/good': expect.any(Number) },
    })
    const suite = (await server.get<SuiteSummary[]>('/api/suites')).find(({ id }) => id === 'example-first-look')
    expect(suite).toMatchObject({ runs: expect.any(Number), lastRun: { id: runId, state: 'done' } })
  })
  it('of a suite that is called like a Code Arena run is watched as one of a suite', async () => {
    const name = 'Code Arena: regression suite'
    const testCases = [{ id: 'page', prompt: 'p', scoringMethod: 'boolean', expectedOutput: 'yes' }]
    const { id: suiteId } = await server.send<SuiteDocument>('POST', '/api/suites', { suite: { name, testCases } })
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', { suiteId, models: ['demo/good'] })
    const events = await eventsOf(runId).rest()
    expect(events.findLast(isSnapshot)?.data).toMatchObject({ runId, suiteName: name, kind: 'suite' })
    expect(events.filter(({ event }) => !['snapshot', 'update', 'finished'].includes(event))).toEqual([])
    expect((await server.try('GET', `/api/code-arena/${runId}`)).status).toBe(404)
    expect(await server.get('/api/code-arena')).toEqual({ total: 0, runs: [] })
  })
  it('of a renamed suite still belongs to it', async () => {
    const id = await saveSuite(1)
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', { suiteId: id, models: ['demo/good'] })
    await eventsOf(runId).rest()
    await server.send('PUT', `/api/suites/${id}`, {
      suite: { name: 'Renamed', testCases: [{ id: 'x', prompt: 'p', scoringMethod: 'boolean' }] },
      after: 1,
    })
    expect(await server.get(`/api/suites/${id}/history`)).toMatchObject({
      runs: [{ id: runId, testSuiteName: 'Of 1' }],
    })
  })
  it('shows the same to viewers from the start, later, and afterwards', async () => {
    const id = await saveSuite(40)
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: id,
      models: ['local/fake', 'demo/poor'],
      concurrency: 2,
    })
    const early = eventsOf(runId)
    await early.until(isUpdate)
    const [whole, late] = await Promise.all([early.rest(), eventsOf(runId).rest()])
    const after = await eventsOf(runId).rest()
    expect(after.map(({ event }) => event)).toEqual(['snapshot', 'finished'])
    expect(whole.at(-1)?.event).toBe('finished')
    // A cell that was in progress is finished; one that was not is in the results.
    for (const events of [whole, late, after])
      expect([...showCells(events).values()].filter((cell) => !cell.startsWith('scored'))).toEqual([])
    expect(showCells(after).size).toBe(0)
    expect(after[0]).toMatchObject({
      data: { progress: { state: 'done', done: 80, cost: expect.closeTo(0.4, 0) } },
    })
  })
  it('is refused before anything is written if a key, a judge or a case is missing', async () => {
    const before = (await listRuns()).total
    const refused = async (body: object) =>
      (
        await server.try('POST', '/api/runs', { suiteId: 'example-first-look', models: ['demo/good'], ...body })
      ).json<ApiError>().error.message
    expect(await refused({ models: ['openai/gpt-4o'] })).toContain('OPENAI_API_KEY')
    expect(await refused({ suiteId: 'example-everyday-work' })).toContain('judge')
    expect(await refused({ filter: 'no-such-tag' })).toContain('no test case has the id, category or tag')
    expect(await refused({ suiteId: 'nothing' })).toContain('not found')
    expect(await refused({ models: ['demo/good', 'demo/good'] })).toContain('chosen twice')
    expect(await refused({ models: ['local/fake'], maxCost: 1 })).toContain('price of local/fake is unknown')
    expect((await listRuns()).total).toBe(before)
  })
  it('asks only the selected cases', async () => {
    const { runId } = await start({ filter: 'maths', limit: 3 })
    const [first] = await eventsOf(runId).rest()
    expect(first).toMatchObject({
      data: { caseIds: ['compound-interest', 'train-distance', 'percent-change'] },
    })
  })
})

describe('a series', () => {
  it('runs one run after another under one id; a viewer of the first sees them all', async () => {
    const { runId, seriesId } = await start({ repeat: 3, limit: 4 })
    expect(seriesId).toEqual(expect.any(String))
    const events = await eventsOf(runId).rest()
    const snapshots = events.filter(isSnapshot).map(({ data }) => data)
    // The bar covers the whole series while it runs, and says the same of a stored run.
    const series = events.flatMap((event) =>
      isSnapshot(event) || isUpdate(event) ? [event.data.progress.series!.done] : [],
    )
    expect(series).toEqual(series.toSorted((a, b) => a - b))
    const { total } = snapshots[0]!.progress
    expect(series.at(-1)).toBe(3 * total)
    const stored = (await eventsOf(runId).rest()).find(isSnapshot)
    expect(stored!.data.progress).toMatchObject({ done: total, total, series: { done: 3 * total, total: 3 * total } })
    expect(snapshots.map(({ runNumber, runsPlanned }) => [runNumber, runsPlanned])).toEqual(
      expect.arrayContaining([[3, 3]]),
    )
    const runs = (await listRuns()).runs.filter((run) => run.seriesId === seriesId)
    expect(runs).toHaveLength(3)
    const byTime = runs.toSorted((a, b) => a.startedAt - b.startedAt)
    for (const [index, run] of byTime.slice(1).entries())
      expect(run.startedAt).toBeGreaterThanOrEqual(byTime[index]!.completedAt!)
  })
  it('never exceeds the one budget for all its runs', async () => {
    const id = await saveSuite(3)
    const body = { suiteId: id, models: ['demo/good'], repeat: 50, concurrency: 1, parameters: { maxTokens: 50 } }
    const cost = (await server.send<RunEstimate>('POST', '/api/estimate', { ...body, repeat: 1 })).cost!
    const maxCost = cost * 1.5
    const { runId, seriesId } = await server.send<StartedRun>('POST', '/api/runs', { ...body, maxCost })
    const events = await eventsOf(runId).rest()
    expect(JSON.stringify(events.at(-2))).toContain('Stopped at its budget')
    const runs = (await listRuns()).runs.filter((run) => run.seriesId === seriesId)
    expect(runs.length).toBeGreaterThan(1)
    expect(runs.length).toBeLessThan(50)
    expect(runs.reduce((sum, run) => sum + run.cost, 0)).toBeLessThanOrEqual(maxCost)
    expect(runs.filter(({ status }) => status === 'cancelled')).toHaveLength(1)
  })
})

describe('stopping and resuming', () => {
  it('stop ends the whole series at once and keeps its finished cells; resume does the rest and the remaining runs', async () => {
    const hanging = await startModelServer({
      answer: ({ prompt }) => `echo ${prompt}`,
      reply: (request) =>
        slow(request) && request.prompt.endsWith(' 2') && isHeld
          ? { pieces: ['data: {"choices":[{"index":0,"delta":{"content":"half of"}}]}\n\n'], ending: 'hang' }
          : undefined,
    })
    let isHeld = true
    await server.send('PUT', '/api/settings/endpoints/stuck', { name: 'stuck', baseUrl: hanging.baseUrl })
    const id = await saveSuite(3)
    const { runId, seriesId } = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: id,
      models: ['stuck/slow'],
      repeat: 2,
    })
    const watched = eventsOf(runId)
    await watched.until(
      (event) =>
        isUpdate(event) && event.data.cells.some(({ tail }) => tail === 'half of') && event.data.progress.done === 2,
    )
    expect((await listRuns()).runs[0]).toMatchObject({
      id: runId,
      state: 'running',
      status: 'running',
    })
    expect((await server.try('DELETE', `/api/runs/${runId}`)).json<ApiError>().error.code).toBe('live')

    await server.send('POST', `/api/runs/${runId}/stop`)
    await expect.poll(() => hanging.stats().inFlight).toBe(0)
    expect((await watched.rest()).at(-1)?.event).toBe('finished')
    expect((await listRuns()).runs.find((run) => run.id === runId)).toMatchObject({
      status: 'cancelled',
      state: 'stopped',
      cells: { scored: 2, pending: 1 },
    })
    expect((await listRuns()).runs.filter((run) => run.seriesId === seriesId)).toHaveLength(1)
    expect((await server.try('POST', `/api/runs/${runId}/stop`)).status).toBe(409)

    isHeld = false
    const asked = hanging.stats().requests
    // Two tabs at once: it is resumed once.
    const resumed = await Promise.all([1, 2].map(() => server.send('POST', `/api/runs/${runId}/resume`)))
    expect(resumed).toEqual([
      { runId, seriesId },
      { runId, seriesId },
    ])
    const events = await eventsOf(runId).rest()
    const runs = (await listRuns()).runs.filter((run) => run.seriesId === seriesId)
    expect(runs.map(({ status, cells }) => [status, cells.scored])).toEqual([
      ['completed', 3],
      ['completed', 3],
    ])
    expect(hanging.stats().requests - asked).toBe(1 + 3)
    expect(events.at(-1)?.event).toBe('finished')
    expect((await server.try('POST', `/api/runs/${runId}/resume`)).json<ApiError>().error.code).toBe('complete')
    await hanging.close()
  })
  it('a run stopped by its budget continues with a higher one, even after a restart', async () => {
    const first = await startServer({ compose: composeServer })
    const body = {
      suiteId: await saveSuite(6, first),
      models: ['demo/good'],
      repeat: 2,
      concurrency: 1,
      parameters: { maxTokens: 50 },
    }
    const cost = (await first.send<RunEstimate>('POST', '/api/estimate', { ...body, repeat: 1 })).cost!
    const maxCost = cost / 2
    const { runId, seriesId } = await first.send<StartedRun>('POST', '/api/runs', { ...body, maxCost })
    await eventsOf(runId, first).rest()
    await first.close()

    const second = await startServer({ compose: composeServer, dataFolder: first.dataFolder })
    const stored = (await eventsOf(runId, second).rest()).find(isSnapshot)!.data
    expect(stored.progress).toMatchObject({
      state: 'stopped',
      stopped: expect.stringContaining('Stopped at its budget'),
      usedUpBudget: maxCost,
    })
    const resume = (request: object) => second.try('POST', `/api/runs/${runId}/resume`, request)
    const spent = (await listRuns(second)).runs[0]!.cost
    expect((await resume({ maxCost: spent })).json<ApiError>().error).toMatchObject({
      code: 'budget-spent',
      message: expect.stringContaining(`already used (${formatCost(spent)} spent)`),
    })
    expect((await resume({ maxCost: -1 })).status).toBe(422)
    expect((await listRuns(second)).runs).toMatchObject([{ id: runId, status: 'cancelled', state: 'stopped' }])
    // Without a higher budget it stops again at once, and viewers see why.
    await resume({})
    expect(
      (await eventsOf(runId, second).rest()).findLast((event) => isUpdate(event) || isSnapshot(event))?.data,
    ).toMatchObject({ progress: { state: 'stopped', usedUpBudget: maxCost } })

    expect((await resume({ maxCost: cost * 3 })).json()).toEqual({ runId, seriesId })
    await eventsOf(runId, second).rest()
    const runs = (await listRuns(second)).runs.filter((run) => run.seriesId === seriesId)
    expect(runs.map(({ status, cells }) => [status, cells.scored])).toEqual([
      ['completed', 6],
      ['completed', 6],
    ])
    expect(runs.reduce((sum, run) => sum + run.cost, 0)).toBeLessThanOrEqual(cost * 3)
    await second.remove()
  })
  it('a run of a killed server is resumed by the next one', async () => {
    const first = await startServer({ compose: composeServer, env: { BENCHMAKER_DEMO_DELAY_MS: '1000' } })
    const { runId } = await first.send<StartedRun>('POST', '/api/runs', {
      suiteId: 'example-first-look',
      models: ['demo/good'],
    })
    await eventsOf(runId, first).until((event) => isUpdate(event) && event.data.progress.done >= 5)
    // As after kill -9: the database as it was, without the end of the run.
    const copy = `${first.dataFolder}/copy.db`
    await first.context.storage.backupTo(copy)
    await first.close()
    const second = await startServer({ compose: composeServer })
    await second.context.replaceDatabase(copy)
    const [listed] = (await listRuns(second)).runs
    expect(listed).toMatchObject({ id: runId, status: 'running', state: 'interrupted' })
    const stored = (await eventsOf(runId, second).rest()).find(isSnapshot)!.data
    expect(stored.progress).toMatchObject({ state: 'interrupted', stopped: expect.stringContaining('Interrupted') })
    expect(stored.progress.done).toBeGreaterThanOrEqual(5)
    await second.send('POST', `/api/runs/${runId}/resume`)
    await eventsOf(runId, second).rest()
    expect((await listRuns(second)).runs[0]).toMatchObject({
      status: 'completed',
      state: 'done',
      cells: { total: 30, errors: 0, pending: 0 },
    })
    await second.remove()
    await first.remove()
  })
  it('a run that another process is working on is not interrupted until its claim expires, and can be taken over', async () => {
    const { storage } = server.context
    const suite = { name: 'S', testCases: [{ id: 'a', prompt: 'p', scoringMethod: 'boolean', weight: 1 }] }
    const header = { models: ['demo/good'], testSuiteName: 'S', testSuiteSnapshot: suite, startedAt: Date.now() }
    for (const id of ['elsewhere', 'quiet'])
      await storage.createRun({ id, kind: 'suite', ...header }, [{ testCaseId: 'a', modelId: 'demo/good' }])
    const claim = { host: 'another-machine', pid: 1, token: 'theirs', since: Date.now() }
    await storage.claim({ id: 'elsewhere', ...claim, renewedAt: Date.now() })
    await storage.claim({ id: 'quiet', ...claim, renewedAt: Date.now() - 60_000 })
    const find = async (id: string) => (await listRuns()).runs.find((run) => run.id === id)
    const workedOnBy = { host: 'another-machine', pid: 1, since: claim.since }
    expect(await find('elsewhere')).toMatchObject({ state: 'running', workedOnBy })
    expect(await find('quiet')).toMatchObject({ state: 'interrupted' })
    expect(await find('quiet')).not.toHaveProperty('workedOnBy')
    const shown = (await eventsOf('elsewhere').rest()).find(isSnapshot)!.data
    expect(shown.progress).toMatchObject({ state: 'running', workedOnBy })
    expect(shown.progress).not.toHaveProperty('stopped')
    const refusal = (await server.try('POST', '/api/runs/elsewhere/resume')).json<ApiError>().error
    expect(refusal.code).toBe('worked-on')
    expect(refusal.message).toMatch(/process 1 on host another-machine since .*take it over when you know/)
    expect((await server.try('DELETE', '/api/runs/elsewhere')).json<ApiError>().error.code).toBe('worked-on')
    await server.send('POST', '/api/runs/quiet/resume')
    await eventsOf('quiet').rest()
    expect(await find('quiet')).toMatchObject({ status: 'completed' })
    await server.send('POST', '/api/runs/elsewhere/resume', { takeOver: true })
    await eventsOf('elsewhere').rest()
    expect(await find('elsewhere')).toMatchObject({ status: 'completed' })
    expect(await storage.listClaims()).toEqual([])
    await server.send('DELETE', '/api/runs/elsewhere')
  })
  it('a provider that refuses the key ends the run with the reason', async () => {
    const refusing = await startModelServer({
      reply: () => ({
        status: 401,
        headers: { 'content-type': 'application/json' },
        pieces: ['{"error":{"message":"bad key"}}'],
      }),
    })
    await server.send('PUT', '/api/settings/endpoints/closed', { name: 'closed', baseUrl: refusing.baseUrl })
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: await saveSuite(10),
      models: ['closed/m'],
      repeat: 3,
    })
    const events = await eventsOf(runId).rest()
    const last = events.findLast((event) => isUpdate(event) || isSnapshot(event))
    expect(last?.data).toMatchObject({ progress: { state: 'failed', stopped: expect.stringContaining('bad key') } })
    await refusing.close()
  })
})

describe('streaming', () => {
  it('shows tails of at most 240 characters, retries with their reason, and errors', async () => {
    let asked = 0
    const chatty = await startModelServer({
      reply: ({ prompt }) => {
        if (prompt.endsWith(' 1') && asked++ === 0)
          return {
            status: 500,
            headers: { 'content-type': 'application/json' },
            pieces: ['{"error":{"message":"try later"}}'],
          }
        if (prompt.endsWith(' 2'))
          return {
            status: 404,
            headers: { 'content-type': 'application/json' },
            pieces: ['{"error":{"message":"no such model"}}'],
          }
        return undefined
      },
      answer: () => `${'🎈'.repeat(300)} echo end`,
    })
    await server.send('PUT', '/api/settings/endpoints/chatty', { name: 'chatty', baseUrl: chatty.baseUrl })
    const { runId } = await server.send<StartedRun>('POST', '/api/runs', {
      suiteId: await saveSuite(3),
      models: ['chatty/m'],
    })
    const cells = (await eventsOf(runId).rest()).flatMap((event) =>
      isUpdate(event) || isSnapshot(event) ? event.data.cells : [],
    )
    for (const { tail = '' } of cells) {
      expect(tail.length).toBeLessThanOrEqual(240)
      expect(tail.isWellFormed()).toBe(true)
    }
    expect(cells.some(({ message }) => /Retrying in \d+ ms: .*try later/.test(message ?? ''))).toBe(true)
    expect(cells.findLast(({ case: row }) => row === 2)).toMatchObject({
      state: 'error',
      outcome: 'error',
      message: expect.stringContaining('no such model'),
    })
    await chatty.close()
  })
  it('keeps the stream out of caches', async () => {
    const { runId } = await start({ limit: 1 })
    const watched = eventsOf(runId)
    expect(await watched.headers()).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    })
    await watched.rest()
  })
})
