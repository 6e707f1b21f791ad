import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InputError, StorageError, type Storage } from '../../contract/index.ts'
import { startPostgres, type PostgresServer } from '../testing/postgres-server.ts'
import { cell, cellsOf, ended, header, plainAnswer, startAttempt } from '../testing/samples.ts'
import { openPostgresStorage } from './postgres-storage.ts'

const cases = Array.from({ length: 30 }, (_, index) => `case ${index}`)
let server: PostgresServer
let connectionString: string
let admin: pg.Client
beforeAll(async () => {
  server = await startPostgres()
  connectionString = await server.createDatabase()
  admin = new pg.Client({ connectionString })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await server.stop()
})

let runs = 0
async function openWithRun(): Promise<{ storage: Storage; runId: string }> {
  const storage = await openPostgresStorage({ connectionString })
  const runId = `run ${++runs}`
  await storage.createRun(header(runId), cellsOf(cases, ['m']))
  return { storage, runId }
}

const commits = async (): Promise<number> => {
  const { rows } = await admin.query<{ id: string }>('SELECT txid_current()::text AS id')
  return Number(rows[0]?.id)
}

/** Waits until as many connections wait for a lock. */
async function untilLocked(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await admin.query(
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'benchmaker'",
      )
      return rows.length
    })
    .toBeGreaterThanOrEqual(count)
}

describe('calls that wait are written together', () => {
  it('in a few transactions, each with its own result', async () => {
    const { storage, runId } = await openWithRun()
    const before = await commits()
    const ids = await Promise.all(cases.map((name) => startAttempt(storage, cell(runId, name, 'm'))))
    await Promise.all(
      cases.map((name, index) =>
        storage.saveAnswer(ids[index]!, ended({ cost: index }), cell(runId, name, 'm'), plainAnswer(`answer ${name}`)),
      ),
    )
    await Promise.all(cases.map((name, index) => storage.saveScore(cell(runId, name, 'm'), { score: index / 100 })))
    expect((await commits()) - before).toBeLessThan(10)
    const attempts = await storage.loadAttempts(runId)
    expect(attempts.map(({ id, testCaseId, end }) => [id, testCaseId, end?.cost])).toEqual(
      cases.map((name, index) => [ids[index], name, index]),
    )
    const results = (await storage.loadRun(runId))?.results
    expect(results?.map(({ response, score }) => [response, score?.score])).toEqual(
      cases.map((name, index) => [`answer ${name}`, index / 100]),
    )
    await storage.close()
  })

  it('without reading all cells of a run that PostgreSQL has no statistics of', async () => {
    const { storage, runId } = await openWithRun()
    const readStatistics = async (): Promise<{ read: number; updated: number }> => {
      const { rows } = await admin.query(
        "SELECT seq_tup_read + idx_tup_fetch AS read, n_tup_upd AS updated FROM pg_stat_user_tables WHERE relname = 'cells'",
      )
      return { read: Number(rows[0].read), updated: Number(rows[0].updated) }
    }
    const many = Array.from({ length: 2000 }, (_, index) => `one of many ${index}`)
    await storage.createRun(header(`${runId}, large`), cellsOf(many, ['m']))
    const last = many.slice(-20).map((name) => cell(`${runId}, large`, name, 'm'))
    const before = await readStatistics()
    const ids = await Promise.all(last.map((key) => startAttempt(storage, key)))
    await Promise.all(last.map((key, index) => storage.saveAnswer(ids[index]!, ended(), key, plainAnswer('yes'))))
    await Promise.all(last.map((key) => storage.saveScore(key, { score: 1 })))
    await storage.close()
    await expect
      .poll(async () => (await readStatistics()).updated - before.updated)
      .toBeGreaterThanOrEqual(2 * last.length)
    expect((await readStatistics()).read - before.read).toBeLessThan(20 * last.length)
  })

  it('if one cannot be written, only that one is refused', async () => {
    const { storage, runId } = await openWithRun()
    const ids = await Promise.all(cases.map((name) => startAttempt(storage, cell(runId, name, 'm'))))
    await storage.endAttempt(ids[3]!, ended())
    const settled = await Promise.allSettled([
      ...cases.map((name, index) =>
        storage.saveAnswer(ids[index]!, ended(), cell(runId, name, 'm'), plainAnswer(name)),
      ),
      storage.saveAnswer(ids[0]!, ended(), cell('nowhere'), plainAnswer('lost')),
      storage.saveError(cell(runId, 'missing', 'm'), 'error', 'lost'),
      startAttempt(storage, cell(runId, 'missing', 'm')),
    ])
    const refusals = settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))
    expect(refusals).toEqual([3, 30, 31, 32])
    for (const result of settled)
      if (result.status === 'rejected') expect(result.reason, String(result.reason)).toBeInstanceOf(InputError)
    expect(await storage.loadOpenCells(runId)).toHaveLength(30)
    const { rows } = await admin.query(
      'SELECT response FROM answers JOIN attempts ON attempts.id = attempt JOIN cells ON cells.id = answers.cell JOIN runs ON runs.number = run WHERE runs.id = $1',
      [runId],
    )
    expect(rows).toHaveLength(29)
    await storage.close()
  })

  it('the same cell twice in one turn is written in call order', async () => {
    const { storage, runId } = await openWithRun()
    const [one, two] = cases.map((name) => cell(runId, name, 'm'))
    const ids = await Promise.all([
      startAttempt(storage, one!),
      startAttempt(storage, one!),
      startAttempt(storage, two!),
    ])
    expect(new Set(ids).size).toBe(3)
    await Promise.all([
      storage.saveAnswer(ids[0]!, ended(), one!, plainAnswer('first')),
      storage.saveScore(one!, { score: 0.1 }),
      storage.saveAnswer(ids[1]!, ended(), one!, plainAnswer('second')),
      storage.saveAnswer(ids[2]!, ended(), two!, plainAnswer('other')),
      storage.saveScore(one!, { score: 0.2 }),
      storage.saveScore(one!, { score: 0.3 }),
      storage.saveScore(two!, { score: 1 }),
    ])
    const results = (await storage.loadRun(runId))?.results
    expect(results?.map(({ response, score }) => [response, score?.score])).toEqual([
      ['second', 0.3],
      ['other', 1],
    ])
    await storage.close()
  })

  it('long texts are written together too', async () => {
    const { storage, runId } = await openWithRun()
    const long = 'ä"\\'.repeat(800_000)
    const some = cases.slice(0, 4)
    const ids = await Promise.all(some.map((name) => startAttempt(storage, cell(runId, name, 'm'))))
    await Promise.all(
      some.map((name, index) =>
        storage.saveAnswer(ids[index]!, ended(), cell(runId, name, 'm'), plainAnswer(`${long}${index}`)),
      ),
    )
    const { rows } = await admin.query<{ tail: string; length: number }>(
      'SELECT right(response, 4) AS tail, length(response) AS length FROM answers WHERE attempt = ANY ($1) ORDER BY attempt',
      [ids],
    )
    expect(rows).toEqual(some.map((_, index) => ({ tail: `ä"\\${index}`, length: 2_400_001 })))
    await storage.close()
  })

  it('a row locked for too long fails its own call only', async () => {
    const { storage, runId } = await openWithRun()
    const impatient = await openPostgresStorage({ connectionString, lockTimeoutMs: 200 })
    const holder = new pg.Client({ connectionString })
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query("SELECT * FROM cells WHERE case_id = 'case 7' FOR UPDATE")
    const settled = await Promise.allSettled(
      cases.map((name) => impatient.saveError(cell(runId, name, 'm'), 'error', 'no')),
    )
    await holder.end()
    expect(settled.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7])
    expect(settled[7]).toMatchObject({ reason: { message: expect.stringMatching(/is locked by another program/) } })
    await impatient.close()
    await storage.close()
  })

  it('a table locked while the statements are prepared fails these calls, not the next', async () => {
    const { storage, runId } = await openWithRun()
    const impatient = await openPostgresStorage({ connectionString, lockTimeoutMs: 200, connections: 1 })
    const holder = new pg.Client({ connectionString })
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE attempts')
    const refused = startAttempt(impatient, cell(runId, 'case 0', 'm'))
    await expect(refused).rejects.toThrow(/is locked by another program/)
    await holder.end()
    const id = await startAttempt(impatient, cell(runId, 'case 0', 'm'))
    expect((await storage.loadAttempts(runId)).map((attempt) => attempt.id)).toEqual([id])
    await impatient.close()
    await storage.close()
  })

  it('all kinds of calls in one transaction', async () => {
    const { storage, runId } = await openWithRun()
    const [one, two, three, four] = cases.map((name) => cell(runId, name, 'm'))
    const ids = await Promise.all([one!, two!, three!].map((key) => startAttempt(storage, key)))
    await storage.saveAnswer(ids[0]!, ended(), one!, plainAnswer('first'))
    const before = await commits()
    const [, , , , fourth] = await Promise.all([
      storage.saveScore(one!, { score: 0.5 }),
      storage.saveAnswer(ids[1]!, ended(), two!, plainAnswer('second')),
      storage.endAttempt(ids[2]!, ended({ outcome: 'error' })),
      storage.saveError(three!, 'error', 'broken'),
      startAttempt(storage, four!),
    ])
    // Asking for the number takes one too.
    expect((await commits()) - before).toBe(2)
    expect((await storage.loadAttempts(runId)).map(({ id, end }) => [id, end?.outcome])).toEqual([
      [ids[0], 'ok'],
      [ids[1], 'ok'],
      [ids[2], 'error'],
      [fourth, undefined],
    ])
    await storage.saveScore(two!, { score: 1 })
    const results = (await storage.loadRun(runId))?.results
    expect(results?.map(({ response, score, error }) => [response, score?.score, error])).toEqual([
      ['first', 0.5, undefined],
      ['second', 1, undefined],
      [undefined, undefined, 'broken'],
    ])
    await storage.close()
  })

  it('a connection lost in the middle of a batch repeats it once', async () => {
    const { storage, runId } = await openWithRun()
    const holder = new pg.Client({ connectionString })
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE attempts')
    const starting = Promise.all(cases.map((name) => startAttempt(storage, cell(runId, name, 'm'))))
    await untilLocked(1)
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'benchmaker'",
    )
    await holder.query('ROLLBACK')
    await holder.end()
    const ids = await starting
    expect((await storage.loadAttempts(runId)).map(({ id }) => id)).toEqual(ids)
    await storage.close()
  })

  it('the ids of attempts grow with time, whichever program starts them', async () => {
    const { storage, runId } = await openWithRun()
    const second = await openPostgresStorage({ connectionString })
    const key = cell(runId, 'case 0', 'm')
    const before = await startAttempt(storage, key)
    const between = await startAttempt(second, key)
    const after = await startAttempt(storage, key)
    expect((await storage.loadAttempts(runId)).map(({ id }) => id)).toEqual([before, between, after])
    await second.close()
    await storage.close()
  })

  it('two programs that write the same cells in opposite order both finish, and each cell has one answer', async () => {
    const { storage, runId } = await openWithRun()
    const second = await openPostgresStorage({ connectionString })
    const write = async (through: Storage, order: string[], text: string) => {
      const ids = await Promise.all(order.map((name) => startAttempt(through, cell(runId, name, 'm'))))
      const answers = order.map((name, index) =>
        through.saveAnswer(ids[index]!, ended(), cell(runId, name, 'm'), plainAnswer(text)),
      )
      await Promise.all(answers)
      await Promise.all(order.map((name) => through.saveScore(cell(runId, name, 'm'), { score: 1 })))
    }
    await Promise.all([write(storage, cases, 'one'), write(second, cases.toReversed(), 'two')])
    // Whoever came last replaced the answer of the other, which removes its score until it is scored again.
    const run = await storage.loadRun(runId)
    expect(run?.results).toHaveLength(cases.length)
    expect(await storage.loadAttempts(runId)).toHaveLength(2 * cases.length)
    const { rows } = await admin.query(
      'SELECT attempts.ended_at FROM attempts JOIN cells ON cells.id = cell JOIN runs ON number = run WHERE runs.id = $1 AND ended_at IS NULL',
      [runId],
    )
    expect(rows).toEqual([])
    await second.close()
    await storage.close()
  })
})

describe('a guard', () => {
  it('runs in the transaction of every write; if it throws, nothing is written', async () => {
    const { storage, runId } = await openWithRun()
    await admin.query('CREATE TABLE leases (id text, beats integer)')
    await admin.query("INSERT INTO leases VALUES ('mine', 0)")
    const guarded = storage.guardedBy!(async (execute) => {
      const { rows } = await execute('UPDATE leases SET beats = beats + 1 WHERE id = $1 RETURNING id', ['mine'])
      if (rows.length === 0) throw new StorageError('The lease is lost: nothing was written.')
    })
    const readBeats = async () => (await admin.query<{ beats: number }>('SELECT beats FROM leases')).rows[0]?.beats
    await Promise.all(cases.map((name) => startAttempt(guarded, cell(runId, name, 'm'))))
    expect(await readBeats()).toBe(1)
    await guarded.setRunStatus(runId, 'cancelled')
    expect(await readBeats()).toBe(2)
    await admin.query("UPDATE leases SET id = 'another'")
    const settled = await Promise.allSettled([
      ...cases.map((name) => guarded.saveError(cell(runId, name, 'm'), 'error', 'late')),
      guarded.setRunStatus(runId, 'completed'),
    ])
    for (const result of settled)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { message: 'The lease is lost: nothing was written.' },
      })
    expect(await storage.loadOpenCells(runId)).toHaveLength(cases.length)
    expect(await storage.loadRun(runId)).toMatchObject({ status: 'cancelled' })
    await guarded.close()
    await expect(startAttempt(guarded, cell(runId, cases[0]!, 'm'))).rejects.toThrow(/already closed/)
    await startAttempt(storage, cell(runId, cases[0]!, 'm'))
    await storage.close()
  })
})
