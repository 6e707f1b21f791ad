import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStorage } from './postgres-storage.ts'
import { startPostgres, type PostgresServer } from '../testing/postgres-server.ts'
import { startPostgresProxy } from '../testing/postgres-proxy.ts'
import { cell, cellsOf, createSample, ended, header, plainAnswer, startAttempt } from '../testing/samples.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

/**
 * Rule: an operation whose commit got no reply is neither lost nor written twice. A proxy stands between program and
 * server and drops the reply to the chosen COMMIT or batch of calls, or what was sent.
 */
describe('a connection lost during a commit', () => {
  it.each(['after the server committed', 'before the server saw it'] as const)('%s', async (when) => {
    const connectionString = await server.createDatabase()
    const proxy = await startPostgresProxy(connectionString, when)
    const storage = await openPostgresStorage({ connectionString: proxy.connectionString })
    for (const id of ['one', 'two', 'three']) {
      proxy.cutNextCommit()
      await createSample(storage, id)
    }
    proxy.cutNextCommit()
    const attempt = await startAttempt(storage, cell('one'))
    proxy.cutNextCommit()
    await storage.saveAnswer(attempt, { endedAt: 1, outcome: 'ok', cost: 0.5 }, cell('one'), {
      outcome: 'ok',
      response: 'x',
      latencyMs: 1,
      cost: 0.5,
    })
    proxy.cutNextCommit()
    await storage.saveScore(cell('one'), { score: 0.5 })
    const judging = await startAttempt(storage, cell('one'))
    proxy.cutNextCommit()
    await storage.endAttempt(judging, { endedAt: 2, outcome: 'error', cost: 0.25 })
    proxy.cutNextCommit()
    const document = await storage.saveDocument({ kind: 'vote', id: 'a', content: 1 })
    proxy.cutNextCommit()
    const claim = { id: 'one', host: 'h', pid: 1, token: 't', since: 1, renewedAt: 1 }
    expect(await storage.claim(claim)).toBeUndefined()
    proxy.cutNextCommit()
    expect(await storage.deleteRun('three')).toBe(true)

    expect(proxy.cuts()).toBe(10)
    expect(await storage.findRuns('')).toEqual(['two', 'one'])
    expect((await storage.loadAttempts('one')).map(({ id, end }) => [id, end?.cost])).toEqual([
      [attempt, 0.5],
      [judging, 0.25],
    ])
    expect((await storage.loadCell(cell('one')))?.result.score).toMatchObject({ score: 0.5 })
    expect(document.version).toBe(1)
    expect(await storage.documentVersions('vote', 'a')).toHaveLength(1)
    await storage.close()
    await proxy.close()
  })

  it('while the server still works on what it received: that never counts besides the repetition', async () => {
    const connectionString = await server.createDatabase()
    const proxy = await startPostgresProxy(connectionString)
    const storage = await openPostgresStorage({ connectionString: proxy.connectionString })
    await createSample(storage, 'run')
    const attempt = await startAttempt(storage, cell('run'))
    const admin = await connect(connectionString)
    const holder = await connect(connectionString)
    await holder.query('BEGIN')
    await holder.query('SELECT FROM cells FOR UPDATE')
    const readWaiting = async () => {
      const { rows } = await admin.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      )
      return rows.map(({ pid }) => pid)
    }
    const answering = storage.saveAnswer(attempt, { endedAt: 1, outcome: 'ok' }, cell('run'), plainAnswer('x'))
    await expect.poll(readWaiting).toHaveLength(1)
    const [lost] = await readWaiting()
    proxy.abandonOpenConnections()
    await expect.poll(async () => (await readWaiting()).filter((pid) => pid !== lost)).toHaveLength(1)
    await holder.query('ROLLBACK')
    await holder.end()
    await admin.end()
    await answering
    expect(await storage.loadAttempts('run')).toMatchObject([{ id: attempt, end: { outcome: 'ok' } }])
    await storage.close()
    await proxy.close()
  })

  it('again and again, at any moment and in any way: every cell ends with one answer, and every attempt once', async () => {
    const connectionString = await server.createDatabase()
    const proxy = await startPostgresProxy(connectionString, 'after the server committed')
    const storage = await openPostgresStorage({ connectionString: proxy.connectionString })
    const cases = Array.from({ length: 400 }, (_, index) => `case ${index}`)
    await storage.createRun(header('run'), cellsOf(cases, ['m']))
    const troubles = [proxy.cutNextCommit, proxy.abandonOpenConnections, proxy.cutOpenConnections]
    const ids: number[] = []
    const waiting = [...cases]
    const answerAll = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const key = cell('run', name, 'm')
        const id = await startAttempt(storage, key)
        ids.push(id)
        if (ids.length % 20 === 0) setTimeout(troubles[(ids.length / 20) % troubles.length]!, 5 * Math.random())
        await storage.saveAnswer(id, ended({ cost: 0.01 }), key, plainAnswer(name))
        await storage.saveScore(key, { score: 1 })
      }
    }
    await Promise.all(Array.from({ length: 10 }, answerAll))
    const attempts = await storage.loadAttempts('run')
    expect(attempts.map(({ id }) => id)).toEqual(ids.toSorted((a, b) => a - b))
    expect(attempts.every(({ end }) => end?.cost === 0.01)).toBe(true)
    const results = (await storage.loadRun('run'))?.results ?? []
    expect(results.map(({ response, score }) => [response, score?.score])).toEqual(cases.map((name) => [name, 1]))
    await storage.close()
    await proxy.close()
  })
})
