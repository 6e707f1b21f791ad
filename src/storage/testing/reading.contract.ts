import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stateOf, toScoreTable, type ScoringResult, type Storage } from '../../contract/index.ts'
import {
  answerCell,
  cell,
  cellsOf,
  createSample,
  ended,
  fullAnswer,
  header,
  plainAnswer,
  startAttempt,
  suite,
  withoutTexts,
} from './samples.ts'
import type { TestedDriver } from './tested-drivers.ts'

const judged: ScoringResult & { criteria: object } = {
  score: 0.85,
  confidence: 0.9,
  notes: 'a 90, b 80',
  rawScore: 8.5,
  maxScore: 10,
  judges: [
    { judgeModelId: 'a', score: 0.9, reasoning: 'nearly \0 all' },
    { judgeModelId: 'b', score: 0.8, reasoning: 'most \uD800' },
  ],
  criteria: { layout: 40 },
}

/** Rules for reading one cell, and a whole run without its texts (src/contract/ports/storage.ts). */
export function describeReading(driver: TestedDriver): void {
  describe('reading', () => {
    let storage: Storage
    const france = cell('run')
    beforeEach(async () => {
      storage = await (await driver.createDatabase()).open()
      await createSample(storage, 'run', { testSuiteSnapshot: suite })
    })
    afterEach(() => storage.close())
    const readNumbers = async () => (await storage.loadRun('run', { texts: false }))?.results

    it('the results and open cells of chosen cases are those of the whole run, without the others', async () => {
      await answerCell(storage, france)
      await storage.saveScore(france, { score: 1 })
      const whole = await storage.loadRun('run')
      expect(await storage.loadRun('run', { testCaseIds: ['france'] })).toStrictEqual(whole)
      expect(await storage.loadRun('run', { testCaseIds: [] })).toStrictEqual({ ...whole, results: [] })
      const open = await storage.loadOpenCells('run')
      const ofFrance = open.filter(({ cell: { testCaseId } }) => testCaseId === 'france')
      expect(ofFrance.length).toBeLessThan(open.length)
      expect(await storage.loadOpenCells('run', ['france'])).toStrictEqual(ofFrance)
      expect(
        await storage.loadOpenCells('run', ['nowhere', ...open.map(({ cell: key }) => key.testCaseId)]),
      ).toStrictEqual(open)
      expect(await storage.loadOpenCells('run', [])).toStrictEqual([])
    })

    it('the table of scores is the one of the same runs with all their texts', async () => {
      const testCases = suite.testCases.map((testCase) => ({ ...testCase, criteria: ['Is short'] }))
      await createSample(storage, 'first', { testSuiteSnapshot: { ...suite, testCases }, seriesId: 's' })
      const [first, good, poor] = [cell('first'), cell('first', 'italy'), cell('first', 'italy', 'poor')]
      await answerCell(storage, first, { answer: fullAnswer })
      await storage.saveScore(first, judged)
      await storage.saveRating(first, { rating: 0.5, note: 'Well.' })
      await storage.saveRating(first, { rating: 0.7, note: 'Better.' }, { rater: 'ann', queueId: 'q' })
      await answerCell(storage, good)
      const style = { length: 5, headers: 0, listItems: 1, bold: 0, codeBlocks: 0 }
      await storage.saveScore(good, {
        score: 0.75,
        style,
        otherReading: 'passes',
        comparisons: [
          {
            opponentId: 'poor',
            score: 1,
            judges: [{ judgeModelId: 'a', score: 1, isConsistent: false, reasoning: 'better' }],
          },
        ],
        checks: [
          { id: '1', name: 'Is short', scoringMethod: 'criterion', weight: 1, score: 1 },
          { scoringMethod: 'llm-judge', weight: 1, ...judged },
        ],
        missingJudges: [{ judgeModelId: 'c', reason: 'no answer' }],
      })
      await storage.saveError(poor, 'timeout', 'too slow')
      await storage.setRunStatus('first', 'cancelled')
      await answerCell(storage, france)
      await storage.saveScore(france, { unscored: { code: 'judge-failed', message: 'no' } })

      const runs = [(await storage.loadRun('first'))!, (await storage.loadRun('run'))!]
      const loaded = await storage.loadScores(['first', 'nowhere', 'run'])
      expect(loaded.scores).toStrictEqual(toScoreTable(runs))
      expect(loaded.suites).toStrictEqual(runs.map(({ testSuiteSnapshot }) => testSuiteSnapshot))
      const { cells, grades, comparisons, missingJudges, styles, ratings, criterionScores, otherReadings } =
        loaded.scores
      // What was not run is there too, at the end of its run.
      const states = Array.from(cells.state.keys(), (index) => stateOf(loaded.scores, index))
      const ofSecond = ['unscored', 'skipped', 'skipped', 'skipped']
      expect(states).toEqual(['scored', 'scored', 'error', 'skipped', ...ofSecond])
      expect(Array.from(cells.weight)).toEqual([1, 2, 2, 1, 1, 1, 2, 2])
      const details = [grades, comparisons, missingJudges, styles, criterionScores, otherReadings]
      expect(details.map((columns) => columns.cell.length)).toEqual([4, 1, 1, 1, 1, 1])
      expect(ratings).toEqual([
        { cell: 0, rating: { rating: 0.5 }, ratings: [{ rater: 'ann', rating: 0.7, queueId: 'q' }] },
      ])
    })

    it('a result has its requests and their cost from the moment it is there', async () => {
      const cases = Array.from({ length: 100 }, (_, index) => `case-${index}`)
      await storage.createRun(header('busy'), cellsOf(cases, ['good']))
      const waiting = cases.values()
      const writeAll = async () => {
        for (const testCaseId of waiting) {
          const key = cell('busy', testCaseId)
          await answerCell(storage, key, { end: ended({ cost: 0.5 }) })
          await storage.saveScore(key, { score: 1 })
        }
      }
      const writing = Promise.all(Array.from({ length: 5 }, writeAll))
      const seen = new Set<number | undefined>()
      for (let stored = 0; stored < cases.length;) {
        const { results } = (await storage.loadRun('busy', { texts: false }))!
        for (const { cost } of results) seen.add(cost)
        stored = results.length
      }
      await writing
      expect(seen).toEqual(new Set([0.5]))
    })

    it('without texts, judges and checks keep their numbers and lose their reasoning', async () => {
      await answerCell(storage, france, { answer: fullAnswer, end: ended({ cost: 0.5 }) })
      await storage.saveScore(france, judged)
      const { latencyMs, firstTokenMs, promptTokens, completionTokens, outcome, tokenDetails, cachedAt } = fullAnswer
      expect(await readNumbers()).toStrictEqual([
        {
          testCaseId: 'france',
          modelId: 'good',
          status: 'completed',
          outcome,
          latencyMs,
          firstTokenMs,
          promptTokens,
          completionTokens,
          tokenDetails,
          cachedAt,
          cost: 0.5,
          attempts: 1,
          leftOut: ['temperature'],
          score: {
            score: 0.85,
            confidence: 0.9,
            rawScore: 8.5,
            maxScore: 10,
            judges: [
              { judgeModelId: 'a', score: 0.9, reasoning: '' },
              { judgeModelId: 'b', score: 0.8, reasoning: '' },
            ],
          },
        },
      ])
      await storage.saveScore(france, {
        score: 0.5,
        checks: [
          { scoringMethod: 'llm-judge', weight: 2, ...judged },
          { scoringMethod: 'boolean', weight: 1, score: 0, notes: 'no' },
        ],
      })
      expect((await readNumbers())?.[0]?.score).toStrictEqual({
        score: 0.5,
        checks: [
          {
            scoringMethod: 'llm-judge',
            weight: 2,
            score: 0.85,
            confidence: 0.9,
            rawScore: 8.5,
            maxScore: 10,
            judges: [
              { judgeModelId: 'a', score: 0.9, reasoning: '' },
              { judgeModelId: 'b', score: 0.8, reasoning: '' },
            ],
          },
          { scoringMethod: 'boolean', weight: 1, score: 0 },
        ],
      })
      await storage.saveScore(france, { score: 0 })
      expect((await readNumbers())?.[0]?.score).toStrictEqual({ score: 0 })
    })

    it('without texts, the run and everything else in its cells is the same', async () => {
      await answerCell(storage, france, { answer: fullAnswer, end: ended({ cost: 0.1 }) })
      await storage.endAttempt(await startAttempt(storage, france, 'judge'), ended({ cost: 0.2 }))
      await storage.saveScore(france, judged)
      await storage.saveRating(france, { rating: 0, note: 'wrong' })
      await answerCell(storage, cell('run', 'france', 'poor'), { answer: { ...plainAnswer(''), outcome: 'empty' } })
      await storage.saveScore(cell('run', 'france', 'poor'), {
        unscored: { code: 'judge-unreadable', message: 'two numbers' },
      })
      await answerCell(storage, cell('run', 'italy'))
      await storage.saveError(cell('run', 'italy', 'poor'), 'timeout', 'slow')
      const full = await storage.loadRun('run')
      expect(full?.results).toHaveLength(3)
      expect(await storage.loadRun('run', { texts: true })).toStrictEqual(full)
      expect(await storage.loadRun('run', { texts: false })).toStrictEqual({
        ...full,
        results: full?.results.map(withoutTexts),
      })
      expect(await storage.loadRun('nowhere', { texts: false })).toBeUndefined()
      const { testSuiteSnapshot, ...withoutSuite } = full ?? {}
      expect(testSuiteSnapshot).toBeDefined()
      expect(await storage.loadRun('run', { suite: false })).toStrictEqual(withoutSuite)
    })

    it('with or without texts, says whether an answer passed if the score does', async () => {
      const checks = [{ scoringMethod: 'own', weight: 1, score: 0.5, passed: true }]
      await answerCell(storage, france)
      await storage.saveScore(france, { score: 0.5, passed: true, checks })
      const readScores = async (texts: boolean) => (await storage.loadRun('run', { texts }))?.results[0]?.score
      for (const texts of [true, false])
        expect(await readScores(texts)).toMatchObject({ passed: true, checks: [{ score: 0.5, passed: true }] })
      await storage.saveScore(france, { score: 0.5, passed: false })
      for (const texts of [true, false]) expect((await readScores(texts))?.passed).toBe(false)
      await storage.saveScore(france, { score: 0.5 })
      for (const texts of [true, false]) expect(await readScores(texts)).not.toHaveProperty('passed')
    })

    it.each([
      ['a long text', 'x'.repeat(299) + 'yz', 'x'.repeat(299) + 'y'],
      ['a surrogate pair at the cut', 'x'.repeat(299) + '😀', 'x'.repeat(299)],
      ['characters that databases cannot store', '\0\uD800'.repeat(400), '\0\uD800'.repeat(150)],
      ['a text that just fits', 'é'.repeat(300), 'é'.repeat(300)],
    ])('without texts, an error is cut after 300 characters: %s', async (_, error, cut) => {
      await storage.saveError(france, 'error', error)
      expect((await readNumbers())?.[0]?.error).toBe(cut)
      expect((await storage.loadRun('run'))?.results[0]?.error).toBe(error)
    })

    it.each([{ rating: 0.25, note: "it's so\0" }, { rating: 0 }, { note: '' }])(
      "a person's rating comes with the result: %j",
      async (rating) => {
        await answerCell(storage, france)
        await storage.saveScore(france, { score: 1 })
        await storage.saveRating(france, rating)
        const ratings = async () =>
          [
            (await storage.loadRun('run'))?.results[0],
            (await readNumbers())?.[0],
            (await storage.loadCell(france))?.result,
          ].map((result) => result?.rating)
        expect(await ratings()).toStrictEqual([rating, rating, rating])
        await storage.saveRating(france, {})
        expect(await ratings()).toStrictEqual([undefined, undefined, undefined])
      },
    )

    it('a cell is loaded with its result, its whole answer and every attempt', async () => {
      const first = await startAttempt(storage, france)
      await storage.endAttempt(first, ended({ outcome: 'error', httpStatus: 500, error: 'HTTP 500', cost: 0 }))
      await startAttempt(storage, cell('run', 'italy'))
      const second = await answerCell(storage, france, { answer: fullAnswer, end: ended({ cost: 0.5 }) })
      const third = await startAttempt(storage, france, 'judge')
      await storage.saveScore(france, judged)
      const start = { ...france, purpose: 'answer', askedModel: 'good', startedAt: 1_700_000_000_500 }
      expect(await storage.loadCell(france)).toStrictEqual({
        result: (await storage.loadRun('run'))?.results[0],
        answer: fullAnswer,
        attempts: [
          { ...start, id: first, end: ended({ outcome: 'error', httpStatus: 500, error: 'HTTP 500', cost: 0 }) },
          { ...start, id: second, end: ended({ cost: 0.5 }) },
          { ...start, id: third, purpose: 'judge', askedModel: 'judge-model' },
        ],
      })
    })

    it('a cell can be loaded before it is finished: idle, then running, or failed', async () => {
      const names = { testCaseId: 'france', modelId: 'good' }
      expect(await storage.loadCell(france)).toStrictEqual({
        result: { ...names, status: 'idle', attempts: 0 },
        attempts: [],
      })
      await answerCell(storage, france)
      expect(await storage.loadCell(france)).toMatchObject({
        result: { ...names, status: 'running', outcome: 'ok', response: 'Paris', latencyMs: 100, attempts: 1 },
        answer: plainAnswer(),
        attempts: [{ purpose: 'answer' }],
      })
      const italy = cell('run', 'italy')
      await storage.saveError(italy, 'error', 'HTTP 500')
      expect(await storage.loadCell(italy)).toStrictEqual({
        result: {
          testCaseId: 'italy',
          modelId: 'good',
          status: 'failed',
          outcome: 'error',
          error: 'HTTP 500',
          attempts: 0,
        },
        attempts: [],
      })
    })

    it('a missing cell or run is undefined', async () => {
      expect(await storage.loadCell(cell('run', 'spain'))).toBeUndefined()
      expect(await storage.loadCell(cell('run', 'france', 'other'))).toBeUndefined()
      expect(await storage.loadCell(cell('other'))).toBeUndefined()
    })

    it('counts runs', async () => {
      expect(await storage.countRuns()).toBe(1)
      await createSample(storage, 'second')
      expect(await storage.countRuns()).toBe(2)
      await storage.deleteRun('run')
      expect(await storage.countRuns()).toBe(1)
    })
  })
}
