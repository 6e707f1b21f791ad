import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InputError, type ScoringResult, type Storage } from '../../contract/index.ts'
import { answerCell, cell, createSample, ended, fullAnswer, plainAnswer, startAttempt } from './samples.ts'
import type { TestedDatabase, TestedDriver } from './tested-drivers.ts'

/** Rules for cells (src/contract/ports/storage.ts; SPEC "Durable"): attempts before the request, answers before scores. */
export function describeCells(driver: TestedDriver): void {
  describe('cells', () => {
    let database: TestedDatabase
    let storage: Storage
    const france = cell('run')
    beforeEach(async () => {
      database = await driver.createDatabase()
      storage = await database.open({ now: () => 1234 })
      await createSample(storage, 'run')
    })
    afterEach(() => storage.close())

    const resultOf = async (key = france) =>
      (await storage.loadRun('run'))?.results.find(
        ({ testCaseId, modelId }) => testCaseId === key.testCaseId && modelId === key.modelId,
      )

    it('an attempt is stored before its request ends, and records how it ended afterwards', async () => {
      const id = await startAttempt(storage, france)
      const start = { id, ...france, purpose: 'answer', askedModel: 'good', startedAt: 1_700_000_000_500 }
      expect(await storage.loadAttempts('run')).toStrictEqual([start])
      expect((await storage.loadOpenCells('run'))[0]).toStrictEqual({ cell: france, attempts: 1 })
      const end = ended({
        outcome: 'timeout',
        promptTokens: 5,
        completionTokens: 0,
        cost: 0.25,
        latencyMs: 1.125,
        firstTokenMs: 0.5,
        httpStatus: 504,
        error: 'gateway',
      })
      await storage.endAttempt(id, end)
      expect(await storage.loadAttempts('run')).toStrictEqual([{ ...start, end }])
      expect(await resultOf()).toBeUndefined()
    })

    it('attempts are listed in the order they were sent, across cells', async () => {
      const keys = [cell('run', 'italy', 'poor'), france, cell('run', 'italy', 'poor'), cell('run', 'france', 'poor')]
      const ids: number[] = []
      for (const key of keys) ids.push(await startAttempt(storage, key))
      expect((await storage.loadAttempts('run')).map(({ id }) => id)).toEqual(ids)
      expect(ids.toSorted((a, b) => a - b)).toEqual(ids)
    })

    it('an answer without a score leaves the cell open and is loaded whole', async () => {
      await answerCell(storage, france, { answer: fullAnswer })
      expect((await storage.loadOpenCells('run'))[0]).toStrictEqual({ cell: france, answer: fullAnswer, attempts: 1 })
      expect(await resultOf()).toBeUndefined()
    })

    it('a scored cell is a result with everything from the answer and the scorer', async () => {
      const score: ScoringResult = {
        score: 0.57,
        confidence: 0.9,
        notes: 'contains it',
        rawScore: 5.7,
        maxScore: 10,
        checks: [
          { scoringMethod: 'exact-match', weight: 2, score: 0.6, notes: 'one' },
          { scoringMethod: 'boolean', weight: 1, score: 0.5 },
        ],
      }
      const { latencyMs, firstTokenMs, promptTokens, completionTokens, toolCalls, response, outcome } = fullAnswer
      const { tokenDetails, cachedAt } = fullAnswer
      await answerCell(storage, france, { answer: fullAnswer, end: ended({ cost: 0.5 }) })
      await storage.saveScore(france, score)
      expect(await resultOf()).toStrictEqual({
        testCaseId: 'france',
        modelId: 'good',
        status: 'completed',
        outcome,
        response,
        toolCalls,
        score,
        latencyMs,
        firstTokenMs,
        promptTokens,
        completionTokens,
        tokenDetails,
        cachedAt,
        cost: 0.5,
        attempts: 1,
        leftOut: ['temperature'],
      })
      expect((await storage.loadOpenCells('run')).map((open) => open.cell)).not.toContainEqual(france)
    })

    it('keeps the host that answered, what was sent and what was changed', async () => {
      const sending = { servedBy: 'Fireworks', sent: { seed: 1, stop: ['a'] } }
      await answerCell(storage, france, { answer: { ...fullAnswer, ...sending, notes: ['clamped'] } })
      await storage.saveScore(france, { score: 1 })
      expect(await resultOf()).toMatchObject({ ...sending, requestNotes: ['clamped'] })
    })

    it('a score of 0 is a score; extra fields of a scorer are kept', async () => {
      await answerCell(storage, france)
      const score = { score: 0, criteria: { layout: 40 }, reasons: ['none'] }
      await storage.saveScore(france, score)
      expect((await resultOf())?.score).toStrictEqual(score)
    })

    it('an unscored cell has a reason and no score', async () => {
      await answerCell(storage, france)
      await storage.saveScore(france, { unscored: { code: 'judge-unreadable', message: 'two numbers' } })
      const result = await resultOf()
      expect(result).toMatchObject({
        status: 'completed',
        response: 'Paris',
        unscored: { code: 'judge-unreadable', message: 'two numbers' },
      })
      expect(result).not.toHaveProperty('score')
    })

    it('scoring again replaces the score, both ways', async () => {
      await answerCell(storage, france)
      await storage.saveScore(france, { score: 0.5, notes: 'first' })
      await storage.saveScore(france, { unscored: { code: 'x', message: 'y' } })
      expect(await resultOf()).not.toHaveProperty('score')
      await storage.saveScore(france, { score: 1 })
      expect(await resultOf()).toMatchObject({ score: { score: 1 } })
      expect((await resultOf())?.score).toStrictEqual({ score: 1 })
      expect(await resultOf()).not.toHaveProperty('unscored')
    })

    it('a later answer replaces an earlier one, with its score, rating and artifacts', async () => {
      await answerCell(storage, france, { answer: fullAnswer, end: ended({ cost: 0.1 }) })
      await storage.saveScore(france, { score: 1 })
      await storage.saveRating(france, { rating: 1, note: 'of the first' })
      await storage.saveArtifact(france, { name: 'of the first', mediaType: 'text/plain', content: new Uint8Array(1) })
      await answerCell(storage, france, { answer: plainAnswer('Lyon'), end: ended({ cost: 0.2 }) })
      expect(await resultOf()).toBeUndefined()
      expect(await database.query("SELECT score, response FROM results WHERE state = 'answered'")).toEqual([
        { score: null, response: 'Lyon' },
      ])
      expect((await storage.loadOpenCells('run'))[0]).toStrictEqual({
        cell: france,
        answer: plainAnswer('Lyon'),
        attempts: 2,
      })
      await storage.saveScore(france, { score: 0 })
      expect(await resultOf()).toStrictEqual({
        testCaseId: 'france',
        modelId: 'good',
        status: 'completed',
        outcome: 'ok',
        response: 'Lyon',
        score: { score: 0 },
        latencyMs: 100,
        attempts: 2,
        cost: 0.3,
      })
      expect(await storage.listArtifacts(france)).toEqual([])
    })

    it('an error is a result without a response: failed, or cancelled', async () => {
      await startAttempt(storage, france)
      await storage.saveError(france, 'timeout', 'no token in 120 s')
      expect(await resultOf()).toStrictEqual({
        testCaseId: 'france',
        modelId: 'good',
        status: 'failed',
        outcome: 'timeout',
        error: 'no token in 120 s',
        attempts: 1,
      })
      await storage.saveError(france, 'cancelled', 'stopped')
      expect(await resultOf()).toMatchObject({ status: 'cancelled', outcome: 'cancelled', error: 'stopped' })
    })

    it('reopened errors are open again, keep their attempts, and can then be answered', async () => {
      await startAttempt(storage, france)
      await storage.saveError(france, 'error', 'HTTP 500')
      await storage.saveError(cell('run', 'italy'), 'timeout', 'slow')
      await answerCell(storage, cell('run', 'france', 'poor'))
      await storage.saveScore(cell('run', 'france', 'poor'), { score: 1 })
      expect(await storage.reopenErrors('run')).toBe(2)
      expect(await storage.reopenErrors('run')).toBe(0)
      expect((await storage.loadRun('run'))?.results).toHaveLength(1)
      expect((await storage.loadOpenCells('run'))[0]).toStrictEqual({ cell: france, attempts: 1 })
      await answerCell(storage, france)
      await storage.saveScore(france, { score: 1 })
      expect(await resultOf()).toMatchObject({ attempts: 2, outcome: 'ok' })
      expect(await resultOf()).not.toHaveProperty('error')
    })

    it('results are in the order of the cells, not in the order they finished', async () => {
      const keys = [cell('run', 'italy', 'poor'), cell('run', 'france', 'poor'), cell('run', 'italy', 'good'), france]
      for (const key of keys) {
        await answerCell(storage, key)
        await storage.saveScore(key, { score: 1 })
      }
      const results = (await storage.loadRun('run'))?.results.map(
        ({ testCaseId, modelId }) => `${testCaseId} ${modelId}`,
      )
      expect(results).toEqual(['france good', 'france poor', 'italy good', 'italy poor'])
    })

    it('money is summed exactly, judges included; unknown is not 0', async () => {
      await answerCell(storage, france, { end: ended({ cost: 0.1 }) })
      for (const cost of [0.1, 0.1, 0.000_000_000_001])
        await storage.endAttempt(await startAttempt(storage, france, 'judge'), ended({ cost }))
      await storage.saveScore(france, { score: 1 })
      expect(await resultOf()).toMatchObject({ cost: 0.300_000_000_001, attempts: 1 })
      await answerCell(storage, cell('run', 'italy'))
      await storage.saveScore(cell('run', 'italy'), { score: 1 })
      expect(await resultOf(cell('run', 'italy'))).not.toHaveProperty('cost')
      await storage.endAttempt(await startAttempt(storage, cell('run', 'italy'), 'judge'), ended({ cost: 0 }))
      expect(await resultOf(cell('run', 'italy'))).toMatchObject({ cost: 0 })
      // More than 2^63 of the smallest unit; the last digits exceed the precision of a number.
      for (let time = 0; time < 20; time++)
        await storage.endAttempt(await startAttempt(storage, france, 'judge'), ended({ cost: 900_000.123_456_7 }))
      expect((await storage.listRuns())[0]).toMatchObject({ cost: 18_000_002.769_134, unknownCosts: 1 })
    })

    it('counts the rated cells of each run; a note alone is no rating', async () => {
      expect(await storage.countRatings()).toEqual([])
      await answerCell(storage, france, { answer: fullAnswer, end: ended({}) })
      await storage.saveRating(france, { note: 'only a note' })
      expect(await storage.countRatings()).toEqual([])
      await storage.saveRating(france, { rating: 0 })
      expect(await storage.countRatings()).toEqual([{ runId: 'run', ratings: 1 }])
    })

    it('the view "results" shows everything, ratings too', async () => {
      await answerCell(storage, france, { answer: fullAnswer, end: ended({ cost: 0.25 }) })
      await storage.saveScore(france, { score: 0.57 })
      await storage.saveRating(france, { rating: 0.3, note: 'meh' })
      await storage.saveRating(france, { rating: 0.75, note: "it's fine" })
      const [row, other] = await database.query('SELECT * FROM results ORDER BY test_case, model')
      expect({
        ...row,
        score: Number(row?.['score']),
        cost: Number(row?.['cost']),
        attempts: Number(row?.['attempts']),
      }).toEqual({
        run: 'run',
        test_case: 'france',
        model: 'good',
        state: 'scored',
        outcome: 'truncated',
        score: 57,
        unscored: null,
        cost: 0.25,
        attempts: 1,
        latency_ms: 812.25,
        rating: 0.75,
        note: "it's fine",
        error: null,
        response: 'Paris, of cour',
      })
      expect(other).toMatchObject({ model: 'poor', state: 'pending', score: null, cost: null })
      await storage.saveRating(france, {})
      expect(await database.query('SELECT * FROM ratings')).toEqual([])
    })

    it.each([
      [
        'a score before an answer',
        () => storage.saveScore(france, { score: 1 }),
        /"france" of model "good" in run "run" has no answer, so it cannot be scored/,
      ],
      [
        'a cell that is not in the run',
        () => storage.saveScore(cell('run', 'spain'), { score: 1 }),
        /"spain" .* is not part of that run/,
      ],
      ['an unknown run', () => storage.saveScore(cell('other'), { score: 1 }), /There is no run "other"/],
      [
        'an attempt for an unknown cell',
        () => startAttempt(storage, cell('run', 'france', 'x')),
        /of model "x" in run "run" is not part/,
      ],
      ['an attempt for an unknown run', () => startAttempt(storage, cell('other')), /There is no run "other"/],
      ['the end of an unknown attempt', () => storage.endAttempt(77, ended()), /There is no attempt 77/],
      ['the end of an invalid attempt id', () => storage.endAttempt(1.5, ended()), /1.5 is not an attempt id/],
      [
        'an error of an unknown cell',
        () => storage.saveError(cell('run', 'x'), 'error', 'e'),
        /is not part of that run/,
      ],
      [
        'a rating of an unknown cell',
        () => storage.saveRating(cell('run', 'x'), { rating: 1 }),
        /is not part of that run/,
      ],
      [
        'a rating above 1',
        () => storage.saveRating(france, { rating: 1.5 }),
        /rating is 1.5: it must be between 0 and 1/,
      ],
      ['the status of an unknown run', () => storage.setRunStatus('other', 'failed'), /There is no run "other"/],
      ['reopening an unknown run', () => storage.reopenErrors('other'), /There is no run "other"/],
      ['open cells of an unknown run', () => storage.loadOpenCells('other'), /There is no run "other"/],
      ['attempts of an unknown run', () => storage.loadAttempts('other'), /There is no run "other"/],
    ])('refuses %s with an explanation', async (_, act, message) => {
      const refusal = await act().then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(refusal).toBeInstanceOf(InputError)
      expect(String(refusal)).toMatch(message)
    })

    it('refuses an answer from an attempt that ended, is unknown or is of another cell, and changes nothing', async () => {
      const id = await answerCell(storage, france, { answer: fullAnswer })
      const other = await startAttempt(storage, cell('run', 'italy'))
      const before = [await storage.loadOpenCells('run'), await storage.loadAttempts('run')]
      await expect(storage.saveAnswer(id, ended(), france, plainAnswer())).rejects.toThrow(/has already ended/)
      await expect(storage.endAttempt(id, ended())).rejects.toThrow(/has already ended/)
      await expect(storage.saveAnswer(other, ended(), france, plainAnswer())).rejects.toThrow(/belongs to another cell/)
      await expect(storage.saveAnswer(99, ended(), france, plainAnswer())).rejects.toThrow(/no attempt 99/)
      await expect(storage.saveAnswer(other, ended(), cell('run', 'x'), plainAnswer())).rejects.toThrow(
        /not part of that run/,
      )
      await expect(storage.saveError(france, 'error', 'late')).rejects.toThrow(
        /has an answer, so it cannot be ended in error/,
      )
      expect([await storage.loadOpenCells('run'), await storage.loadAttempts('run')]).toEqual(before)
    })

    it.each([Number.NaN, Number.POSITIVE_INFINITY, -0.1, 1.1])(
      'refuses the score %d and the cost NaN, below 0 or infinite',
      async (score) => {
        const id = await startAttempt(storage, france)
        await expect(storage.saveScore(france, { score })).rejects.toThrow(InputError)
        await expect(
          storage.saveScore(france, { score: 1, checks: [{ scoringMethod: 'boolean', weight: 1, score }] }),
        ).rejects.toThrow(/check boolean/)
        for (const cost of [Number.NaN, Number.POSITIVE_INFINITY, -1])
          await expect(storage.endAttempt(id, ended({ cost }))).rejects.toThrow(/must be between 0 and/)
        await expect(storage.endAttempt(id, ended({ promptTokens: Number.NaN }))).rejects.toThrow(
          /prompt tokens .* is NaN/,
        )
        await expect(storage.endAttempt(id, ended({ completionTokens: 2 ** 60 }))).rejects.toThrow(/below 2\^53/)
      },
    )
  })
}
