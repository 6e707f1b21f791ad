import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createRandom } from '../../src/statistics/index.ts'
import { endpointKeyName, openKeyStore, saveEndpoint } from '../../src/settings/index.ts'
import { openStorage, openWorkQueue } from '../../src/storage/index.ts'
import { startPostgres, type PostgresServer } from '../../src/storage/testing/postgres-server.ts'
import { crashWords, createWorld, startServing, until, type ListedRun, type Started, type World } from './world.ts'

/** The long form kills 50 times and keeps the database away for 20 s. */
const KILLS = Number(process.env['BENCHMAKER_KILLS'] ?? 2)
const isLong = KILLS >= 50
if (isLong) vi.setConfig({ testTimeout: 900_000 })
const AWAY_MS = isLong ? 20_000 : 2_000

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())
/** After a failed test too: workers would wait for their database for ever. */
const worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
})

interface Team extends World {
  database: string
  startWorker(...args: string[]): Promise<Started>
  /** Starts a run in the terminal that hands its cells to the workers. */
  startTeamRun(...args: string[]): Started
  countCells(): Promise<ListedRun['cells']>
}

const CONCURRENCY = 4
/** Of one worker: requests, and answers waiting to be stored. */
const IN_FLIGHT = 2 * CONCURRENCY

async function createTeam(options: Parameters<typeof createWorld>[0]): Promise<Team> {
  const database = await postgres.createDatabase()
  const world = await createWorld({ ...options, env: { BENCHMAKER_DATABASE_URL: database, ...options?.env } })
  worlds.push(world)
  return {
    ...world,
    database,
    async startWorker(...args) {
      const worker = world.start('worker', ...args)
      await until(() => worker.err().includes('takes up to') || worker.hasEnded(), 'the worker starts')
      return worker
    },
    startTeamRun: (...args) => world.startRun('--on-workers', ...args),
    async countCells() {
      const storage = await openStorage({ connectionString: database })
      const [run] = await storage.listRuns({ limit: 1 })
      await storage.close()
      return run?.cells ?? { total: 0, scored: 0, errors: 0, pending: 0 }
    },
  }
}

async function stop(worker: Started): Promise<void> {
  worker.child.kill('SIGTERM')
  const { code, err } = await worker.ended
  expect(err).not.toMatch(crashWords)
  expect(code).toBe(0)
}

interface Stored {
  runs: { id: string; results: { testCaseId: string; modelId: string; score: unknown; response: string }[] }[]
}

/** Results in the order of the run, without what depends on the clock. */
function comparable(stdout: string) {
  const { runs }: Stored = JSON.parse(stdout)
  return runs.map(({ results }) =>
    results.map(({ testCaseId, modelId, score, response }) => ({ testCaseId, modelId, score, response })),
  )
}

describe('workers', () => {
  it('two workers give the results of one machine, over a series', async () => {
    const team = await createTeam({
      cases: 120,
      latencyMs: 10,
      answer: ({ prompt }) => (Number(/\d+/.exec(prompt)?.[0]) % 3 === 0 ? 'no' : 'yes'),
    })
    const workers = await Promise.all([team.startWorker(), team.startWorker('--name', 'second')])
    const onWorkers = await team.startTeamRun('--repeat', '2', '--json').ended
    expect(onWorkers.err).not.toMatch(crashWords)
    expect(onWorkers.code).toBe(0)
    expect(team.server.stats().requests).toBe(240)
    const here = await team.startRun('--repeat', '2', '--json').ended
    expect(comparable(onWorkers.out)).toEqual(comparable(here.out))
    // A run of 120 cells has three parts: with two workers, none of them did them all.
    const done = workers.map((worker) => worker.err().match(/test cases done/g)?.length ?? 0)
    expect(done.reduce((sum, parts) => sum + parts)).toBe(6)
    await Promise.all(workers.map(stop))
  })

  it('a worker that is killed loses nothing: its cells are taken over, and only calls in flight are repeated', async () => {
    const cases = 100 + 40 * KILLS
    const team = await createTeam({ cases, latencyMs: 40 })
    const random = createRandom('kill workers')
    let workers: Started[] = await Promise.all([team.startWorker(), team.startWorker()])
    const run = team.startTeamRun()
    await team.untilAsked(1)
    let kills = 0
    for (; kills < KILLS && !run.hasEnded(); kills++) {
      const before = team.server.stats().requests
      await until(() => team.server.stats().requests > before + 20 * random() || run.hasEnded(), 'more requests')
      const [victim, ...others] = random() < 0.5 ? workers : workers.toReversed()
      victim!.child.kill('SIGKILL')
      await victim!.ended
      workers = [...others, await team.startWorker()]
    }
    const { code, err } = await run.ended
    expect(err).not.toMatch(crashWords)
    expect(code).toBe(0)
    expect(await team.countCells()).toMatchObject({ total: cases, scored: cases, errors: 0 })
    expect(team.server.stats().requests).toBeLessThanOrEqual(cases + kills * IN_FLIGHT)
    if (isLong) console.log(`${kills} kills, ${cases} cells, ${team.server.stats().requests} requests`)
    await Promise.all(workers.map(stop))
  })

  it('PostgreSQL may go away in the middle of a run', async () => {
    const cases = 150
    const team = await createTeam({ cases, latencyMs: 40 })
    const workers = await Promise.all([team.startWorker(), team.startWorker()])
    const run = team.startTeamRun()
    await team.untilAsked(30)
    await postgres.pause()
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS))
    await postgres.resume()
    const { code, err } = await run.ended
    expect(err).not.toMatch(crashWords)
    expect(code).toBe(0)
    expect(await team.countCells()).toMatchObject({ total: cases, scored: cases, errors: 0 })
    expect(team.server.stats().requests).toBeLessThanOrEqual(cases + 2 * IN_FLIGHT)
    if (isLong) console.log(`away ${AWAY_MS} ms: ${cases} cells, ${team.server.stats().requests} requests`)
    await Promise.all(workers.map(stop))
  })

  it('a worker that is frozen past its lease and woken writes nothing twice', async () => {
    // One part: the other worker gets nothing before the lease runs out.
    const cases = 45
    const team = await createTeam({ cases, latencyMs: 100 })
    const frozen = await team.startWorker()
    const run = team.startTeamRun()
    await team.untilAsked(10)
    frozen.child.kill('SIGSTOP')
    const askedBefore = team.server.stats().requests
    const other = await team.startWorker()
    await until(
      () => team.server.stats().requests > askedBefore + CONCURRENCY || run.hasEnded(),
      'the other takes over',
    )
    frozen.child.kill('SIGCONT')
    await until(() => frozen.err().includes('dropped a part'), 'the woken worker notices')
    const { code, err } = await run.ended
    expect(err).not.toMatch(crashWords)
    expect(code).toBe(0)
    expect(await team.countCells()).toMatchObject({ total: cases, scored: cases, errors: 0 })
    expect(team.server.stats().requests).toBeLessThanOrEqual(cases + IN_FLIGHT)
    await Promise.all([frozen, other].map(stop))
  })

  it('a worker that is stopped hands its cells back at once, and a run can be stopped and resumed', async () => {
    const cases = 60
    const team = await createTeam({ cases, latencyMs: 150 })
    const first = await team.startWorker('--grace', '0')
    const run = team.startTeamRun()
    await team.untilAsked(10)
    await stop(first)
    expect(first.err()).toContain('handed back')
    const second = await team.startWorker()
    const asked = team.server.stats().requests
    await until(() => team.server.stats().requests > asked, 'the second worker takes over')
    run.child.kill('SIGINT')
    const cancelled = await run.ended
    expect(cancelled.code).toBe(130)
    await until(() => team.server.stats().inFlight === 0, 'the worker drops its calls')
    expect(await team.listRuns()).toMatchObject([{ status: 'cancelled' }])

    const resumed = await team.start('resume', 'latest', '--base-url', team.server.baseUrl, '--on-workers').ended
    expect(resumed.err).not.toMatch(crashWords)
    expect(resumed.code).toBe(0)
    expect(await team.countCells()).toMatchObject({ total: cases, scored: cases })
    expect(team.server.stats().requests).toBeLessThanOrEqual(cases + 2 * IN_FLIGHT)
    await stop(second)
  })

  it('a worker sees endpoints and keys that are saved after it has started', async () => {
    const team = await createTeam({ cases: 3 })
    const worker = await team.startWorker()
    const storage = await openStorage({ connectionString: team.database })
    await saveEndpoint(storage, { name: 'lab', baseUrl: team.server.baseUrl })
    await storage.close()
    await openKeyStore({ dataFolder: team.data }).set(
      endpointKeyName('lab'),
      'sk-lab-1',
      new URL(team.server.baseUrl).origin,
    )
    const { code, err } = await team.start('run', team.suite, '--models', 'lab/m', '--on-workers').ended
    expect(err).not.toMatch(crashWords)
    expect(code).toBe(0)
    expect(team.server.stats().requests).toBe(3)
    expect(team.server.requests.every(({ headers }) => headers.authorization === 'Bearer sk-lab-1')).toBe(true)
    await stop(worker)
  })

  it('a worker of another version is refused with words', async () => {
    const team = await createTeam({ cases: 1 })
    await team.listRuns()
    const server = await openWorkQueue({ connectionString: team.database, version: '9.9.9' })
    const member = await server.join({ kind: 'server', name: 'new' })
    const worker = await team.startWorker()
    const { code, err } = await worker.ended
    expect(err).toMatch(/is used by Benchmaker 9\.9\.9, and this worker is \S+: start a worker of version 9\.9\.9\./)
    expect(code).toBe(2)
    await member.leave()
    await server.close()
  })
})

/** What an open page receives. */
interface LiveData {
  progress?: { state: string; done: number; series?: { done: number; total: number } }
}

describe('the team server', () => {
  it('may be killed while workers go on, and then shows the run as it is', async () => {
    const team = await createTeam({ env: { BENCHMAKER_DEMO_DELAY_MS: '150' } })
    const first = await startServing(team)
    const worker = await team.startWorker('--concurrency', '2')
    const { body: started } = await first.post<{ runId: string }>('/runs', {
      suiteId: 'example-first-look',
      models: ['demo/good', 'demo/poor'],
      repeat: 3,
      concurrency: 1,
    })
    await until(async () => (await team.countCells()).scored > 0, 'the first cells are scored')
    first.process.child.kill('SIGKILL')
    await first.process.ended
    const second = await startServing(team)
    const readRuns = async () => (await second.get<{ runs: ListedRun[] }>('/runs?limit=10')).body.runs
    // On a slow machine the first run may have ended by now.
    let live: ListedRun | undefined
    await until(async () => {
      // Before it follows, the run is running in another process: the worker's.
      live = (await readRuns()).find(({ state, workedOnBy }) => state === 'running' && workedOnBy === undefined)
      return live !== undefined || worker.hasEnded()
    }, 'the new server follows the series')
    const openStream = async () => {
      const text = new TextDecoder().decode(await second.download(`/runs/${live!.id}/events`))
      const messages = text.match(/^data: .*$/gm)!.map((line): LiveData => JSON.parse(line.slice(6)))
      return messages.flatMap((data) => data.progress ?? [])
    }
    // Until the new server follows the series, a stream ends with what is stored, and the page opens another.
    let progress = await openStream()
    while (progress.at(-1)?.state === 'running') progress = await openStream()
    await until(async () => {
      const runs = await readRuns()
      return runs.length === 3 && runs.every(({ status }) => status === 'completed')
    }, 'the series completes')
    // Whoever opened the page after the restart saw the series as it was, and then every cell.
    expect(progress[0]!.series!.done).toBeGreaterThan(0)
    expect(progress.at(-1)).toMatchObject({ state: 'done', series: { done: 180, total: 180 } })
    const runs = await readRuns()
    expect(runs.map(({ id }) => id)).toContain(started.runId)
    for (const { cells } of runs) expect(cells).toMatchObject({ scored: cells.total, pending: 0 })
    expect(worker.err()).toContain(`Run ${started.runId}: completed.`)
    expect(second.process.err()).not.toMatch(crashWords)
    await Promise.all([stop(worker), stop(second.process)])
  })
})
