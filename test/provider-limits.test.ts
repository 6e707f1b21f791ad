import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ClientError, type Client } from '../src/contract/index.ts'
import { systemClock } from '../src/services/requesting/clock.ts'
import { createPacing, type Pacing } from '../src/services/limits/pacing.ts'
import { openSharedLimits, openStorage } from '../src/storage/index.ts'
import { startPostgres, type PostgresServer } from '../src/storage/testing/postgres-server.ts'
import { MODEL, type AskingResult, type AskingTask } from './fakes/asking-process.ts'
import { startLimitedServer, type Arrival } from './fakes/limited-server.ts'
import { startModelServer } from './fakes/model-server.ts'

const program = join(import.meta.dirname, 'fakes', 'asking-process.ts')

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const cleanUp: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0)) await undo()
})

interface AskingProcess {
  ready: Promise<void>
  go(): void
  kill(): void
  /** Undefined if it was killed. */
  ended: Promise<AskingResult | undefined>
}

function startProcess(task: AskingTask): AskingProcess {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'pipe'] })
  cleanUp.push(() => void child.kill('SIGKILL'))
  const { promise: ready, resolve: setReady, reject } = Promise.withResolvers<void>()
  let result: AskingResult | undefined
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'ready') setReady()
    else result = JSON.parse(line)
  })
  const ended = new Promise<AskingResult | undefined>((resolve, fail) =>
    child.on('close', (code, signal) => {
      const failure = new Error(`the process ended with ${code ?? signal}: ${errors}`)
      reject(failure)
      if (signal === 'SIGKILL' || code === 0) resolve(result)
      else fail(failure)
    }),
  )
  ended.catch(() => {})
  ready.catch(() => {})
  return { ready, go: () => child.stdin.end('go\n'), kill: () => void child.kill('SIGKILL'), ended }
}

/** Stores a run with this many cells in a new database. */
async function createRun(cells: number): Promise<string> {
  const connectionString = await postgres.createDatabase()
  const storage = await openStorage({ connectionString })
  const testCases = Array.from({ length: cells }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}: ${'why '.repeat(18)}`,
    expectedOutput: 'four',
    scoringMethod: 'exact-match',
    weight: 1,
  }))
  await storage.createRun(
    { id: 'run', kind: 'suite', models: [MODEL], startedAt: 1, testSuiteSnapshot: { name: 'Limits', testCases } },
    testCases.map(({ id }) => ({ testCaseId: id, modelId: MODEL })),
  )
  await storage.close()
  return connectionString
}

const REQUEST = { modelId: MODEL, messages: [{ role: 'user' as const, content: 'Why?' }], parameters: {} }

const limitedClient: Client = {
  provider: 'limited',
  limits: { name: 'limited', requestsPerMinute: 1200 },
  complete: () => Promise.reject(new Error('nothing is sent here')),
  listModels: async () => [],
  close: async () => {},
}

/** As another process has it: with connections of its own. */
async function openPacing(connectionString: string): Promise<Pacing> {
  const pacing = createPacing({ clock: systemClock, limitStore: await openSharedLimits({ connectionString }) })
  cleanUp.push(() => pacing.close())
  return pacing
}

async function expireShare(connectionString: string, holder: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('UPDATE provider_shares SET expires_at = 0 WHERE holder = $1', [holder])
  await client.end()
}

async function startAll(tasks: AskingTask[]): Promise<AskingProcess[]> {
  const processes = tasks.map(startProcess)
  await Promise.all(processes.map(({ ready }) => ready))
  for (const { go } of processes) go()
  return processes
}

const waitUntil = async (isTrue: () => boolean) => {
  for (let waited = 0; !isTrue(); waited++) {
    if (waited > 6000) throw new Error('the condition never became true')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The most of anything that arrived within so many seconds. */
function busiest(arrivals: readonly Arrival[], seconds: number, amountOf: (arrival: Arrival) => number): number {
  return Math.max(
    ...arrivals.map(({ at }) =>
      arrivals
        .filter((other) => other.at >= at && other.at < at + seconds)
        .reduce((sum, other) => sum + amountOf(other), 0),
    ),
  )
}

describe('processes that share a PostgreSQL database', () => {
  it('keep a limit on requests and tokens a minute together, and use most of it', async () => {
    const processes = 3
    const cells = 90
    const limits = { requestsPerMinute: 1200, tokensPerMinute: 200_000 }
    const server = await startLimitedServer({ ...limits, windowSeconds: 5 }, { latencyMs: 100 })
    cleanUp.push(() => server.close())
    const connectionString = await createRun(cells)
    const task = { connectionString, baseUrl: server.baseUrl, runId: 'run', limits }
    const request = { suiteId: 'limits', models: [MODEL], concurrency: 24 }
    const running = await startAll(
      Array.from({ length: processes }, (_, remainder) => ({
        ...task,
        request,
        share: { of: processes, remainder },
      })),
    )
    const results = await Promise.all(running.map(({ ended }) => ended))
    expect(results.map((result) => result?.asked)).toEqual(Array.from({ length: processes }, () => cells / processes))

    const { arrivals } = server
    const lasted = arrivals.at(-1)!.at
    // At 20 a second, 90 requests take 4.5 s; a busy machine may take longer, but nothing is ever sent faster.
    expect(busiest(arrivals, 3, () => 1)).toBeLessThanOrEqual(3 * 20 * 1.1)
    expect(busiest(arrivals, 3, ({ tokens }) => tokens)).toBeLessThanOrEqual((3 * 200_000 * 1.1) / 60)
    expect(arrivals.filter(({ refusedBy }) => refusedBy).length).toBeLessThanOrEqual(cells / 20)
    expect(cells / (20 * lasted)).toBeGreaterThan(0.4)
    expect(server.stats().maxInFlight).toBeLessThanOrEqual(24)
  })

  it('all wait when one of them was told to', async () => {
    const PAUSE_MS = 2000
    const connectionString = await createRun(1)
    const [refused, other] = await Promise.all([1, 2].map(() => openPacing(connectionString)))
    const times: number[] = []
    const enter = async (pacing: Pacing) => {
      const admission = await pacing.throttleOf(limitedClient).enter(REQUEST)
      times.push(performance.now())
      return admission
    }
    // Both have slots that they have not used yet.
    const waiting = Array.from({ length: 30 }, () => enter(other!))
    const first = await enter(refused!)
    await waitUntil(() => times.length >= 5)
    const pausedAt = performance.now()
    first.onFailed(new ClientError('refused', 'slow down', { status: 429, retryAfterMs: PAUSE_MS }))
    const own = enter(refused!)
    for (const admission of await Promise.all([own, ...waiting])) admission.onUnsent()

    // Each process hears of it within a quarter of a second; a busy machine may need longer.
    const during = times.filter((at) => at > pausedAt + 1000 && at < pausedAt + PAUSE_MS - 50)
    expect(during).toEqual([])
    expect(times.filter((at) => at > pausedAt && at <= pausedAt + 1000).length).toBeLessThan(20)
    // Then at the usual rate of 19.4 a second, not all at once.
    const afterwards = times.filter((at) => at >= pausedAt + PAUSE_MS - 50)
    expect(afterwards.length).toBeGreaterThan(5)
    expect(afterwards.at(-1)! - afterwards[0]!).toBeGreaterThan((afterwards.length - 1) * 40)
  })

  it('do not tidy away the line that another has just made', async () => {
    const connectionString = await postgres.createDatabase()
    await (await openStorage({ connectionString })).close()
    const stores = [await openSharedLimits({ connectionString }), await openSharedLimits({ connectionString })]
    cleanUp.push(...stores.map((store) => () => store.close()))
    await stores[0]!.refund('one', 0)
    await stores[1]!.refund('two', 0)
    const client = new pg.Client({ connectionString })
    await client.connect()
    const { rows } = await client.query('SELECT key FROM provider_limits ORDER BY key')
    await client.end()
    expect(rows).toEqual([{ key: 'one' }, { key: 'two' }])
  })

  it('share the concurrency of a provider, and get what one had that is gone', async () => {
    const connectionString = await createRun(1)
    const limitStore = await openSharedLimits({ connectionString })
    cleanUp.push(() => limitStore.close())
    const take = (holder: string, kept: number) =>
      limitStore.acquire('provider x', { holder, limit: 4, wanted: 9, kept })
    expect(await take('a', 0)).toBe(4)
    expect(await take('b', 0)).toBe(0)
    // It has 4 requests in progress; as they end, it starts only 2.
    expect(await take('a', 4)).toBe(2)
    expect(await take('b', 0)).toBe(0)
    expect(await take('a', 2)).toBe(2)
    expect(await take('b', 0)).toBe(2)
    await expireShare(connectionString, 'a')
    expect(await take('b', 2)).toBe(4)
    await limitStore.release('provider x', 'b')
    expect(await take('c', 0)).toBe(4)
  })

  it('never pass the budget of a run or the concurrency of a provider, though they are killed', async () => {
    const COST = 0.001
    const BUDGET = 0.08
    const CONCURRENCY = 6
    const server = await startModelServer({ latencyMs: 40, answer: () => 'four', cost: COST })
    cleanUp.push(() => server.close())
    const connectionString = await createRun(400)
    const task = {
      connectionString,
      baseUrl: server.baseUrl,
      runId: 'run',
      limits: { concurrency: CONCURRENCY },
      // At most 20 × 1e-6 + 200 × 1e-5 dollars a request: twice what it costs.
      price: { prompt: 1e-6, completion: 1e-5 },
    }
    const request = {
      suiteId: 'limits',
      models: [MODEL],
      concurrency: 50,
      maxCost: BUDGET,
      parameters: { maxTokens: 200 },
    }
    const taskOf = (remainder: number) => ({ ...task, request, share: { of: 4, remainder } })
    const [killed, ...others] = await startAll([0, 1, 2].map(taskOf))
    await waitUntil(() => server.stats().requests > 15)
    killed!.kill()
    const results = await Promise.all([...others, ...(await startAll([taskOf(3)]))].map(({ ended }) => ended))
    await killed!.ended

    expect(results.map((result) => result?.isBudgetReached)).toEqual([true, true, true])
    const { requests, maxInFlight } = server.stats()
    expect(maxInFlight).toBeLessThanOrEqual(CONCURRENCY)
    // Every request is charged, whoever was killed since. Each request that was cut off is assumed to cost its maximum.
    expect(requests * COST).toBeLessThanOrEqual(BUDGET)
    const cutOff = CONCURRENCY
    expect(requests).toBeGreaterThanOrEqual(BUDGET / COST - 2 * (cutOff + 2))

    const storage = await openStorage({ connectionString })
    cleanUp.push(() => storage.close())
    const [summary] = await storage.listRuns({ ids: ['run'] })
    expect(summary!.cost).toBeLessThanOrEqual(BUDGET)
    expect(summary!.cells.scored).toBeGreaterThanOrEqual(BUDGET / COST - 2 * (cutOff + 2) - cutOff)
  })
})
