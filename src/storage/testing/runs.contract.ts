import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError, runKindSchema, type Storage } from '../../contract/index.ts'
import { answerCell, cell, cellsOf, createSample, ended, header, plainAnswer, startAttempt, suite } from './samples.ts'
import type { TestedDatabase, TestedDriver } from './tested-drivers.ts'

/** Rules for whole runs (src/contract/ports/storage.ts): creating, finding, listing and deleting them. */
export function describeRuns(driver: TestedDriver): void {
  describe('runs', () => {
    let database: TestedDatabase
    let storage: Storage
    beforeEach(async () => {
      database = await driver.createDatabase()
      storage = await database.open()
    })
    afterEach(() => storage.close())

    it('a new run is loaded as it was created, running, without results', async () => {
      const full = header('run-1', {
        seriesId: 'series-1',
        testSuiteId: 'capitals',
        testSuiteName: 'Capitals',
        testSuiteSnapshot: suite,
        parameters: {
          temperature: 0.7,
          topP: 1,
          maxTokens: 2048,
          frequencyPenalty: 0,
          presencePenalty: -0.5,
          benchmarkMode: true,
        },
        judgeModel: 'judge-model',
        versions: { benchmaker: '0.1.0', judgePrompt: '3' },
      })
      await storage.createRun(full, cellsOf(['france'], ['good', 'poor']))
      expect(await storage.loadRun('run-1')).toStrictEqual({ ...full, status: 'running', results: [] })
    })

    it('a run with only the required fields is loaded without the others', async () => {
      await storage.createRun({ id: 'bare', kind: 'suite', models: [], startedAt: 0 }, [])
      expect(await storage.loadRun('bare')).toStrictEqual({
        id: 'bare',
        kind: 'suite',
        models: [],
        startedAt: 0,
        status: 'running',
        results: [],
      })
      expect(await storage.loadOpenCells('bare')).toEqual([])
    })

    it('20,000 cells are written in one call and are all open, in order', async () => {
      const cells = cellsOf(
        Array.from({ length: 5_000 }, (_, index) => `case ${index}`),
        ['a', 'b', 'c', 'd'],
      )
      await storage.createRun(header('large'), cells)
      const open = await storage.loadOpenCells('large')
      expect(open.map(({ cell: { testCaseId, modelId } }) => ({ testCaseId, modelId }))).toEqual(cells)
      expect((await storage.listRuns())[0]?.cells).toEqual({
        total: 20_000,
        scored: 0,
        unscored: 0,
        errors: 0,
        pending: 20_000,
      })
    })

    it('refuses a second run with the same id and leaves the first unchanged', async () => {
      await createSample(storage, 'run-1')
      await answerCell(storage, cell('run-1'))
      await expect(storage.createRun(header('run-1', { models: ['other'] }), [])).rejects.toThrow(
        /Run "run-1" already exists/,
      )
      expect((await storage.loadRun('run-1'))?.models).toEqual(['good', 'poor'])
      expect((await storage.loadOpenCells('run-1')).filter(({ answer }) => answer)).toHaveLength(1)
    })

    it('refuses a cell listed twice, and writes nothing of the run', async () => {
      const cells = [...cellsOf(['france'], ['good']), ...cellsOf(['france'], ['good'])]
      await expect(storage.createRun(header('run-1', { testSuiteSnapshot: suite }), cells)).rejects.toThrow(
        /"france" of model "good" in run "run-1" is listed twice/,
      )
      expect(await storage.loadRun('run-1')).toBeUndefined()
      expect(await database.query('SELECT hash FROM suites')).toEqual([])
    })

    it('refuses ids that are empty, longer than 1,000 bytes, or the word latest', async () => {
      await expect(storage.createRun(header(''), [])).rejects.toThrow(InputError)
      await expect(storage.createRun(header('latest'), [])).rejects.toThrow(/cannot have the id "latest"/)
      await expect(storage.createRun(header('é'.repeat(501)), [])).rejects.toThrow(/longer than 1000 bytes/)
      await expect(storage.createRun(header('run', { seriesId: 'x'.repeat(1001) }), [])).rejects.toThrow(
        /id of the series "xxx.*longer than 1000 bytes/,
      )
      await expect(storage.createRun(header('run'), cellsOf(['x'.repeat(5_000_000)], ['m']))).rejects.toThrow(
        /id of the test case "xxx.*longer than 1000 bytes/,
      )
      // Random, because PostgreSQL compresses repetitive values before it measures them.
      const longest = Array.from({ length: 1000 }, () => String.fromCharCode(33 + Math.floor(Math.random() * 90))).join(
        '',
      )
      await storage.createRun(header(longest, { seriesId: longest }), cellsOf([longest], [longest]))
      expect(await storage.findRuns(longest.slice(0, 990))).toEqual([longest])
    })

    it('stores each suite content once, until the last run that used it is deleted', async () => {
      await createSample(storage, 'one', { testSuiteSnapshot: suite })
      await createSample(storage, 'two', { testSuiteSnapshot: structuredClone(suite) })
      await createSample(storage, 'three', { testSuiteSnapshot: { ...suite, description: 'changed' } })
      expect(await database.query('SELECT name FROM suites')).toHaveLength(2)
      await storage.deleteRun('one')
      expect((await storage.loadRun('two'))?.testSuiteSnapshot).toEqual(suite)
      await storage.deleteRun('two')
      expect(await database.query('SELECT name FROM suites')).toHaveLength(1)
    })

    it('deleting a run removes all of it and nothing of the others', async () => {
      for (const id of ['keep', 'drop']) {
        await createSample(storage, id)
        await answerCell(storage, cell(id))
        await storage.saveScore(cell(id), { score: 1 })
        await storage.saveRating(cell(id), { rating: 1 })
        await storage.saveArtifact(cell(id), {
          name: 'page.png',
          mediaType: 'image/png',
          content: new Uint8Array([1, 2]),
        })
      }
      const kept = await storage.loadRun('keep')
      expect(await storage.deleteRun('drop')).toBe(true)
      expect(await storage.deleteRun('drop')).toBe(false)
      expect(await storage.loadRun('drop')).toBeUndefined()
      expect(await storage.loadRun('keep')).toEqual(kept)
      for (const [table, rows] of Object.entries({
        runs: 1,
        cells: 4,
        attempts: 1,
        answers: 1,
        scores: 1,
        ratings: 1,
        artifacts: 1,
      }))
        expect(await database.query(`SELECT * FROM ${table}`), table).toHaveLength(rows)
    })

    it('a late write to a deleted run is refused, even if a new run has the same id', async () => {
      await createSample(storage, 'run-1')
      const id = await startAttempt(storage, cell('run-1'))
      await storage.deleteRun('run-1')
      await createSample(storage, 'run-1')
      await startAttempt(storage, cell('run-1'))
      await expect(storage.endAttempt(id, ended())).rejects.toThrow(`There is no attempt ${id}`)
    })

    it('finds runs by a prefix of their id, newest first, case-sensitively and without wildcards', async () => {
      for (const [index, id] of ['abc', 'abd', 'Abc', 'a%c', 'a_c', "a'c"].entries())
        await storage.createRun(header(id, { startedAt: 1000 + index }), [])
      expect(await storage.findRuns('ab')).toEqual(['abd', 'abc'])
      expect(await storage.findRuns('a%')).toEqual(['a%c'])
      expect(await storage.findRuns('a_')).toEqual(['a_c'])
      expect(await storage.findRuns("a'")).toEqual(["a'c"])
      expect(await storage.findRuns('abc')).toEqual(['abc'])
      expect(await storage.findRuns('bc')).toEqual([])
      expect(await storage.findRuns('')).toHaveLength(6)
    })

    it('latest is the run stored last, even after the clock was set back, and lists begin with it', async () => {
      expect(await storage.findRuns('latest')).toEqual([])
      await storage.createRun(header('before', { startedAt: 2000, seriesId: 's' }), [])
      await storage.createRun(header('same time', { startedAt: 2000, seriesId: 's' }), [])
      await storage.createRun(header('clock set back', { startedAt: 1000, seriesId: 's' }), [])
      const stored = ['before', 'same time', 'clock set back']
      expect(await storage.findRuns('latest')).toEqual(['clock set back'])
      expect(await storage.findRuns('')).toEqual(stored.toReversed())
      expect((await storage.listRuns()).map(({ id }) => id)).toEqual(stored.toReversed())
      expect((await storage.listRuns({ ids: stored })).map(({ id }) => id)).toEqual(stored.toReversed())
      expect((await storage.listRuns({ limit: 1 })).map(({ id }) => id)).toEqual(['clock set back'])
      for (const selection of [{}, { ids: stored }, { limit: 1, offset: 1 }]) {
        const listed = await storage.listRuns(selection)
        expect(await storage.describeRuns(selection)).toEqual(
          listed.map(({ cells: _cells, cost: _cost, unknownCosts: _unknown, ...description }) => description),
        )
      }
      expect(await storage.runsOfSeries('s')).toEqual(stored)
      await storage.deleteRun('clock set back')
      await storage.createRun(header('next', { startedAt: 500 }), [])
      expect(await storage.findRuns('latest')).toEqual(['next'])
    })

    it('lists runs newest first, in pages, with their cell counts and cost', async () => {
      await createSample(storage, 'old', { startedAt: 1 })
      await createSample(storage, 'new', { startedAt: 2, seriesId: 'series', testSuiteName: 'Capitals' })
      await answerCell(storage, cell('new'), { end: ended({ cost: 0.1 }) })
      await storage.saveScore(cell('new'), { score: 0 })
      await answerCell(storage, cell('new', 'italy'), { end: ended({ cost: 0.2 }) })
      await storage.saveScore(cell('new', 'italy'), { unscored: { code: 'regex-timeout', message: 'stopped' } })
      await answerCell(storage, cell('new', 'france', 'poor'), { end: ended() })
      await startAttempt(storage, cell('new', 'italy', 'poor'))
      await storage.saveError(cell('new', 'italy', 'poor'), 'error', 'HTTP 500')
      await storage.setRunStatus('new', 'completed', { completedAt: 9 })
      const [first, second] = await storage.listRuns()
      expect(first).toStrictEqual({
        id: 'new',
        kind: 'suite',
        seriesId: 'series',
        testSuiteName: 'Capitals',
        models: ['good', 'poor'],
        status: 'completed',
        startedAt: 2,
        completedAt: 9,
        cells: { total: 4, scored: 1, unscored: 1, errors: 1, pending: 1 },
        cost: 0.3,
        unknownCosts: 2,
      })
      expect(second).toMatchObject({ id: 'old', cost: 0, unknownCosts: 0, status: 'running' })
      expect((await storage.listRuns({ limit: 1 })).map(({ id }) => id)).toEqual(['new'])
      expect((await storage.listRuns({ limit: 5, offset: 1 })).map(({ id }) => id)).toEqual(['old'])
      expect(await storage.listRuns({ offset: 2 })).toEqual([])
      expect(await storage.listRuns({ limit: 0 })).toEqual([])
      expect(await storage.listRuns({ ids: ['new'] })).toStrictEqual([first])
      expect(await storage.listRuns({ ids: ['old', 'none', 'new', 'old'] })).toStrictEqual([first, second])
      expect(await storage.listRuns({ ids: ['new\0', 'NEW', ''] })).toEqual([])
      expect(await storage.listRuns({ ids: [] })).toEqual([])
      expect(await storage.countRuns()).toBe(2)
    })

    it('knows that a request cost nothing that used no tokens, because it was refused', async () => {
      await createSample(storage, 'refused')
      const refused = ended({
        outcome: 'error',
        httpStatus: 404,
        error: 'HTTP 404',
        promptTokens: 0,
        completionTokens: 0,
      })
      await storage.endAttempt(await startAttempt(storage, cell('refused')), refused)
      expect(await storage.listRuns({ ids: ['refused'] })).toMatchObject([{ cost: 0, unknownCosts: 0 }])
      await answerCell(storage, cell('refused'), { end: ended({ cost: 0.1 }) })
      await answerCell(storage, cell('refused', 'italy'), { end: ended({ promptTokens: 12, completionTokens: 0 }) })
      expect(await storage.listRuns({ ids: ['refused'] })).toMatchObject([{ cost: 0.1, unknownCosts: 1 }])
    })

    it('lists the runs of some kinds', async () => {
      for (const kind of runKindSchema.options) await createSample(storage, `a ${kind}`, { kind })
      expect((await storage.loadRun('a page'))?.kind).toBe('page')
      expect((await storage.listRuns({ kinds: ['page', 'imported'] })).map(({ kind }) => kind)).toEqual([
        'imported',
        'page',
      ])
      expect((await storage.describeRuns({ kinds: ['suite'], words: ['a'] })).map(({ id }) => id)).toEqual(['a suite'])
      expect(await storage.countRuns({ kinds: ['agent', 'playground'] })).toBe(2)
      expect(await storage.countRuns({ kinds: [] })).toBe(0)
    })

    it('an experiment of the playground is neither the latest run nor a run of its suite', async () => {
      await createSample(storage, 'real', { kind: 'suite', testSuiteId: 's', testSuiteName: 'S' })
      await createSample(storage, 'tried', { kind: 'playground', testSuiteId: 's', testSuiteName: 'S' })
      expect(await storage.findRuns('latest')).toEqual(['real'])
      expect(await storage.findRuns('tried')).toEqual(['tried'])
      for (const named of [{ id: 's' }, { name: 'S' }])
        expect((await storage.listRuns({ suite: named })).map(({ id }) => id)).toEqual(['real'])
    })

    it('a rerun of a gate is neither the latest run nor a run of its suite', async () => {
      await createSample(storage, 'candidate', { kind: 'suite', testSuiteId: 's', testSuiteName: 'S' })
      await createSample(storage, 'again', { kind: 'rerun', testSuiteId: 's', testSuiteName: 'S' })
      expect(await storage.findRuns('latest')).toEqual(['candidate'])
      expect(await storage.findRuns('again')).toEqual(['again'])
      expect((await storage.listRuns()).map(({ id }) => id)).toEqual(['again', 'candidate'])
      for (const named of [{ id: 's' }, { name: 'S' }])
        expect((await storage.listRuns({ suite: named })).map(({ id }) => id)).toEqual(['candidate'])
    })

    it('separates the cells and costs of runs whose cells are interleaved, as two programs may write them', async () => {
      await storage.createRun(header('one', { startedAt: 1 }), cellsOf(['a', 'y', 'c'], ['m']))
      await storage.createRun(header('two', { startedAt: 2 }), cellsOf(['x', 'b', 'z'], ['m']))
      await database.query("UPDATE cells SET run = 3 - run WHERE case_id IN ('b', 'y')")
      for (const [id, cost, cases] of [
        ['one', 1, ['a', 'b', 'c']],
        ['two', 2, ['x', 'y', 'z']],
      ] as const)
        for (const testCaseId of cases) {
          await answerCell(storage, cell(id, testCaseId, 'm'), {
            end: ended({ cost }),
            answer: plainAnswer(`${id} ${testCaseId}`),
          })
          await storage.saveScore(cell(id, testCaseId, 'm'), { score: 1 })
        }
      expect((await storage.listRuns()).map(({ id, cost, cells }) => [id, cost, cells.scored])).toEqual([
        ['two', 6, 3],
        ['one', 3, 3],
      ])
      for (const texts of [true, false])
        expect(
          (await storage.loadRun('one', { texts }))?.results.map(({ cost, attempts }) => [cost, attempts]),
        ).toEqual([
          [1, 1],
          [1, 1],
          [1, 1],
        ])
      expect(await storage.searchAnswers('one', 'o')).toHaveLength(3)
    })

    it('lists more runs than fit into one query, each once', async () => {
      const ids = Array.from({ length: 1203 }, (_, index) => `run ${index}`)
      await Promise.all(ids.map((id, index) => storage.createRun(header(id, { startedAt: index }), [])))
      // They are written over several connections at once, so only the database knows their order.
      const listed = (await storage.listRuns()).map(({ id }) => id)
      expect(listed.toSorted()).toEqual(ids.toSorted())
      expect((await storage.listRuns({ limit: 700, offset: 100 })).map(({ id }) => id)).toEqual(listed.slice(100, 800))
      const some = new Set(ids.slice(0, 1100))
      expect((await storage.listRuns({ ids: [...some] })).map(({ id }) => id)).toEqual(
        listed.filter((id) => some.has(id)),
      )
    })

    it('returns the runs of a series in the order they were stored', async () => {
      for (const [index, id] of ['c', 'a', 'b'].entries())
        await storage.createRun(header(id, { seriesId: 's', startedAt: index }), [])
      await storage.createRun(header('other', { seriesId: 't' }), [])
      expect(await storage.runsOfSeries('s')).toEqual(['c', 'a', 'b'])
      expect(await storage.runsOfSeries('none')).toEqual([])
    })

    it('setting the status again clears the completion time', async () => {
      await createSample(storage, 'run-1')
      await storage.setRunStatus('run-1', 'cancelled', { completedAt: 5 })
      expect(await storage.loadRun('run-1')).toMatchObject({ status: 'cancelled', completedAt: 5 })
      await storage.setRunStatus('run-1', 'running')
      expect(await storage.loadRun('run-1')).not.toHaveProperty('completedAt')
    })
  })
}
