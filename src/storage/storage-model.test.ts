import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AttemptId, Storage } from '../contract/index.ts'
import { MemoryModel } from './testing/memory-model.ts'
import { cellsOf, header, suite, withoutTexts } from './testing/samples.ts'
import { testedDrivers } from './testing/tested-drivers.ts'

const runId = fc.constantFrom('first', 'second', 'nowhere')
const cell = fc.record({
  runId: fc.constantFrom('first', 'first', 'second', 'nowhere'),
  testCaseId: fc.constantFrom('a', 'b', 'c', 'x'),
  modelId: fc.constantFrom('m', 'n'),
})
const cost = fc.option(
  fc.integer({ min: 0, max: 5000 }).map((thousandths) => thousandths / 1000),
  { nil: undefined },
)
const end = fc.record(
  {
    endedAt: fc.nat(),
    outcome: fc.constantFrom('ok', 'error', 'timeout'),
    cost,
    error: fc.constantFrom(undefined, 'HTTP 500'),
  },
  { requiredKeys: ['endedAt', 'outcome'] },
)
const answer = fc.record(
  {
    outcome: fc.constantFrom('ok', 'empty', 'truncated'),
    response: fc.string(),
    latencyMs: fc.nat(),
    promptTokens: fc.nat(),
  },
  { requiredKeys: ['outcome', 'response', 'latencyMs'] },
)
const verdict = fc.oneof(
  fc.record({ score: fc.constantFrom(0, 0.5, 1), notes: fc.string() }, { requiredKeys: ['score'] }),
  fc.record({
    unscored: fc.record({ code: fc.constantFrom('regex-timeout', 'judge-unreadable'), message: fc.string() }),
  }),
)

/** An existing attempt, by its index in the list of all of them. */
const place = fc.nat({ max: 30 })
const operation = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('createRun' as const),
      runId: fc.constantFrom('first', 'second'),
      cases: fc.subarray(['a', 'b', 'c']),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('startAttempt' as const),
      cell,
      purpose: fc.constantFrom('answer' as const, 'answer' as const, 'judge' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('endAttempt' as const), place, end }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('saveAnswer' as const),
      place,
      end,
      answer,
      otherCell: fc.option(cell, { freq: 6 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('saveScore' as const), cell, verdict }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('saveError' as const),
      cell,
      outcome: fc.constantFrom('error' as const, 'timeout' as const, 'cancelled' as const),
      error: fc.string(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('setRunStatus' as const),
      runId,
      completedAt: fc.option(fc.nat(), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('saveRating' as const),
      cell,
      rating: fc.record({ rating: fc.constantFrom(0, 0.25, 1), note: fc.string() }, { requiredKeys: [] }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopenErrors' as const), runId }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('saveLabel' as const),
      runId,
      change: fc.record({ name: fc.string(), tags: fc.array(fc.string()), note: fc.string() }, { requiredKeys: [] }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('deleteRun' as const), runId: fc.constantFrom('second', 'nowhere') }),
  },
)
type StorageOperation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never
type Target = Pick<Storage, StorageOperation['kind']> | Pick<MemoryModel, StorageOperation['kind']>

interface KnownAttempt {
  cell: { runId: string; testCaseId: string; modelId: string }
  id: AttemptId
}

function apply(target: Target, step: StorageOperation, attempts: KnownAttempt[]) {
  switch (step.kind) {
    case 'createRun':
      return target.createRun(
        header(step.runId, { models: ['m', 'n'], testSuiteSnapshot: suite }),
        cellsOf(step.cases, ['m', 'n']),
      )
    case 'startAttempt':
      return target.startAttempt({ ...step.cell, purpose: step.purpose, askedModel: 'm', startedAt: 5 })
    case 'endAttempt':
      return target.endAttempt(attempts[step.place % attempts.length]?.id ?? 999, definedOnly(step.end))
    case 'saveAnswer': {
      const attempt = attempts[step.place % attempts.length]
      return target.saveAnswer(
        attempt?.id ?? 999,
        definedOnly(step.end),
        step.otherCell ?? attempt?.cell ?? { runId: 'first', testCaseId: 'a', modelId: 'm' },
        step.answer,
      )
    }
    case 'saveScore':
      return target.saveScore(step.cell, step.verdict)
    case 'saveError':
      return target.saveError(step.cell, step.outcome, step.error)
    case 'setRunStatus':
      return target.setRunStatus(step.runId, 'cancelled', { completedAt: step.completedAt })
    case 'saveRating':
      return target.saveRating(step.cell, step.rating)
    case 'reopenErrors':
      return target.reopenErrors(step.runId)
    case 'saveLabel':
      return target.saveLabel(step.runId, step.change)
    case 'deleteRun':
      return target.deleteRun(step.runId)
  }
}

function definedOnly<Fields extends object>(fields: Fields): Fields {
  return JSON.parse(JSON.stringify(fields))
}

/** Everything the storage returns about one run. */
async function describeStored(storage: Storage, id: string) {
  const run = await storage.loadRun(id)
  if (!run) return undefined
  expect((await storage.loadRun(id, { texts: false }))?.results).toEqual(run.results.map(withoutTexts))
  for (const result of run.results)
    expect(
      (await storage.loadCell({ runId: id, testCaseId: result.testCaseId, modelId: result.modelId }))?.result,
    ).toEqual(result)
  const summary = (await storage.listRuns()).find((listed) => listed.id === id)
  return {
    run,
    open: await storage.loadOpenCells(id),
    attempts: await storage.loadAttempts(id),
    counts: { cells: summary?.cells, cost: summary?.cost, unknownCosts: summary?.unknownCosts },
  }
}

for (const driver of testedDrivers())
  describe(`${driver.name} against a model in memory`, () => {
    beforeAll(() => driver.start())
    afterAll(() => driver.stop())

    it('any sequence of calls has the same refusals, results, ledger and sums', async () => {
      // SQLite runs a batch in one turn, in call order; PostgreSQL guarantees no order within one.
      const batchSize = driver.name === 'SQLite' ? 6 : 1
      const database = await driver.createDatabase()
      const storage = await database.open()
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { minLength: 20, maxLength: 80 }),
          fc.integer({ min: 1, max: batchSize }),
          async (steps, size) => {
            for (const id of await storage.findRuns('')) await storage.deleteRun(id)
            const model = new MemoryModel()
            const inModel: KnownAttempt[] = []
            const inStorage: KnownAttempt[] = []
            const all: StorageOperation[] = [{ kind: 'createRun', runId: 'first', cases: ['a', 'b', 'c'] }, ...steps]
            for (let first = 0; first < all.length; first += size) {
              const batch = all.slice(first, first + size)
              const stored = await Promise.allSettled(batch.map(async (step) => apply(storage, step, inStorage)))
              const expected = await Promise.allSettled(batch.map(async (step) => apply(model, step, inModel)))
              expect(stored.map(({ status }) => status)).toEqual(expected.map(({ status }) => status))
              for (const [index, step] of batch.entries()) {
                const [ours, theirs] = [stored[index], expected[index]]
                if (ours?.status !== 'fulfilled' || theirs?.status !== 'fulfilled') continue
                if (step.kind !== 'startAttempt') expect(ours.value).toEqual(theirs.value)
                else {
                  inStorage.push({ cell: step.cell, id: Number(ours.value) })
                  inModel.push({ cell: step.cell, id: Number(theirs.value) })
                }
              }
            }
            const idInStorage = new Map(inModel.map(({ id }, index) => [id, inStorage[index]?.id]))
            for (const id of ['first', 'second']) {
              const expected = model.describe(id)
              const attempts = expected?.attempts.map((attempt) => ({ ...attempt, id: idInStorage.get(attempt.id) }))
              expect(await describeStored(storage, id)).toEqual(expected && { ...expected, attempts })
            }
          },
        ),
        { numRuns: driver.name === 'SQLite' ? 60 : 15 },
      )
      await storage.close()
    })
  })
