import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  ClientError,
  LeaseLost,
  runRequestSchema,
  type CellResult,
  type Client,
  type Storage,
} from '../src/contract/index.ts'
import { createLiveRuns } from '../src/server/runs/live-runs.ts'
import { findActivityOf } from '../src/server/runs/run-activity.ts'
import { leaseStorage } from '../src/services/distributing/work-on-lease.ts'
import {
  findActivity,
  prepareRun,
  resumeSeries,
  startSeries,
  systemClock,
  type RunEvent,
  type RunTools,
} from '../src/services/index.ts'
import { openStorage } from '../src/storage/index.ts'
import { startPostgres, type PostgresServer } from '../src/storage/testing/postgres-server.ts'
import { openTeam, suiteOf, type TeamAnswer } from './team.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())
const cleanUp: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).toReversed()) await undo()
})

const createTeam = (answer?: TeamAnswer) => openTeam({ postgres, cleanUp, ...(answer && { answer }) })

describe('a run that waits for an answer', () => {
  it.each(['SQLite', 'PostgreSQL', 'PostgreSQL and a worker'])('uses almost no processor on %s', async (name) => {
    let answer = (_text: string) => {}
    const team = await createTeam(() => new Promise<string>((resolve) => (answer = resolve)))
    const isOnWorkers = name === 'PostgreSQL and a worker'
    if (isOnWorkers) await team.startWorker()
    const folder = mkdtempSync(join(tmpdir(), 'benchmaker-waiting-'))
    const storage = name === 'SQLite' ? await openStorage({ file: join(folder, 'data.db') }) : team.storage
    const tools = { ...team.tools, storage }
    const request = runRequestSchema.parse({ suiteId: 'team', models: ['a'] })
    const running = startSeries(
      await prepareRun({ kind: 'suite', request, suite: suiteOf(1) }, tools),
      tools,
      isOnWorkers ? { onWorkers: 'always' } : {},
    )
    await expect.poll(() => team.asked.length).toBe(1)
    const [start, before] = [performance.now(), process.threadCpuUsage()]
    await systemClock.sleep(1000)
    const { user, system } = process.threadCpuUsage(before)
    const share = (user + system) / 1000 / (performance.now() - start)
    answer('yes')
    expect(await running).toMatchObject([{ status: 'completed' }])
    if (storage !== team.storage) await storage.close()
    rmSync(folder, { recursive: true })
    expect(share).toBeLessThan(0.5)
  })
})

describe('a run on workers', () => {
  it('emits the events of the engine to whoever follows it', async () => {
    const team = await createTeam()
    await team.startWorker()
    const events: RunEvent[] = []
    const [run] = await team.start({ models: ['a', 'b'], repeat: 2 }, suiteOf(30), {
      onEvent: (event) => events.push(event),
    })
    expect(run).toMatchObject({ status: 'completed' })
    const types = events.map(({ type }) => type)
    const started = events.filter((event) => event.type === 'run-started')
    const before = started.flatMap(({ run: { results } }) => results)
    expect(before.length + types.filter((type) => type === 'cell-scored').length).toBe(120)
    expect(types.at(-1)).toBe('run-finished')
    const spentBefore = started.reduce((sum, { spent }) => sum + spent.known, 0)
    const spent = events.reduce((sum, event) => sum + (event.type === 'attempt-ended' ? (event.end.cost ?? 0) : 0), 0)
    expect(spentBefore + spent).toBeCloseTo(120 * 0.02, 6)
    expect(await team.queue.listQueued()).toEqual([])
    expect(await team.storage.listClaims()).toEqual([])
  })

  it('returns every run of a series, even if workers had finished them all before it looked', async () => {
    const team = await createTeam()
    await team.startWorker()
    const listStatuses = async () => (await team.storage.listRuns()).map(({ status }) => status)
    const slow: Pick<Storage, 'runsOfSeries'> = {
      async runsOfSeries(id) {
        await expect.poll(listStatuses).toEqual(['completed', 'completed'])
        return team.storage.runsOfSeries(id)
      },
    }
    const storage: Storage = Object.assign(Object.create(team.storage), slow)
    const request = runRequestSchema.parse({ suiteId: 'team', models: ['a'], repeat: 2 })
    const tools = { ...team.tools, storage }
    const runs = await startSeries(await prepareRun({ kind: 'suite', request, suite: suiteOf(3) }, tools), tools, {
      onWorkers: 'always',
    })
    expect(runs).toHaveLength(2)
  })

  it('keeps answers that are compared with each other in one part, and judges them', async () => {
    const team = await createTeam(({ modelId }) =>
      modelId === 'judge' ? JSON.stringify({ winner: 'first', reasoning: 'because' }) : `I am ${modelId}`,
    )
    const worker = await team.startWorker()
    const [run] = await team.start({ models: ['a', 'b', 'c'], judgeModelIds: ['judge'] }, suiteOf(20, 'pairwise'))
    expect(run!.results).toHaveLength(60)
    expect(run!.results.every(({ score }) => score !== undefined)).toBe(true)
    // 16 cases of three cells, then the other four.
    const parts = worker.reports.flatMap((report) =>
      report.type === 'done' && report.work.kind === 'cells' ? report.work.testCaseIds.length : [],
    )
    expect(parts.toSorted()).toEqual([16, 4])
  })

  it('stops for everybody when the budget is spent, and a resume with a higher one finishes it', async () => {
    const team = await createTeam()
    await Promise.all([team.startWorker(), team.startWorker()])
    const reached: RunEvent[] = []
    const onEvent = (event: RunEvent) => void (event.type === 'budget-reached' && reached.push(event))
    const [stopped] = await team.start({ models: ['a'], maxCost: 2.99, repeat: 2 }, suiteOf(200), { onEvent })
    expect(stopped).toMatchObject({ status: 'cancelled', stopReason: 'budget' })
    const [{ cost } = { cost: 0 }] = await team.storage.listRuns()
    // The other worker may still have stored an answer after that.
    expect(reached).toEqual([{ type: 'budget-reached', spent: expect.closeTo(cost, 0), assumed: 0 }])
    expect(reached).not.toMatchObject([{ spent: 2.99 }])
    // The other worker first hears of it.
    await expect.poll(() => team.queue.listQueued()).toEqual([])
    const done = (await team.storage.listRuns())[0]!.cells.scored
    const resumed = await resumeSeries(stopped!.id, { maxCost: 100 }, team.tools, { onWorkers: 'if-any' })
    expect(resumed.runs).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
    expect(resumed.runs.flatMap(({ results }) => results.filter(({ score }) => score))).toHaveLength(400)
    expect(done + resumed.asked + resumed.scored).toBe(400)
  })

  it('stops when the provider refuses every request', async () => {
    const team = await createTeam(() => {
      throw new ClientError('refused', 'wrong key', { status: 401 })
    })
    await team.startWorker()
    const events: RunEvent[] = []
    const [run] = await team.start({ models: ['a'] }, suiteOf(120), { onEvent: (event) => events.push(event) })
    expect(run).toMatchObject({ status: 'failed', stopReason: 'provider' })
    expect(team.asked.length).toBeLessThan(60)
    expect(events.map(({ type }) => type)).toContain('provider-refused')
  })

  it('lets other providers finish when one refuses every request, and a resume asks the rest', async () => {
    let isRefusing = true
    const team = await createTeam()
    const { clientOf } = team.tools.connect(runRequestSchema.parse({ suiteId: 'team', models: ['a'] }), 0)
    let refused = 0
    const other: Client = {
      ...clientOf('b'),
      provider: 'other',
      async complete(...args) {
        if (!isRefusing) return clientOf('b').complete(...args)
        refused++
        throw new ClientError('refused', 'wrong key', { status: 401 })
      },
    }
    const tools: RunTools = {
      ...team.tools,
      connect: (...args) => ({
        ...team.tools.connect(...args),
        clientOf: (modelId) => (modelId === 'b' ? other : clientOf(modelId)),
      }),
    }
    await team.startWorker(tools)
    const request = runRequestSchema.parse({ suiteId: 'team', models: ['a', 'b'] })
    const [run] = await startSeries(await prepareRun({ kind: 'suite', request, suite: suiteOf(150) }, tools), tools, {
      onWorkers: 'always',
    })
    expect(run).toMatchObject({ status: 'failed', stopReason: 'provider' })
    const countScores = (results: CellResult[], model: string) =>
      results.filter(({ modelId, score }) => modelId === model && score).length
    expect([countScores(run!.results, 'a'), countScores(run!.results, 'b')]).toEqual([150, 0])
    expect(refused).toBeLessThan(100)
    isRefusing = false
    const resumed = await resumeSeries(run!.id, {}, tools, { onWorkers: 'always' })
    expect(resumed.runs).toMatchObject([{ status: 'completed' }])
    expect(countScores(resumed.runs[0]!.results, 'b')).toBe(150)
  })

  it('goes on with the other models of a provider when one is refused', async () => {
    const team = await createTeam(({ modelId }) => {
      if (modelId === 'b') throw new ClientError('refused', 'no access', { status: 403 })
      return 'yes'
    })
    await team.startWorker()
    const events: RunEvent[] = []
    const onEvent = (event: RunEvent) => void (event.type === 'provider-refused' && events.push(event))
    const [run] = await team.start({ models: ['a', 'b'] }, suiteOf(150), { onEvent })
    expect(run).toMatchObject({ status: 'failed', stopReason: 'provider' })
    expect(run!.results.filter(({ modelId, score }) => modelId === 'a' && score)).toHaveLength(150)
    expect(run!.results.filter(({ modelId, error }) => modelId === 'b' && error).length).toBeLessThan(100)
    expect(events).toMatchObject([{ models: ['b'] }])
  })

  it('is interrupted in the web app when no worker is left, and is resumed there', async () => {
    const team = await createTeam(async () => {
      await systemClock.sleep(20)
      return 'yes'
    })
    const worker = await team.startWorker()
    let passed = 0
    const now = () => Date.now() + passed
    const tools = { ...team.tools, clock: { ...systemClock, now } }
    const context = { storage: team.storage, queue: team.queue, now, runTools: () => tools }
    const runs = createLiveRuns(context, () => {})
    cleanUp.push(() => runs.close())
    const request = runRequestSchema.parse({ suiteId: 'team', models: ['a'] })
    const { runId } = await runs.startSuite({ kind: 'suite', request, suite: suiteOf(200) })
    await expect.poll(() => team.asked.length).toBeGreaterThan(10)
    await worker.stop()
    const readActivity = () => findActivityOf({ id: runId, status: 'running' }, { ...context, runs })
    expect(await readActivity()).toMatchObject({ state: 'running' })
    passed = 60_000
    expect(await readActivity()).toEqual({ state: 'interrupted' })
    await runs.resume(runId)
    const readRun = async () => (await team.storage.listRuns())[0]
    await expect.poll(readRun).toMatchObject({ status: 'completed', cells: { scored: 200 } })
  })

  it('a resume retries errors in every run of the series', async () => {
    let isBroken = true
    const team = await createTeam(({ messages }) => {
      if (isBroken && String(messages.at(-1)!.content).endsWith('7'))
        throw new ClientError('refused', 'bad', { status: 404 })
      return 'yes'
    })
    await team.startWorker()
    const runs = await team.start({ models: ['a'], repeat: 2 }, suiteOf(20))
    expect(runs.map(({ results }) => results.filter(({ error }) => error !== undefined).length)).toEqual([2, 2])
    isBroken = false
    const resumed = await resumeSeries(runs[0]!.id, {}, team.tools, { onWorkers: 'always' })
    expect(resumed).toMatchObject({ retried: 4, asked: 4, scored: 0 })
    expect(resumed.runs.map(({ results }) => results.filter(({ score }) => score).length)).toEqual([20, 20])
    expect(team.asked).toHaveLength(44)
  })

  it('without a worker, `if-any` works here, and a waiting run can be taken over', async () => {
    const team = await createTeam()
    const [here] = await team.start({ models: ['a'] }, suiteOf(3), { onWorkers: 'if-any' })
    expect(here).toMatchObject({ status: 'completed' })
    const detach = new AbortController()
    const following = team.start({ models: ['a'] }, suiteOf(3), {
      detach: detach.signal,
      onEvent: ({ type }) => type === 'run-started' && detach.abort(),
    })
    const [waiting] = await following
    expect(waiting).toMatchObject({ status: 'running' })
    const { storage } = team
    const activity = await findActivity([waiting!], { storage, now: Date.now() })
    expect(activity.get(waiting!.id)).toMatchObject({ state: 'running', workedOnBy: { host: 'workers' } })
    await expect(resumeSeries(waiting!.id, {}, team.tools)).rejects.toThrow(/running on workers since .*--take-over/)
    const { runs } = await resumeSeries(waiting!.id, {}, team.tools, { takeOver: true })
    expect(runs).toMatchObject([{ status: 'completed' }])
    expect(await team.queue.listQueued()).toEqual([])
    expect(await team.queue.take()).toBeUndefined()
  })
})

describe('a lease', () => {
  const queueOne = async () => {
    const team = await createTeam()
    const detach = new AbortController()
    const [run] = await team.start({ models: ['a'] }, suiteOf(2), {
      detach: detach.signal,
      onEvent: ({ type }) => type === 'run-started' && detach.abort(),
    })
    const cell = { runId: run!.id, testCaseId: 'case-0', modelId: 'a' }
    const attempt = { ...cell, purpose: 'answer' as const, askedModel: 'a', startedAt: 1 }
    return { ...team, run: run!, cell, attempt }
  }
  const end = { endedAt: 2, outcome: 'ok' as const, cost: 0.5 }
  const answer = { outcome: 'ok' as const, response: 'late', latencyMs: 1 }

  it('that was handed on refuses the writes of the worker that had it, but keeps what was paid', async () => {
    const { queue, storage, cell, attempt } = await queueOne()
    const first = (await queue.take())!
    const mine = leaseStorage(storage, first, queue)
    const id = await mine.startAttempt(attempt)
    await queue.release(first)
    const second = (await queue.take())!
    expect(second).toMatchObject({ id: first.id, epoch: first.epoch + 1 })
    await expect(mine.saveAnswer(id, end, cell, answer)).rejects.toThrow(LeaseLost)
    await expect(mine.startAttempt(attempt)).rejects.toThrow(LeaseLost)
    await expect(mine.saveError(cell, 'error', 'late')).rejects.toThrow(LeaseLost)
    await expect(queue.complete(first)).rejects.toThrow(LeaseLost)
    expect(await queue.renew(first)).toBe(false)
    const stored = await storage.loadCell(cell)
    expect(stored?.answer).toBeUndefined()
    expect(stored?.attempts).toMatchObject([{ end: { cost: 0.5 } }])

    const theirs = leaseStorage(storage, second, queue)
    await theirs.saveAnswer(await theirs.startAttempt(attempt), end, cell, { ...answer, response: 'yes' })
    expect((await storage.loadCell(cell))?.answer).toMatchObject({ response: 'yes' })
    expect(await queue.renew(second)).toBe(true)
  })

  it('ends when the run is taken back, and the run can be queued again', async () => {
    const { queue, storage, run, attempt } = await queueOne()
    const taken = (await queue.take())!
    expect(await queue.withdraw(run.id)).toBe(true)
    expect(await queue.withdraw(run.id)).toBe(false)
    expect(await queue.renew(taken)).toBe(false)
    await expect(leaseStorage(storage, taken, queue).startAttempt(attempt)).rejects.toThrow(LeaseLost)
    expect(await storage.listClaims()).toEqual([])
    if (taken.work.kind !== 'cells') throw new Error('expected cells')
    await queue.enqueue(taken.work, [taken.work])
    await queue.enqueue(taken.work, [taken.work])
    expect(await queue.take()).toBeDefined()
    expect(await queue.take()).toBeUndefined()
  })

  it('goes to workers of the same version only', async () => {
    const { queue, openQueue } = await queueOne()
    const other = await openQueue('2.0.0')
    expect(await other.take()).toBeUndefined()
    expect(await other.findOtherVersion()).toBe(queue.version)
    expect(await queue.findOtherVersion()).toBeUndefined()
    const server = await other.join({ kind: 'server', name: 'new' })
    // Both are needed now: the old one by a run, the new one by its server.
    expect(await queue.findOtherVersion()).toBeUndefined()
    expect(await other.findOtherVersion()).toBeUndefined()
    await server.leave()
  })
})
