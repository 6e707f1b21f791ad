import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CellEvent, Storage } from '../../contract/index.ts'
import { cell, createSample, ended, plainAnswer } from './samples.ts'
import type { TestedDatabase, TestedDriver } from './tested-drivers.ts'

/** Rules for the logs of conversations (src/contract/ports/storage.ts): each event once, in order, with its attempt. */
export function describeConversations(driver: TestedDriver): void {
  describe('conversations', () => {
    let database: TestedDatabase
    let storage: Storage
    const france = cell('run')
    const started: CellEvent = {
      seq: 0,
      at: 1,
      kind: 'started',
      world: { orders: { W1: { note: 'a\u0000b \ud800' } } },
      worldHash: 'h',
      tools: [],
      seed: 7,
    }
    beforeEach(async () => {
      database = await driver.createDatabase()
      storage = await database.open()
      await createSample(storage, 'run')
    })
    afterEach(() => storage.close())

    const ask = (seq: number, by: 'agent' | 'user' = 'agent') =>
      storage.startAttempt({
        ...france,
        purpose: by === 'agent' ? 'answer' : 'user',
        askedModel: 'good',
        startedAt: 2,
        event: { seq, by },
      })
    const said = (seq: number, attempt: number): CellEvent => ({
      seq,
      at: 3,
      kind: 'said',
      by: 'agent',
      attempt,
      text: 'Done.',
      outcome: 'ok',
      opaque: { signature: 's' },
    })

    it('a log is loaded as it was written, each request with its attempt', async () => {
      await storage.appendEvents(france, [started])
      const attempt = await ask(1)
      await storage.saveTurn(attempt, ended({ cost: 0.5 }), france, said(2, attempt))
      const user = await ask(3, 'user')
      expect(await storage.loadEvents(france)).toStrictEqual([
        started,
        { seq: 1, at: 2, kind: 'asked', by: 'agent', attempt },
        said(2, attempt),
        { seq: 3, at: 2, kind: 'asked', by: 'user', attempt: user },
      ])
      expect(await storage.loadEvents(cell('run', 'italy'))).toEqual([])
      const [first, second] = await storage.loadAttempts('run')
      expect(first).toMatchObject({ id: attempt, end: { cost: 0.5 } })
      expect(second).toMatchObject({ id: user, purpose: 'user' })
      expect(second?.end).toBeUndefined()
    })

    it('a number is taken once: a process that was taken over adds nothing', async () => {
      await storage.appendEvents(france, [started])
      await expect(storage.appendEvents(france, [{ ...started, world: 'other' }])).rejects.toThrow()
      const attempt = await ask(1)
      await storage.saveTurn(attempt, ended(), france, said(2, attempt))
      await expect(storage.saveTurn(attempt, ended(), france, said(3, attempt))).rejects.toThrow('already ended')
      expect(await storage.loadEvents(france)).toHaveLength(3)
    })

    it('a conversation that ended has an answer, which waits for its score', async () => {
      await storage.appendEvents(france, [started])
      const end: CellEvent = { seq: 1, at: 4, kind: 'ended', reason: 'agent-stop' }
      const answer = plainAnswer('Done.')
      await storage.saveConversation(france, answer, end)
      expect((await storage.loadOpenCells('run'))[0]).toStrictEqual({ cell: france, answer, attempts: 0 })
      expect(await storage.loadEvents(france)).toStrictEqual([started, end])
      await storage.saveScore(france, { score: 1 })
      expect((await storage.loadRun('run'))?.results[0]).toMatchObject({ response: 'Done.', score: { score: 1 } })
    })

    it('without its end it can go on, and the answer is replaced; a deleted run takes its logs with it', async () => {
      await storage.appendEvents(france, [started])
      await storage.saveConversation(france, plainAnswer('so far'))
      await storage.saveScore(france, { unscored: { code: 'user-error', message: 'gone' } })
      await storage.saveConversation(france, plainAnswer('whole'), { seq: 1, at: 4, kind: 'ended', reason: 'turns' })
      expect((await storage.loadOpenCells('run'))[0]?.answer?.response).toBe('whole')
      await storage.deleteRun('run')
      expect(await database.query('SELECT count(*) AS n FROM events')).toEqual([{ n: expect.anything() }])
      expect(Number((await database.query('SELECT count(*) AS n FROM events'))[0]?.['n'])).toBe(0)
    })
  })
}
