import { get } from 'node:http'
import { expect, it } from 'vitest'
import type { TableVersions } from '../contract/index.ts'
import { createHealth, type HealthBody } from './health.ts'
import { startHealthServer } from './health-server.ts'

/** A database whose state the test chooses, and a clock that it moves. */
function createTested(timeoutMs?: number) {
  const state = { time: 0, asked: 0, read: (): Promise<TableVersions> => Promise.resolve({ stored: 5, supported: 5 }) }
  const health = createHealth({
    now: () => state.time,
    readVersions: () => {
      state.asked++
      return state.read()
    },
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  const check = async () => {
    state.time += 1_000
    return health.ready()
  }
  return { state, health, check }
}

it('is ready only with a reachable database whose tables fit this program', async () => {
  const { state, check } = createTested()
  const ready = { shutdown: 'none', database: 'ok', migrations: 'ok' }
  expect(await check()).toEqual({ status: 200, body: { status: 'ready', checks: ready } })
  state.read = () => Promise.resolve({ stored: 4, supported: 5 })
  expect(await check()).toMatchObject({ status: 503, body: { checks: { ...ready, migrations: 'missing' } } })
  state.read = () => Promise.resolve({ stored: 6, supported: 5 })
  expect(await check()).toMatchObject({ status: 503, body: { checks: { ...ready, migrations: 'newer' } } })
  state.read = () => Promise.reject(new Error('password canary-4711 rejected'))
  const unreachable = { ...ready, database: 'unreachable', migrations: 'unknown' }
  // Nothing of the error is in the reply.
  expect(await check()).toEqual({ status: 503, body: { status: 'not ready', checks: unreachable } })
  state.read = () => Promise.resolve({ stored: 5, supported: 5 })
  expect(await check()).toMatchObject({ status: 200 })
})

it('does not wait for a database that never replies', async () => {
  const { state, check } = createTested(20)
  state.read = () => new Promise(() => undefined)
  expect(await check()).toMatchObject({ status: 503, body: { checks: { database: 'unreachable' } } })
})

it('asks the database once a second at most, however many ask', async () => {
  const { state, health } = createTested()
  await Promise.all(Array.from({ length: 50 }, () => health.ready()))
  state.time = 999
  await health.ready()
  expect(state.asked).toBe(1)
  state.time = 1_000
  await health.ready()
  expect(state.asked).toBe(2)
})

it('is alive but not ready while it stops, and no longer asks the database', async () => {
  const { state, health, check } = createTested()
  health.stop()
  expect(health.isStopping()).toBe(true)
  expect(health.alive()).toEqual({ status: 200, body: { status: 'alive' } })
  expect(await check()).toEqual({
    status: 503,
    body: { status: 'not ready', checks: { shutdown: 'in progress', database: 'unknown', migrations: 'unknown' } },
  })
  expect(state.asked).toBe(0)
})

it('a process without a web app serves both on a port of its own, whatever the Host header', async () => {
  const { health, state } = createTested()
  const server = await startHealthServer(health, { port: 0 })
  const ask = (path: string): Promise<{ status: number | undefined; body: HealthBody }> =>
    new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: server.port, path, headers: { host: '10.1.2.3:8080' } }, (reply) => {
        let text = ''
        reply.on('data', (piece) => (text += piece))
        reply.on('end', () => resolve({ status: reply.statusCode, body: JSON.parse(text) }))
      }).on('error', reject)
    })
  try {
    expect(await ask('/healthz')).toEqual({ status: 200, body: { status: 'alive' } })
    expect(await ask('/readyz?x=1')).toMatchObject({ status: 200, body: { status: 'ready' } })
    state.time += 1_000
    state.read = () => Promise.reject(new Error('gone'))
    expect(await ask('/readyz')).toMatchObject({ status: 503, body: { status: 'not ready' } })
    expect(await ask('/api/runs')).toMatchObject({ status: 404 })
    await expect(startHealthServer(health, { port: server.port })).rejects.toThrow(
      `the health port ${server.port} on 127.0.0.1 cannot be used (EADDRINUSE): choose another one`,
    )
  } finally {
    await server.close()
  }
})
