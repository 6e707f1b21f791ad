import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Storage } from '../../contract/index.ts'
import { createSample } from '../../storage/testing/samples.ts'
import { testedDrivers, type TestedDatabase } from '../../storage/testing/tested-drivers.ts'
import { deleteRun } from './delete-run.ts'
import { listVotes, removeVote, saveVote, type Vote } from './votes.ts'

const vote = (more: Partial<Vote> = {}): Vote => ({ runId: 'run-1', left: 'a', right: 'b', choice: 'left', ...more })

for (const driver of testedDrivers())
  describe(`votes in ${driver.name}`, () => {
    beforeAll(() => driver.start())
    afterAll(() => driver.stop())
    let database: TestedDatabase
    let storage: Storage
    let second: Storage
    beforeEach(async () => {
      database = await driver.createDatabase()
      storage = await database.open()
      second = await database.open()
      for (const id of ['run-1', 'run-2']) await createSample(storage, id)
    })
    afterEach(() => Promise.all([storage.close(), second.close()]))

    it('take each pair of a run once, from two processes at once and on swapped sides', async () => {
      const saved = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          saveVote(
            index % 2 === 0 ? storage : second,
            vote(index % 3 === 0 ? { left: 'b', right: 'a', choice: 'right' } : {}),
          ),
        ),
      )
      expect(saved.filter(Boolean)).toHaveLength(1)
      expect(await saveVote(second, vote({ choice: 'tie' }))).toBe(false)
      expect(await listVotes(storage)).toHaveLength(1)
      expect(await saveVote(storage, vote({ runId: 'run-2' }))).toBe(true)
      expect(await saveVote(storage, vote({ right: 'c' }))).toBe(true)
      // The names of two models must not run together.
      expect(await saveVote(storage, vote({ left: 'a","b', right: 'c' }))).toBe(true)
      expect(await listVotes(second)).toHaveLength(4)
    })

    it('count a vote that an earlier version saved under another id', async () => {
      await storage.saveDocument({ kind: 'vote', id: 'random', content: vote() }, { after: 0 })
      expect(await saveVote(storage, vote({ left: 'b', right: 'a' }))).toBe(false)
    })

    it('can be taken back, and cast again', async () => {
      await saveVote(storage, vote())
      expect(await removeVote(second, vote())).toBe(true)
      expect(await removeVote(storage, vote())).toBe(false)
      expect(await listVotes(storage)).toEqual([])
      expect(await saveVote(storage, vote({ choice: 'tie' }))).toBe(true)
      expect(await listVotes(second)).toEqual([vote({ choice: 'tie' })])
    })

    it('go with their run', async () => {
      await saveVote(storage, vote())
      await storage.saveDocument({ kind: 'vote', id: 'random', content: vote({ right: 'c' }) }, { after: 0 })
      await saveVote(storage, vote({ runId: 'run-2' }))
      expect(await deleteRun(storage, 'run-1')).toBe(true)
      expect(await deleteRun(storage, 'run-1')).toBe(false)
      expect((await storage.listDocuments('vote')).map(({ content }) => content)).toEqual([vote({ runId: 'run-2' })])
      // A process that was killed in between, or an older version, leaves them behind.
      await second.deleteRun('run-2')
      expect(await listVotes(storage)).toEqual([])
    })
  })
