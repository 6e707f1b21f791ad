import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, type PostgresServer } from '../../src/storage/testing/postgres-server.ts'
import { CONCURRENCY, crashWords, createWorld, startServing, until, type ListedRun } from './world.ts'

const CASES = 150

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

describe('PostgreSQL restarts during a run', () => {
  it('no cell is lost, and no cell is paid twice', async () => {
    const world = await createWorld({
      cases: CASES,
      env: { BENCHMAKER_DATABASE_URL: await postgres.createDatabase() },
    })
    const run = world.startRun()
    for (const asked of [20, 70]) {
      await world.untilAsked(asked)
      await postgres.pause()
      await postgres.resume()
    }
    const { code, err } = await run.ended
    expect(err).not.toMatch(crashWords)
    expect(code).toBe(0)
    expect(world.server.stats().requests).toBe(CASES)
    expect(await world.listRuns()).toMatchObject([{ status: 'completed', cells: { scored: CASES } }])
    await world.close()
  })

  it('a server that stays away ends the run cleanly, with its id, and resume finishes it', async () => {
    const world = await createWorld({
      cases: CASES,
      env: {
        BENCHMAKER_DATABASE_URL: await postgres.createDatabase(),
        BENCHMAKER_DATABASE_RECONNECT_SECONDS: '1',
      },
    })
    const run = world.startRun()
    await world.untilAsked(30)
    await postgres.pause()
    const { code, err } = await run.ended
    expect(err).not.toMatch(crashWords)
    expect(err).toMatch(/was away for 1 s .*Everything stored before is safe/)
    const [, id, done] = /Run (\S+) stopped: (\d+) of 150 cells .*benchmaker resume \1\n/s.exec(err) ?? []
    expect(id, err).toBeDefined()
    expect(code).toBe(3)
    const paid = world.server.stats().requests
    expect(Number(done)).toBeGreaterThanOrEqual(30 - 2 * CONCURRENCY)

    await postgres.resume()
    expect(await world.listRuns()).toMatchObject([{ id, state: 'interrupted' }])
    const resumed = await world.start('resume', id!).ended
    expect(resumed.err).not.toMatch(crashWords)
    expect(resumed.code).toBe(0)
    // Only what was in flight when the server went away is sent again: requests, and answers waiting to be stored.
    expect(world.server.stats().requests).toBeLessThanOrEqual(CASES + 2 * CONCURRENCY)
    expect(world.server.stats().requests).toBeGreaterThanOrEqual(paid)
    expect(await world.listRuns()).toMatchObject([{ id, status: 'completed', cells: { scored: CASES } }])
    await world.close()
  })

  it('the web server survives it, together with its runs', async () => {
    const world = await createWorld({
      env: { BENCHMAKER_DATABASE_URL: await postgres.createDatabase(), BENCHMAKER_DEMO_DELAY_MS: '40' },
    })
    const serving = await startServing(world)
    const started = await serving.post('/runs', {
      suiteId: 'example-first-look',
      models: ['demo/good', 'demo/poor'],
      repeat: 3,
      concurrency: 1,
    })
    expect(started).toMatchObject({ status: 201 })
    await postgres.pause()
    const during = serving.get('/runs?limit=10')
    await postgres.resume()
    expect(await during).toMatchObject({ status: 200 })
    expect(serving.process.hasEnded()).toBe(false)
    await until(async () => {
      const { body } = await serving.get<{ runs: ListedRun[] }>('/runs?limit=10')
      return body.runs.length === 3 && body.runs.every(({ status }) => status === 'completed')
    }, 'the series completes')
    expect(serving.process.err()).not.toMatch(crashWords)
    serving.process.child.kill('SIGTERM')
    const { code, err } = await serving.process.ended
    expect(code, err).toBe(0)
    await world.close()
  })
})
