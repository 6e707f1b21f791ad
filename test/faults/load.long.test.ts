/**
 * Load on one server: many people watch a run and many read beside it, and a thousand runs follow each other. Shorter or
 * longer by hand:
 *
 *     BENCHMAKER_LOAD_SECONDS=600 BENCHMAKER_LOAD_RUNS=5000 npx vitest run --mode long test/faults/load.long.test.ts
 */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it } from 'vitest'
import { composeServer } from '../../src/cli/compose-server.ts'
import { startServer, type StartedServer } from '../../src/server/testing/started-server.ts'

const SECONDS = Number(process.env['BENCHMAKER_LOAD_SECONDS'] ?? 60)
const RUNS = Number(process.env['BENCHMAKER_LOAD_RUNS'] ?? 1000)
const WATCHERS = 200
const READERS = 20
/** A run of one case leaves a few hundred bytes in lists that are kept for each run; what it used is far more. */
const MAX_GROWTH_PER_RUN = 10_000

let server: StartedServer
afterEach(() => server.remove())

const startRun = (request: object) =>
  server.send<{ runId: string }>('POST', '/api/runs', { suiteId: 'example-first-look', ...request })

it(
  `serves ${WATCHERS} watchers and ${READERS} readers beside a run without a failed read`,
  async () => {
    server = await startServer({ compose: composeServer, env: { BENCHMAKER_DEMO_DELAY_MS: '100' } })
    const { runId } = await startRun({ models: ['demo/good', 'demo/fair', 'demo/poor'], repeat: 100, concurrency: 1 })
    const watchers = Array.from({ length: WATCHERS }, () => server.watch(`/api/runs/${runId}/events`))
    const updates = await Promise.all(watchers.map((watcher) => watcher.next()))
    expect(updates.every((event) => event?.event === 'snapshot')).toBe(true)
    const until = performance.now() + SECONDS * 1000
    const paths = ['/api/app', '/api/runs', '/api/suites', `/api/results/${runId}`, `/api/results/${runId}/cases`]
    const failed: string[] = []
    let reads = 0
    let slowest = 0
    const read = async (reader: number) => {
      for (let turn = reader; performance.now() < until; turn++) {
        const path = paths[turn % paths.length]!
        const startedAt = performance.now()
        const status = await server.try('GET', path).then(
          (reply) => reply.status,
          (error: Error) => error.message,
        )
        slowest = Math.max(slowest, performance.now() - startedAt)
        reads++
        if (status !== 200) failed.push(`${path}: ${status}`)
        await pause(100)
      }
    }
    await Promise.all(Array.from({ length: READERS }, (_, reader) => read(reader)))
    // Every watcher still gets what happens, and then the end.
    expect((await Promise.all(watchers.map((watcher) => watcher.next()))).every(Boolean)).toBe(true)
    const ends = Promise.all(watchers.map((watcher) => watcher.until(({ event }) => event === 'finished')))
    const open = await server.get<{ runs: { id: string; state: string }[] }>('/api/runs')
    const current = open.runs.find(({ state }) => state === 'running')
    expect(current).toBeDefined()
    await server.send('POST', `/api/runs/${current?.id ?? runId}/stop`)
    await ends
    console.info(`${reads} reads, the slowest took ${Math.round(slowest)} ms`)
    expect(failed).toEqual([])
    expect(server.log).toEqual([])
  },
  SECONDS * 1000 + 120_000,
)

it(
  `has no more memory in use after ${RUNS} runs than its caches hold`,
  async () => {
    setFlagsFromString('--expose_gc')
    const collectGarbage: () => void = runInNewContext('gc')
    server = await startServer({ compose: composeServer })
    const measure = async () => {
      await pause(200)
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const runMany = async (count: number) => {
      for (let done = 0; done < count; done++) {
        const { runId } = await startRun({ models: ['demo/good'], limit: 1 })
        await server.watch(`/api/runs/${runId}/events`).rest()
        await server.get(`/api/results/${runId}`)
      }
    }
    // Caches fill up first.
    await runMany(RUNS / 4)
    const before = await measure()
    const rest = RUNS - RUNS / 4
    await runMany(rest)
    const growth = ((await measure()) - before) / rest
    console.info(`${Math.round(growth)} bytes a run`)
    expect(growth).toBeLessThan(MAX_GROWTH_PER_RUN)
  },
  RUNS * 1000,
)
