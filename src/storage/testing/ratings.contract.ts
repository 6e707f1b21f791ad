import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError, type RaterRating, type Storage } from '../../contract/index.ts'
import { answerCell, cell, createSample, hostileTexts } from './samples.ts'
import type { TestedDatabase, TestedDriver } from './tested-drivers.ts'

/** Rules for ratings by several people (src/contract/ports/storage.ts). */
export function describeRatings(driver: TestedDriver): void {
  describe('ratings', () => {
    let database: TestedDatabase
    let storage: Storage
    const france = cell('run')
    const italy = cell('run', 'italy')
    beforeEach(async () => {
      database = await driver.createDatabase()
      storage = await database.open()
      await createSample(storage, 'run')
      for (const key of [france, italy]) {
        await answerCell(storage, key)
        await storage.saveScore(key, { score: 0.5 })
      }
    })
    afterEach(() => storage.close())

    /** As every way of loading a cell shows it. */
    const ratingsOf = async (key = france): Promise<RaterRating[] | undefined> => {
      const ofCell = (await storage.loadCell(key))?.result.ratings
      for (const texts of [true, false]) {
        const run = await storage.loadRun('run', { texts })
        expect(run?.results.find(({ testCaseId }) => testCaseId === key.testCaseId)?.ratings).toStrictEqual(ofCell)
      }
      return ofCell
    }

    it('several people rate one answer, beside the rating by nobody in particular', async () => {
      await storage.saveRating(france, { rating: 0.3, note: 'hm' })
      await storage.saveRating(france, { rating: 0.8 }, { rater: 'bob', queueId: 'q' })
      await storage.saveRating(france, { rating: 0.7, note: 'ok' }, { rater: 'ann', queueId: 'q' })
      await storage.saveRating(france, { rating: 0.9 }, { rater: 'bob' })
      expect(await ratingsOf()).toStrictEqual([
        { rater: 'ann', rating: 0.7, note: 'ok', queueId: 'q' },
        { rater: 'bob', rating: 0.9 },
      ])
      expect(await ratingsOf(italy)).toBeUndefined()
      const { results } = (await storage.loadRun('run'))!
      expect(results.map(({ rating }) => rating)).toStrictEqual([{ rating: 0.3, note: 'hm' }, undefined])
    })

    it('removing one person’s rating keeps the others', async () => {
      await storage.saveRating(france, { rating: 0.3 })
      await storage.saveRating(france, { rating: 1 }, { rater: 'ann', queueId: 'q' })
      await storage.saveRating(france, { rating: 0 }, { rater: 'bob', queueId: 'q' })
      await storage.saveRating(france, {}, { rater: 'ann' })
      expect(await ratingsOf()).toStrictEqual([{ rater: 'bob', rating: 0, queueId: 'q' }])
      await storage.saveRating(france, {})
      expect((await storage.loadCell(france))?.result).not.toHaveProperty('rating')
      expect(await ratingsOf()).toHaveLength(1)
    })

    it('a change keeps what it does not mention, null clears it, and an empty rating is removed', async () => {
      const own = async () => (await storage.loadCell(france))?.result.rating
      await storage.saveRating(france, { rating: 1 }, { rater: 'ann', queueId: 'q' })
      await storage.changeRating(france, { note: 'first' })
      expect(await own()).toStrictEqual({ note: 'first' })
      await storage.changeRating(france, { rating: 0.5 })
      expect(await own()).toStrictEqual({ rating: 0.5, note: 'first' })
      await storage.changeRating(france, { note: 'second' })
      expect(await own()).toStrictEqual({ rating: 0.5, note: 'second' })
      await storage.changeRating(france, {})
      expect(await own()).toStrictEqual({ rating: 0.5, note: 'second' })
      await storage.changeRating(france, { rating: null })
      expect(await own()).toStrictEqual({ note: 'second' })
      await storage.changeRating(france, { note: null })
      expect(await database.query("SELECT * FROM ratings WHERE rater = ''")).toEqual([])
      await storage.changeRating(france, {})
      expect(await database.query("SELECT * FROM ratings WHERE rater = ''")).toEqual([])
      expect(await ratingsOf()).toStrictEqual([{ rater: 'ann', rating: 1, queueId: 'q' }])
      await expect(storage.changeRating(france, { rating: 1.5 })).rejects.toThrow(/must be between 0 and 1/)
    })

    it('a skipped answer is kept as one without a rating', async () => {
      await storage.saveRating(france, {}, { rater: 'ann', queueId: 'q' })
      await storage.saveRating(italy, { note: 'too long' }, { rater: 'ann', queueId: 'q' })
      expect(await ratingsOf()).toStrictEqual([{ rater: 'ann', queueId: 'q' }])
      expect(await ratingsOf(italy)).toStrictEqual([{ rater: 'ann', note: 'too long', queueId: 'q' }])
    })

    it('lists the ratings of a run, oldest first', async () => {
      await storage.saveRating(france, { rating: 1 }, { rater: 'ann', queueId: 'q' })
      await storage.saveRating(italy, { rating: 0.3 })
      await storage.saveRating(italy, { note: 'no' }, { rater: 'ann', queueId: 'q' })
      const [first, second, ...others] = await storage.listRatings('run')
      expect(others).toEqual([])
      expect(first).toMatchObject({ testCaseId: 'france', modelId: 'good', rater: 'ann', rating: 1, queueId: 'q' })
      expect(second).toMatchObject({ testCaseId: 'italy', rater: 'ann', note: 'no' })
      expect(second).not.toHaveProperty('rating')
      expect(second!.ratedAt).toBeGreaterThanOrEqual(first!.ratedAt)
      await expect(storage.listRatings('other')).rejects.toThrow(InputError)
    })

    it('the token of some runs changes with every rating of theirs, and with no other', async () => {
      await createSample(storage, 'other')
      await answerCell(storage, cell('other'))
      const tokens: string[] = [await storage.ratingsToken(['run'])]
      for (const change of [
        () => storage.saveRating(france, { rating: 0.3 }),
        () => storage.saveRating(france, { rating: 0.8 }),
        () => storage.saveRating(france, { rating: 0.8 }, { rater: 'ann', queueId: 'q' }),
        () => storage.saveRating(italy, {}, { rater: 'ann', queueId: 'q' }),
        () => storage.saveRating(france, {}),
      ]) {
        await change()
        tokens.push(await storage.ratingsToken(['run']))
      }
      expect(new Set(tokens).size).toBe(6)
      await storage.saveRating(cell('other'), { rating: 1 })
      expect(await storage.ratingsToken(['run'])).toBe(tokens.at(-1))
      expect(await storage.ratingsToken(['run', 'other'])).not.toBe(tokens.at(-1))
      expect(await storage.ratingsToken([])).toBe(await storage.ratingsToken(['none']))
    })

    it('a new answer loses the ratings of the old one', async () => {
      await storage.saveRating(france, { rating: 1 }, { rater: 'ann', queueId: 'q' })
      await answerCell(storage, france)
      await storage.saveScore(france, { score: 1 })
      expect(await ratingsOf()).toBeUndefined()
    })

    it('names and queues may be any text', async () => {
      const texts = hostileTexts.filter((text) => text !== '').sort()
      for (const text of texts)
        await storage.saveRating(france, { rating: 1, note: text }, { rater: text, queueId: text })
      expect(await ratingsOf()).toStrictEqual(
        texts.map((text) => ({ rater: text, rating: 1, note: text, queueId: text })),
      )
    })

    it('the view "results" has one row a cell, with the mean rating', async () => {
      await storage.saveRating(france, { rating: 0.5 }, { rater: 'ann', queueId: 'q' })
      await storage.saveRating(france, { rating: 1, note: 'fine' }, { rater: 'bob', queueId: 'q' })
      const rows = await database.query("SELECT * FROM results WHERE test_case = 'france' AND model = 'good'")
      expect(rows).toMatchObject([{ rating: 0.75, note: 'fine' }])
    })
  })
}
