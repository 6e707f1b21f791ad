import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LATEST_TIME, type ModelAnswer, type Storage, type Suite } from '../../contract/index.ts'
import {
  answerCell,
  cell,
  cellsOf,
  createSample,
  ended,
  header,
  hostileTexts as hostile,
  plainAnswer,
  startAttempt,
} from './samples.ts'
import type { TestedDatabase, TestedDriver } from './tested-drivers.ts'

/** Any UTF-16, lone surrogates included. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(...hostile),
)

/** Any text from a model, a person or a file round-trips exactly or is refused; nothing is changed silently. */
export function describeTexts(driver: TestedDriver): void {
  describe('texts', () => {
    let database: TestedDatabase
    let storage: Storage
    beforeEach(async () => {
      database = await driver.createDatabase()
      storage = await database.open()
    })
    afterEach(() => storage.close())

    it('every hostile text is a valid id', async () => {
      for (const id of hostile) {
        await storage.createRun(header(id, { models: hostile, seriesId: id }), cellsOf(hostile, [id]))
        await Promise.all(
          hostile.map(async (testCaseId) => {
            await answerCell(storage, { runId: id, testCaseId, modelId: id }, { answer: plainAnswer(testCaseId) })
            await storage.saveScore({ runId: id, testCaseId, modelId: id }, { score: 1 })
          }),
        )
        const run = await storage.loadRun(id)
        expect(run).toMatchObject({ id, seriesId: id, models: hostile })
        expect(run?.results.map(({ testCaseId, modelId, response }) => [testCaseId, modelId, response])).toEqual(
          hostile.map((text) => [text, id, text]),
        )
        expect(await storage.runsOfSeries(id)).toEqual([id])
        expect(await storage.findRuns(id)).toContain(id)
      }
      expect(await storage.listRuns()).toHaveLength(hostile.length)
      for (const id of hostile) expect(await storage.deleteRun(id)).toBe(true)
    })

    it('ids that differ only in characters the database cannot store stay distinct', async () => {
      const ids = ['a\uD800', 'a\uD801', 'a\uFFFD', 'a\0', 'a', 'a\u001AD800']
      await storage.createRun(header('run'), cellsOf(ids, ['m']))
      expect((await storage.loadOpenCells('run')).map((open) => open.cell.testCaseId)).toEqual(ids)
    })

    it('every text of an answer, a score, an error and a suite round-trips', async () => {
      await createSample(storage, 'run')
      let runs = 0
      await fc.assert(
        fc.asyncProperty(fc.array(anyText, { minLength: 9, maxLength: 9 }), fc.jsonValue(), async (texts, json) => {
          const [
            response = '',
            reasoning = '',
            finishReason = '',
            notes = '',
            error = '',
            name = '',
            message = '',
            asked = '',
            key = '',
          ] = texts
          const answer: ModelAnswer = {
            ...plainAnswer(response),
            reasoning,
            finishReason,
            leftOut: [name],
            toolCalls: [{ name, arguments: { [key]: json } }],
          }
          await answerCell(storage, cell('run'), { answer, end: ended({ error }) })
          expect((await storage.loadOpenCells('run'))[0]?.answer).toEqual(JSON.parse(JSON.stringify(answer)))
          await storage.saveScore(cell('run'), {
            score: 0.5,
            notes,
            checks: [{ scoringMethod: name, weight: 1, score: 0, notes: message }],
          })
          await storage.saveError(cell('run', 'italy'), 'error', error)
          await answerCell(storage, cell('run', 'france', 'poor'))
          await storage.saveScore(cell('run', 'france', 'poor'), { unscored: { code: name, message } })
          const results = (await storage.loadRun('run'))?.results
          expect(results?.[0]).toMatchObject({
            response,
            score: { notes, checks: [{ scoringMethod: name, notes: message }] },
          })
          expect(results?.[1]).toMatchObject({ unscored: { code: name, message } })
          expect(results?.[2]).toMatchObject({ error })
          const id = await storage.startAttempt({ ...cell('run'), purpose: 'judge', askedModel: asked, startedAt: 1 })
          expect((await storage.loadAttempts('run')).find((attempt) => attempt.id === id)).toMatchObject({
            askedModel: asked,
          })
          const snapshot: Suite = {
            name: `s${name}`,
            testCases: [{ id: 'x', prompt: response, weight: 1, [key]: json }],
          }
          const more = {
            testSuiteSnapshot: snapshot,
            testSuiteName: name,
            testSuiteId: message,
            judgeModel: asked,
            versions: { [key]: notes },
          }
          await storage.createRun(header(`suite ${++runs}`, more), [])
          expect(await storage.loadRun(`suite ${runs}`)).toMatchObject(JSON.parse(JSON.stringify(more)))
        }),
        { numRuns: 40 },
      )
    })

    it('a response of 5 MB round-trips, along with others written in the same turn', async () => {
      await createSample(storage, 'run')
      const long = 'Zwölf \0 Boxkämpfer 😀 '.repeat(240_000)
      await Promise.all([
        answerCell(storage, cell('run'), { answer: plainAnswer(long) }),
        answerCell(storage, cell('run', 'italy'), { answer: plainAnswer('short') }),
      ])
      const open = await storage.loadOpenCells('run')
      expect(open[0]?.answer?.response === long).toBe(true)
      expect(open[2]?.answer?.response).toBe('short')
    })

    it('every number round-trips to the last bit', async () => {
      await createSample(storage, 'run')
      const number = fc
        .double({ noNaN: true, min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
        .map((value) => value + 0)
      const fraction = fc.double({ noNaN: true, min: 0, max: 1 }).map((value) => value + 0)
      const end = fc.record({
        endedAt: fc.double({ noNaN: true, min: -LATEST_TIME, max: LATEST_TIME }).map((value) => value + 0),
        outcome: fc.constant('error' as const),
        promptTokens: number,
        completionTokens: number,
        // Nothing takes less than no time: a negative one stands for an unknown one.
        latencyMs: number.map(Math.abs),
        firstTokenMs: number,
        httpStatus: number,
      })
      await fc.assert(
        fc.asyncProperty(
          end,
          fraction,
          number,
          fc.bigInt({ min: 0n, max: 10n ** 18n }),
          async (ending, score, rawScore, picodollars) => {
            const cost = Number(picodollars) / 1e12
            const id = await startAttempt(storage, cell('run'))
            await storage.endAttempt(id, { ...ending, cost })
            const stored = (await storage.loadAttempts('run')).find((attempt) => attempt.id === id)?.end
            expect(stored?.cost).toBeCloseTo(cost, 12)
            expect({ ...stored, cost }).toEqual({ ...ending, cost })
            await answerCell(storage, cell('run'))
            await storage.saveScore(cell('run'), { score, rawScore })
            expect((await storage.loadRun('run'))?.results[0]?.score).toEqual({ score, rawScore })
          },
        ),
        { numRuns: 40 },
      )
    })
  })
}
