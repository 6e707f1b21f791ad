import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foldText, InputError, type RunFilter, type RunLabel, type Storage } from '../../contract/index.ts'
import { createSample, header, hostileTexts } from './samples.ts'
import type { TestedDatabase, TestedDriver } from './tested-drivers.ts'

const full: RunLabel = { name: 'Baseline', tags: ['prod', 'Prompt 2'], note: 'Before the change\nto the prompt' }

/** Rules for names, tags and notes, and for searching runs (src/contract/ports/storage.ts). */
export function describeLabels(driver: TestedDriver): void {
  describe('labels', () => {
    let database: TestedDatabase
    let storage: Storage
    beforeEach(async () => {
      database = await driver.createDatabase()
      storage = await database.open()
    })
    afterEach(() => storage.close())
    const labelOf = async (id: string) => {
      const loaded = await storage.loadRun(id)
      const [listed] = await storage.listRuns({ ids: [id] })
      expect(listed?.label).toStrictEqual(loaded?.label)
      expect((await storage.loadRun(id, { texts: false }))?.label).toStrictEqual(loaded?.label)
      return loaded?.label
    }
    const find = async (filter: RunFilter) => {
      const found = (await storage.listRuns(filter)).map(({ id }) => id)
      expect(await storage.countRuns(filter)).toBe(found.length)
      return found
    }

    it('a run gets its label when it is created, or later, field by field', async () => {
      await createSample(storage, 'labelled', { label: full })
      await createSample(storage, 'plain')
      expect(await labelOf('labelled')).toStrictEqual(full)
      expect(await labelOf('plain')).toBeUndefined()
      expect(await storage.saveLabel('plain', { tags: ['a'] })).toStrictEqual({ tags: ['a'] })
      expect(await storage.saveLabel('plain', { name: 'N', note: 'x' })).toStrictEqual({
        name: 'N',
        tags: ['a'],
        note: 'x',
      })
      expect(await storage.saveLabel('plain', { tags: [], note: '' })).toStrictEqual({ name: 'N' })
      expect(await labelOf('plain')).toStrictEqual({ name: 'N' })
      expect(await storage.saveLabel('plain', { name: '' })).toBeUndefined()
      expect(await labelOf('plain')).toBeUndefined()
      expect(await labelOf('labelled')).toStrictEqual(full)
    })

    it('refuses a run that does not exist, and leaves the others unchanged', async () => {
      await createSample(storage, 'run')
      await expect(storage.saveLabel('ru', { name: 'x' })).rejects.toThrow(InputError)
      await expect(storage.saveLabel('latest', { name: 'x' })).rejects.toThrow(/There is no run "latest"/)
      expect(await labelOf('run')).toBeUndefined()
    })

    it('the runs of a series have one label, also those that are stored later', async () => {
      await createSample(storage, 'one', { seriesId: 's', label: full })
      await createSample(storage, 'two', { seriesId: 's', label: { name: 'ignored' } })
      await createSample(storage, 'other', { seriesId: 't' })
      await createSample(storage, 's')
      expect(await labelOf('two')).toStrictEqual(full)
      await storage.saveLabel('two', { name: 'Renamed' })
      await createSample(storage, 'three', { seriesId: 's' })
      for (const id of ['one', 'two', 'three']) expect(await labelOf(id)).toStrictEqual({ ...full, name: 'Renamed' })
      for (const id of ['other', 's']) expect(await labelOf(id)).toBeUndefined()
      await storage.deleteRun('one')
      expect(await labelOf('three')).toStrictEqual({ ...full, name: 'Renamed' })
    })

    it('changes of different fields made at once through several connections are all kept', async () => {
      const others = await Promise.all([database.open(), database.open()])
      for (const seriesId of [undefined, 'series']) {
        const id = `run of ${seriesId}`
        await createSample(storage, id, seriesId === undefined ? {} : { seriesId })
        if (seriesId !== undefined) await createSample(storage, `${id} too`, { seriesId })
        for (let round = 0; round < 10; round++) {
          const label = { name: `name ${round} ${seriesId}`, tags: [`t${round}`], note: `note ${round} ${seriesId}` }
          await Promise.all([
            storage.saveLabel(id, { name: label.name }),
            others[0]!.saveLabel(id, { tags: label.tags }),
            others[1]!.saveLabel(id, { note: label.note }),
            ...(seriesId === undefined ? [] : [others[0]!.createRun(header(`${id} ${round}`, { seriesId }), [])]),
          ])
          expect(await labelOf(id)).toStrictEqual(label)
          const members = seriesId === undefined ? [id] : await storage.runsOfSeries(seriesId)
          for (const member of members) expect(await labelOf(member)).toStrictEqual(label)
          for (const word of [label.name, label.note])
            expect(await find({ words: [word] })).toHaveLength(members.length)
        }
      }
      await Promise.all(others.map((other) => other.close()))
    })

    it('survives what happens to a run, and is gone with it', async () => {
      await createSample(storage, 'run', { label: full })
      await storage.setRunStatus('run', 'cancelled', { completedAt: 5 })
      await storage.saveRequest('run', { ...JSON.parse('{}') })
      await storage.reopenErrors('run')
      expect(await labelOf('run')).toStrictEqual(full)
      await storage.deleteRun('run')
      await createSample(storage, 'run')
      expect(await labelOf('run')).toBeUndefined()
      expect(await find({ words: ['baseline'] })).toEqual([])
    })

    it('tags that were edited by hand to something else are left out', async () => {
      await createSample(storage, 'run', { label: full })
      for (const json of ['5', '"x"', 'null', '{}']) {
        await database.query(`UPDATE runs SET tags = '${json}'`)
        expect(await labelOf('run')).toStrictEqual({ name: full.name, note: full.note })
      }
    })

    it('keeps every text, and finds it', async () => {
      for (const [index, text] of hostileTexts.entries()) {
        const id = `run ${index}`
        await createSample(storage, id, {
          testSuiteName: `suite ${text}`,
          label: { name: text, tags: [text], note: text },
        })
        expect(await labelOf(id)).toStrictEqual({ name: text, tags: [text], note: text })
        if (foldText(text).trim() !== '') expect(await find({ words: [text] }), JSON.stringify(text)).toContain(id)
      }
    })

    it('finds runs by every word, whatever its case: name, tag, note, suite, model and id', async () => {
      await createSample(storage, 'r-old', { testSuiteName: 'Capitals', testSuiteId: 'cap-1' })
      await createSample(storage, 'r-new', { testSuiteName: 'Été', models: ['openai/gpt-5'], label: full })
      expect(await find({})).toEqual(['r-new', 'r-old'])
      expect(await find({ words: ['', '  '] })).toEqual(['r-new', 'r-old'])
      for (const [words, ids] of [
        [['R-'], ['r-new', 'r-old']],
        [['capital'], ['r-old']],
        [['CAP-1'], ['r-old']],
        [['BASE'], ['r-new']],
        [['prod'], ['r-new']],
        [['CHANGE'], ['r-new']],
        [['change to'], ['r-new']],
        [['été'.normalize('NFD')], ['r-new']],
        [['ÉTÉ', 'gpt', 'prompt'], ['r-new']],
        [['gpt', 'capital'], []],
        [['%'], []],
        [['_'], []],
        [["'"], []],
        [['\u001F'], ['r-new', 'r-old']],
      ] as const)
        expect(await find({ words }), words.join()).toEqual(ids)
    })

    it('finds runs by whole tags', async () => {
      await createSample(storage, 'a', { label: { tags: ['prod', 'v2'] } })
      await createSample(storage, 'b', { label: { tags: ['production'], name: 'prod', note: 'v2' } })
      expect(await find({ tags: ['PROD'] })).toEqual(['a'])
      expect(await find({ tags: ['prod', 'v2'] })).toEqual(['a'])
      expect(await find({ tags: ['prod', 'v3'] })).toEqual([])
      expect(await find({ tags: ['production'], words: ['V2'] })).toEqual(['b'])
    })

    it('finds runs by their state as it is shown', async () => {
      for (const [id, status] of [
        ['done', 'completed'],
        ['ended', 'cancelled'],
        ['broken', 'failed'],
      ] as const) {
        await createSample(storage, id)
        await storage.setRunStatus(id, status)
      }
      await createSample(storage, 'busy')
      await createSample(storage, 'dead')
      await createSample(storage, 'one of busy', { seriesId: 'busy series' })
      const workedOn = ['busy', 'busy series']
      for (const [word, ids] of [
        ['Completed', ['done']],
        ['compl', ['done']],
        ['cancelled', ['ended']],
        ['stopped', ['ended']],
        ['failed', ['broken']],
        ['running', ['one of busy', 'busy']],
        ['interrupted', ['dead']],
        ['series', ['one of busy']],
        ['co', []],
      ] as const)
        expect(await find({ words: [word], workedOn }), word).toEqual(ids)
      expect(await find({ words: ['running'], workedOn: [] })).toEqual([])
      expect(await find({ words: ['running'] })).toHaveLength(3)
    })

    it('can add the other runs of a series, and pages through what it found', async () => {
      await createSample(storage, 'a1', { seriesId: 'a' })
      await createSample(storage, 'a2', { seriesId: 'a' })
      await createSample(storage, 'b')
      await storage.setRunStatus('a1', 'failed')
      expect(await find({ words: ['failed'] })).toEqual(['a1'])
      expect(await find({ words: ['failed'], wholeSeries: true })).toEqual(['a2', 'a1'])
      const ids = async (limit: number, offset: number) =>
        (await storage.listRuns({ words: ['a'], limit, offset })).map(({ id }) => id)
      expect(await ids(1, 0)).toEqual(['a2'])
      expect(await ids(5, 1)).toEqual(['a1'])
    })

    it('finds the runs of a suite: those started from it, and those of a file with its name', async () => {
      await storage.saveDocument({ kind: 'suite', id: 'stored', content: {} })
      await storage.saveDocument({ kind: 'suite', id: 'copy', content: {} })
      await createSample(storage, 'from it', { testSuiteId: 'stored', testSuiteName: 'Old name' })
      await createSample(storage, 'from file', { testSuiteId: 'S', testSuiteName: 'S' })
      await createSample(storage, 'from copy', { testSuiteId: 'copy', testSuiteName: 'S' })
      await createSample(storage, 'other', { testSuiteId: 'T', testSuiteName: 'T' })
      expect(await find({ suite: { id: 'stored', name: 'S' } })).toEqual(['from file', 'from it'])
      expect(await find({ suite: { name: 'S' } })).toEqual(['from file'])
      expect(await find({ suite: { id: 'none' } })).toEqual([])
      expect(await find({ suite: {} })).toEqual([])
    })

    it('agrees with a search through all runs', async () => {
      const part = fc.constantFrom('a', 'B', 'É', 'ß', '%', '_', '\\', "'", ' ', '😀', '\n', '0')
      const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''))
      let runs = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ name: text, note: text, suite: text }), { minLength: 1, maxLength: 8 }),
          fc.array(text, { minLength: 5, maxLength: 5 }),
          async (given, wanted) => {
            const seriesId = `#${++runs}#`
            const ids = given.map((_, index) => `${seriesId}${index}`)
            for (const [index, { name, note, suite }] of given.entries())
              await storage.createRun(
                header(ids[index]!, { models: [`#m${runs}#`], testSuiteName: suite, label: { name, note } }),
                [],
              )
            for (const word of wanted) {
              const folded = foldText(word).trim()
              const expected = ids.filter((id, index) =>
                [id, `#m${runs}#`, ...Object.values(given[index]!)].some((field) => foldText(field).includes(folded)),
              )
              expect(await find({ words: [seriesId, word] })).toEqual(expected.toReversed())
            }
          },
        ),
        { numRuns: 30 },
      )
    })
  })
}
