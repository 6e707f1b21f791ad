import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageError, type Storage } from '../../contract/index.ts'
import { migrations } from '../migrations/migrate.ts'
import { answerCell, cell, cellsOf, createSample, ended, header, plainAnswer, startAttempt, suite } from './samples.ts'
import type { TestedDatabase, TestedDriver } from './tested-drivers.ts'

/** Rules for concurrent writes, concurrent programs, and opening and closing. */
export function describeWriting(driver: TestedDriver): void {
  describe('writing', () => {
    let database: TestedDatabase
    let storage: Storage
    beforeEach(async () => {
      database = await driver.createDatabase()
      storage = await database.open()
    })
    afterEach(() => storage.close())

    it('calls made in one turn succeed or fail independently', async () => {
      const cases = Array.from({ length: 40 }, (_, index) => `case ${index}`)
      await storage.createRun(header('run'), cellsOf(cases, ['m']))
      const settled = await Promise.allSettled(
        cases.flatMap((testCaseId, index) => [
          startAttempt(storage, cell('run', testCaseId, 'm')),
          ...(index % 4 === 0
            ? [
                startAttempt(storage, cell('run', 'missing', 'm')),
                storage.saveScore(cell('run', testCaseId, 'm'), { score: Number.NaN }),
              ]
            : []),
        ]),
      )
      expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(20)
      const ids = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      expect((await storage.loadAttempts('run')).map(({ id }) => id)).toEqual(
        ids.toSorted((a, b) => Number(a) - Number(b)),
      )
      expect(new Set((await storage.loadAttempts('run')).map(({ testCaseId }) => testCaseId))).toEqual(new Set(cases))
    })

    it('two programs on one database lose nothing', async () => {
      const second = await database.open()
      const cases = Array.from({ length: 100 }, (_, index) => `case ${index}`)
      await storage.createRun(header('run'), cellsOf(cases, ['a', 'b']))
      const work = (through: Storage, modelId: string) =>
        Promise.all(
          cases.map(async (testCaseId) => {
            await answerCell(through, cell('run', testCaseId, modelId), { end: ended({ cost: 0.01 }) })
            await through.saveScore(cell('run', testCaseId, modelId), { score: 1 })
          }),
        )
      await Promise.all([work(storage, 'a'), work(second, 'b')])
      expect((await second.loadRun('run'))?.results).toHaveLength(200)
      expect((await storage.listRuns())[0]).toMatchObject({ cells: { scored: 200 }, cost: 2 })
      await second.close()
    })

    it('several programs may open a new database at the same time', async () => {
      const fresh = await driver.createNewDatabase()
      const opened = await Promise.all(Array.from({ length: 4 }, () => fresh.open()))
      await Promise.all(opened.map((each, index) => createSample(each, `run ${index}`, { testSuiteSnapshot: suite })))
      expect(await opened[0]?.findRuns('run')).toHaveLength(4)
      expect(await fresh.query('SELECT version FROM benchmaker_migrations')).toHaveLength(migrations.length)
      await Promise.all(opened.map((each) => each.close()))
    })

    it('a suite is kept while one program creates a run of it and another deletes one', async () => {
      const second = await database.open()
      for (let time = 0; time < 15; time++) {
        await createSample(storage, `old ${time}`, { testSuiteSnapshot: suite })
        await Promise.all([
          second.deleteRun(`old ${time}`),
          createSample(storage, `new ${time}`, { testSuiteSnapshot: suite }),
        ])
        expect((await second.loadRun(`new ${time}`))?.testSuiteSnapshot).toEqual(suite)
        await second.deleteRun(`new ${time}`)
      }
      await second.close()
    })

    it('written data is there when the database is reopened', async () => {
      await createSample(storage, 'run', { testSuiteSnapshot: suite })
      await answerCell(storage, cell('run'), { answer: plainAnswer('Paris') })
      await storage.saveScore(cell('run'), { score: 1 })
      const before = await storage.loadRun('run')
      await storage.close()
      const again = await database.open()
      expect(await again.loadRun('run')).toEqual(before)
      await again.close()
    })

    it('closing waits for pending writes; afterwards every call is refused and closing again is harmless', async () => {
      await createSample(storage, 'run')
      const attempts = [startAttempt(storage, cell('run')), startAttempt(storage, cell('run', 'italy'))]
      await storage.close()
      expect(await Promise.all(attempts)).toHaveLength(2)
      await expect(startAttempt(storage, cell('run'))).rejects.toThrow(StorageError)
      await expect(storage.loadRun('run')).rejects.toThrow(/is already closed/)
      await storage.close()
      expect(await database.query('SELECT id FROM attempts')).toHaveLength(2)
    })
  })
}
