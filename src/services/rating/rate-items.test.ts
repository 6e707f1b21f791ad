import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RatingQueue, RunResult, Storage } from '../../contract/index.ts'
import { openStorage } from '../../storage/index.ts'
import { importRun } from '../stored-runs/import-run.ts'
import { deleteRun } from '../code-arena/delete-run.ts'
import { countProgress, findNext, loadQueueRatings, openItem, rateItem, readRater, undoLast } from './rate-items.ts'
import { attachQueues, createQueue, extendQueue, findQueues, loadQueue } from './rating-queues.ts'

const models = ['vendor/alpha', 'vendor/beta']

function makeRun(id: string, cases = 6): RunResult {
  return {
    id,
    models,
    testSuiteName: 'Capitals',
    testSuiteSnapshot: {
      name: 'Capitals',
      testCases: Array.from({ length: cases }, (_, index) => ({
        id: `case ${index}`,
        prompt: `Question ${index}?`,
        expectedOutput: `Expected ${index}`,
        scoringMethod: 'exact-match',
        weight: 1,
      })),
    },
    results: models.flatMap((modelId) =>
      Array.from({ length: cases }, (_, index) => ({
        testCaseId: `case ${index}`,
        modelId,
        outcome: 'ok' as const,
        response: `Answer ${index}`,
        latencyMs: 1,
        score: { score: 0.123 },
      })),
    ),
  }
}

let storage: Storage
let id = 0
const create = (wanted: Partial<Parameters<typeof createQueue>[0]> = {}): Promise<RatingQueue> =>
  createQueue(
    { runIds: ['run'], perModel: 3, seed: 's', ...wanted },
    { storage, now: 1000, createId: () => `q${++id}` },
  )
const rate = async (queue: RatingQueue, rater: string, rating?: number) => {
  const ratings = await loadQueueRatings(storage, queue)
  const next = findNext(queue, rater, ratings)!
  await rateItem(storage, queue, { position: next.position, rater, ...(rating !== undefined && { rating }) })
  return next.position
}
const progress = async (queue: RatingQueue, rater: string) =>
  countProgress(queue, rater, await loadQueueRatings(storage, queue))

beforeEach(async () => {
  storage = await openStorage({ file: ':memory:' })
  await importRun(makeRun('run'), storage, 0)
})
afterEach(() => storage.close())

describe('a rating queue', () => {
  it('keeps how it was drawn', async () => {
    const queue = await create()
    expect(await loadQueue(storage, queue.id)).toEqual(queue)
    expect(queue).toMatchObject({ runIds: ['run'], scale: 'points', seed: 's', drawnAt: 1000 })
    expect(queue.strata).toEqual(models.map((modelId) => ({ modelId, cases: 6, answers: 6, drawn: 3 })))
    expect(queue.items).toHaveLength(6)
  })

  it('shows an item without model and score, in any field', async () => {
    const queue = await create()
    for (const item of queue.items) {
      const blind = await openItem(storage, item)
      expect(blind).toMatchObject({
        prompt: expect.stringMatching(/^Question/),
        response: expect.stringMatching(/^Answer/),
      })
      expect(JSON.stringify(blind)).not.toMatch(/alpha|beta|vendor|0\.123|12\.3|run|case/)
    }
  })

  it('goes on where the person stopped, each person on their own', async () => {
    const queue = await create()
    expect(await rate(queue, 'ann', 0.8)).toBe(1)
    expect(await rate(queue, 'ann')).toBe(2)
    expect(await rate(queue, 'bob', 0.2)).toBe(1)
    expect(await progress(queue, 'ann')).toEqual({
      total: 6,
      rated: 1,
      skipped: 1,
      raters: [
        { rater: 'ann', rated: 1 },
        { rater: 'bob', rated: 1 },
      ],
    })
    for (let left = 4; left > 0; left--) await rate(queue, 'ann', 1)
    expect(findNext(queue, 'ann', await loadQueueRatings(storage, queue))).toBeUndefined()
    const { results } = (await storage.loadRun('run'))!
    expect(results.flatMap(({ ratings = [] }) => ratings)).toHaveLength(7)
  })

  it('takes back the last rating, and the one before', async () => {
    const queue = await create()
    await rate(queue, 'ann', 0.8)
    await rate(queue, 'ann', 0.3)
    const undo = async () => undoLast(storage, queue, 'ann', await loadQueueRatings(storage, queue))
    const [second, first] = [await undo(), await undo()]
    expect([second?.given, first?.given].map((given) => given?.rating).toSorted()).toEqual([0.3, 0.8])
    expect(await undo()).toBeUndefined()
    expect(await progress(queue, 'ann')).toMatchObject({ rated: 0 })
  })

  it('splits the work after the answers that everyone rates', async () => {
    const queue = await create({ shared: 2 })
    expect([await rate(queue, 'ann', 1), await rate(queue, 'ann', 1), await rate(queue, 'ann', 1)]).toEqual([1, 2, 3])
    expect([await rate(queue, 'bob', 1), await rate(queue, 'bob', 1), await rate(queue, 'bob', 1)]).toEqual([1, 2, 4])
    expect(await progress(queue, 'bob')).toMatchObject({ total: 5, rated: 3 })
  })

  it('draws more, but never a case of a model twice', async () => {
    const queue = await create()
    const more = await extendQueue(queue, 2, { storage })
    expect(more.items.slice(0, 6)).toEqual(queue.items)
    expect(more.items).toHaveLength(10)
    const all = await extendQueue(more, 50, { storage })
    expect(all.items).toHaveLength(12)
    await expect(extendQueue(all, 1, { storage })).rejects.toThrow(/nothing more to draw/)
  })

  it('knows a person by name, whatever its case and blanks', async () => {
    const queue = await create()
    await rate(queue, 'Ann Lee', 1)
    const ratings = await loadQueueRatings(storage, queue)
    expect(readRater('  ann   LEE ', ratings)).toBe('Ann Lee')
    expect(readRater('Bob', ratings)).toBe('Bob')
    expect(() => readRater('  ', ratings)).toThrow(/needs a name/)
    expect(() => readRater('x'.repeat(81), ratings)).toThrow(/longer than 80/)
  })

  it('refuses points where pass or fail is asked, and items that it does not have', async () => {
    const queue = await create({ scale: 'pass-fail' })
    await expect(rateItem(storage, queue, { position: 1, rater: 'ann', rating: 0.5 })).rejects.toThrow(/pass or fail/)
    await expect(rateItem(storage, queue, { position: 99, rater: 'ann', rating: 1 })).rejects.toThrow(/number 99/)
    await expect(rateItem(storage, queue, { position: 1, rater: 'ann', rating: 1.5 })).rejects.toThrow(/0 to 100/)
  })

  it('of a series draws one repeat of each case', async () => {
    await importRun({ ...makeRun('second'), seriesId: 'series' }, storage, 0)
    const queue = await create({ runIds: ['run', 'second'], perModel: 6 })
    expect(queue.items).toHaveLength(12)
    expect(queue.strata[0]).toEqual({ modelId: 'vendor/alpha', cases: 6, answers: 12, drawn: 6 })
    expect(new Set(queue.items.map(({ runId }) => runId)).size).toBe(2)
  })

  it('travels with its runs, and goes when they go', async () => {
    await importRun(makeRun('second'), storage, 0)
    const queue = await create({ runIds: ['run', 'second'] })
    await rate(queue, 'ann', 0.7)
    const loaded = await Promise.all(['run', 'second'].map((runId) => storage.loadRun(runId)))
    const exported = await attachQueues(
      storage,
      loaded.map((run) => run!),
    )
    const other = await openStorage({ file: ':memory:' })
    for (const run of exported) await importRun(JSON.parse(JSON.stringify(run)), other, 0)
    expect(await loadQueue(other, queue.id)).toEqual(queue)
    expect((await loadQueueRatings(other, queue)).get(1)).toMatchObject([{ rater: 'ann', rating: 0.7 }])
    await other.close()

    await deleteRun(storage, 'run')
    expect(await findQueues(storage, ['second'])).toHaveLength(1)
    await loadQueueRatings(storage, queue)
    await deleteRun(storage, 'second')
    expect(await loadQueue(storage, queue.id)).toBeUndefined()
  })

  it('refuses runs without answers', async () => {
    await importRun({ ...makeRun('empty'), results: [] }, storage, 0)
    await expect(create({ runIds: ['empty'] })).rejects.toThrow(/no answer to rate/)
    await expect(create({ runIds: ['nowhere'] })).rejects.toThrow(/no run nowhere/)
  })
})
