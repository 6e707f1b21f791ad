import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { InputError, type CellKey, type TakenWork } from '../src/contract/index.ts'
import { findActivity } from '../src/services/index.ts'
import { openStorage } from '../src/storage/index.ts'
import { startPostgres, type PostgresServer } from '../src/storage/testing/postgres-server.ts'
import { createLiveRuns } from '../src/server/runs/live-runs.ts'
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

/** A queued run that no worker has begun, and a way to die with its work. */
async function queueRun(cases: number, answer?: TeamAnswer) {
  const team = await openTeam({ postgres, cleanUp, ...(answer && { answer }) })
  const client = new pg.Client({ connectionString: team.connectionString })
  await client.connect()
  cleanUp.push(() => client.end())
  const detach = new AbortController()
  const [run] = await team.start({ models: ['a'] }, suiteOf(cases), {
    detach: detach.signal,
    onEvent: ({ type }) => type === 'run-started' && detach.abort(),
  })
  const { queue } = team
  const take = async (): Promise<TakenWork> => (await queue.take())!
  return {
    ...team,
    runId: run!.id,
    take,
    /** A worker takes the work, perhaps begins a cell alone, and is never heard of again. */
    async die(begun?: Omit<CellKey, 'runId'>): Promise<void> {
      const taken = await take()
      if (begun) await queue.begin(taken, begun)
      // What is left of a job whose heartbeat has stopped, without the wait for it.
      await queue.release(taken)
      await client.query(`UPDATE pgboss.job SET output = '{"value":{"message":"job heartbeat timeout"}}'`)
    },
    /** The same, as it happens. */
    async freeze(): Promise<void> {
      const taken = await take()
      await client.query(`UPDATE pgboss.job SET heartbeat_on = now() - interval '1 minute'`)
      while (await queue.renew(taken)) {
        await client.query(`UPDATE pgboss.job SET heartbeat_on = now() - interval '1 minute'`)
        await queue.supervise()
      }
    },
    async finish() {
      const worker = await team.startWorker()
      for (;;) {
        const stored = await team.storage.loadRun(run!.id)
        if (stored?.status !== 'running' || worker.reports.some(({ type }) => type === 'away'))
          return { run: stored!, reports: worker.reports, stop: worker.stop }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

const poison = { testCaseId: 'case-1', modelId: 'a' }

describe('work that workers die with', () => {
  it('is done cell by cell from the third loss on, and a cell with three failures ends as an error', async () => {
    const team = await queueRun(3)
    for (let loss = 0; loss < 2; loss++) await team.die()
    await team.freeze()
    for (let strike = 0; strike < 3; strike++) await team.die(poison)
    const { run } = await team.finish()
    expect(run.status).toBe('completed')
    expect(run.results.map(({ error }) => error)).toEqual([
      undefined,
      '3 workers ended without notice while they worked on nothing but this cell, so it was not tried again',
      undefined,
    ])
    expect(team.asked).toHaveLength(2)
  })

  it('counts neither work that was handed back nor, as a strike, a worker that died before it began a cell', async () => {
    const team = await queueRun(3)
    for (let turn = 0; turn < 12; turn++) await team.queue.release(await team.take())
    for (let loss = 0; loss < 3; loss++) await team.die()
    await team.die(poison)
    await team.die(poison)
    await team.die()
    const taken = await team.take()
    expect(taken.trouble).toMatchObject({ losses: 4, problem: undefined })
    expect(taken.trouble!.failuresOf(poison)).toBe(2)
    await team.queue.release(taken)
    expect((await team.finish()).run).toMatchObject({ status: 'completed', results: [{}, { score: { score: 1 } }, {}] })
  })

  it('stops the run if there is no cell to blame', async () => {
    const team = await queueRun(3)
    for (let loss = 0; loss < 8; loss++) await team.die()
    const { run, reports, stop } = await team.finish()
    await stop()
    expect(run).toMatchObject({ status: 'failed', results: [] })
    expect(reports).toMatchObject([{ type: 'given up', trouble: { losses: 8 } }])
    expect(await team.queue.listQueued()).toEqual([])
  })

  it('that fails in a worker is not tried for ever either', async () => {
    const team = await queueRun(3, ({ messages }) =>
      String(messages.at(-1)!.content).endsWith('1') ? 'poison' : 'yes',
    )
    const { scoring } = team.tools
    const broken: typeof scoring.scoreAnswer = async (compiled, answer, judging) => {
      if (typeof answer !== 'string' && answer.response === 'poison') throw new TypeError('broken')
      return scoring.scoreAnswer(compiled, answer, judging)
    }
    team.tools.scoring = { ...scoring, scoreAnswer: broken }
    let stored
    // Every worker leaves the run alone after its failure; so there is a new one each time.
    for (stored = await team.finish(); stored.run.status === 'running'; stored = await team.finish())
      await stored.stop()
    expect(stored.run.status).toBe('completed')
    const message = '3 workers failed while they worked on nothing but this cell, so it was not tried again: broken'
    expect(stored.run.results).toMatchObject([
      { score: { score: 1 } },
      { unscored: { code: 'scoring-failed', message } },
      { score: { score: 1 } },
    ])
    expect(team.asked).toHaveLength(3)
  })
})

describe('a machine whose clock is wrong by hours', () => {
  it.each([3, -3])('agrees with the others by the clock of the database (%i h)', async (hours) => {
    const team = await queueRun(3)
    const before = team.storage.now()
    const right = Date.now
    const wrong = vi.spyOn(Date, 'now').mockImplementation(() => right() + hours * 3_600_000)
    cleanUp.push(async () => wrong.mockRestore())
    const storage = await openStorage({ connectionString: team.connectionString })
    cleanUp.push(() => storage.close())
    const queue = await team.openQueue()
    const claims = async () => new Map((await storage.listClaims()).map(({ id, renewedAt }) => [id, renewedAt]))
    const renewed = (await claims()).get(team.runId)!
    while ((await claims()).get(team.runId) === renewed) await queue.supervise()
    const timeThere = storage.now()
    const activity = await findActivity([{ id: team.runId, status: 'running' }], { storage, now: timeThere })
    wrong.mockRestore()
    const after = right() + 10_000
    const times = [timeThere, (await claims()).get(team.runId)!]
    for (const time of times) {
      expect(time).toBeGreaterThanOrEqual(before)
      expect(time).toBeLessThan(after)
    }
    expect(activity.get(team.runId)).toMatchObject({ state: 'running', workedOnBy: { host: 'workers' } })
  })
})

describe('a run that a worker cannot work on', () => {
  it('does not keep it from other runs', async () => {
    const team = await openTeam({ postgres, cleanUp })
    const { connect } = team.tools
    const worker = await team.startWorker({
      connect: (request, repeat) => ({
        ...connect(request, repeat),
        clientOf: (modelId) => ({
          ...connect(request, repeat).clientOf(modelId),
          checkModel() {
            if (modelId === 'locked') throw new InputError('there is no key')
          },
        }),
      }),
    })
    const stopped = new AbortController()
    const startedAt = performance.now()
    const waiting = team.start({ models: ['locked'] }, suiteOf(200), { detach: stopped.signal })
    while (!worker.reports.some(({ type }) => type === 'refused'))
      await new Promise((resolve) => setTimeout(resolve, 10))
    const [run] = await team.start({ models: ['a'] }, suiteOf(200))
    expect(run).toMatchObject({ status: 'completed' })
    // It looks at a refused run again after 30 seconds, which a busy machine may need for the other.
    const looks = 1 + Math.floor((performance.now() - startedAt) / 30_000)
    expect(worker.reports.filter(({ type }) => type === 'refused').length).toBeLessThanOrEqual(looks)
    stopped.abort()
    const [locked] = await waiting
    expect(locked).toMatchObject({ status: 'running' })
  })
})

describe('a run that no worker can work on', () => {
  const startTeam = async () => {
    const team = await openTeam({ postgres, cleanUp })
    const { connect } = team.tools
    /** A worker that lacks something until `state.problem` is deleted. */
    const startRefusing = (state: { problem?: string }) =>
      team.startWorker({
        connect: (request, repeat) => ({
          ...connect(request, repeat),
          clientOf: (modelId) => ({
            ...connect(request, repeat).clientOf(modelId),
            checkModel() {
              if (state.problem !== undefined) throw new InputError(state.problem)
            },
          }),
        }),
      })
    const context = { storage: team.storage, queue: team.queue, now: Date.now, runTools: () => team.tools }
    const live = createLiveRuns(context, () => {})
    cleanUp.push(() => live.close())
    const reasons: (string | undefined)[] = []
    const follow = (cases: number) =>
      team.start({ models: ['a'] }, suiteOf(cases), {
        onEvent: (event) => void (event.type === 'run-waiting' && reasons.push(event.reason)),
      })
    const readActivity = async () => {
      const [run] = await team.storage.listRuns()
      const activity = run && (await findActivity([run], { storage: team.storage, now: team.storage.now() }))
      return run && activity?.get(run.id)
    }
    const readScreen = async () => {
      const [run] = await team.storage.listRuns()
      return run && live.find(run.id)?.progress()
    }
    return { ...team, startRefusing, follow, reasons, readActivity, readScreen }
  }
  const soon = { interval: 20 }

  it('says why within seconds in the terminal, the list and on its screen, and goes on with a worker that can', async () => {
    const team = await startTeam()
    await team.startRefusing({ problem: 'OPENAI_API_KEY is not set' })
    await team.startRefusing({ problem: 'there is no endpoint "lab"' })
    const following = team.follow(60)
    const why = 'Every worker refuses the run: OPENAI_API_KEY is not set; there is no endpoint "lab"'
    await expect.poll(() => team.reasons.at(-1), soon).toBe(why)
    await expect.poll(team.readActivity, soon).toMatchObject({ state: 'waiting', waiting: why })
    await expect.poll(team.readScreen, soon).toMatchObject({ state: 'waiting', waiting: why })
    await team.startWorker()
    expect(await following).toMatchObject([{ status: 'completed' }])
    expect(await team.storage.listClaims()).toEqual([])
  })

  it('goes on when a worker that refused it can work on it', async () => {
    const team = await startTeam()
    const state: { problem?: string } = { problem: 'there is no key' }
    const refusing = await team.startRefusing(state)
    const following = team.follow(3)
    await expect.poll(() => team.reasons, soon).toEqual(['Every worker refuses the run: there is no key'])
    delete state.problem
    await refusing.stop()
    await team.startRefusing(state)
    expect(await following).toMatchObject([{ status: 'completed' }])
  })

  it('is not said to wait while another worker works on it', async () => {
    const team = await startTeam()
    await team.startRefusing({ problem: 'there is no key' })
    await team.startWorker()
    expect(await team.follow(120)).toMatchObject([{ status: 'completed' }])
    expect(team.reasons).toEqual([])
  })

  it('says that no worker is running, or none of its version', async () => {
    const team = await startTeam()
    const other = await team.openQueue('0.9.0')
    const { leave } = await other.join({ kind: 'worker', name: 'old' })
    const following = team.follow(3)
    const needs =
      /^No worker of version 1\.0\.0 is running, only of 0\.9\.0; the run waits until one starts: benchmaker worker$/
    await expect.poll(() => team.reasons.at(-1), soon).toMatch(needs)
    await leave()
    await expect
      .poll(() => team.reasons.at(-1), soon)
      .toBe('No worker is running; the run waits until one starts: benchmaker worker')
    await team.startWorker()
    expect(await following).toMatchObject([{ status: 'completed' }])
  })
})
