import { describe, expect, it } from 'vitest'
import { runRequestSchema, type CellResult } from '../../contract/index.ts'
import { openStorage } from '../../storage/index.ts'
import { importRun, importRuns } from './import-run.ts'

async function importAndLoad(results: CellResult[]): Promise<CellResult[]> {
  const storage = await openStorage({ file: ':memory:' })
  await importRun({ id: 'x', models: ['a'], results }, storage, 5)
  const run = await storage.loadRun('x')
  await storage.close()
  return run?.results ?? []
}

describe('an imported run', () => {
  const cell = { testCaseId: 'c', modelId: 'a' }

  it.each<[string, CellResult]>([
    ['only a test case, a model and a score', { ...cell, score: { score: 1 } }],
    ['an outcome and no response', { ...cell, outcome: 'ok', score: { score: 1 } }],
    ['a refusal without its text', { ...cell, outcome: 'refusal', score: { score: 0 } }],
    ['no score but a reason', { ...cell, unscored: { code: 'judge-unreadable', message: 'no' } }],
  ])('keeps the score of a cell with %s', async (_name, result) => {
    const [imported] = await importAndLoad([result])
    expect(imported).toMatchObject({ outcome: 'ok', ...result })
    expect(imported?.error).toBeUndefined()
  })
  it('keeps tokens, cost, times, left-out parameters and the human rating', async () => {
    const result: CellResult = {
      ...cell,
      outcome: 'ok',
      response: 'x',
      score: { score: 0.5 },
      latencyMs: 12,
      firstTokenMs: 3,
      promptTokens: 7,
      completionTokens: 2,
      cost: 0.25,
      leftOut: ['topP'],
      rating: { rating: 0.5, note: 'so so' },
    }
    expect((await importAndLoad([result]))[0]).toMatchObject(result)
  })
  it('costs nobody anything: its requests were sent elsewhere, and a file must not decide who pays', async () => {
    const storage = await openStorage({ file: ':memory:' })
    const request = runRequestSchema.parse({ suiteId: 's', models: ['a'], maxCost: 3, concurrency: 7 })
    const owned = { ...request, startedBy: { id: 'ada', name: 'Ada' }, project: 'Atlas', endpoint: 'http://a.test/v1' }
    await importRun(
      { id: 'x', models: ['a'], request: owned, results: [{ ...cell, response: 'x', cost: 0.25 }] },
      storage,
      5,
    )
    expect((await storage.loadRun('x'))?.request).toEqual(request)
    expect(await storage.access.listSpending(0)).toEqual([])
    expect((await storage.listRuns())[0]?.cost).toBe(0.25)
    await storage.close()
  })
  it('that is refused leaves nothing behind, nor does one imported with it', async () => {
    const storage = await openStorage({ file: ':memory:' })
    const good = { id: 'good', models: ['a'], results: [{ ...cell, score: { score: 1 } }] }
    const costly = {
      ...good,
      id: 'costly',
      results: [...good.results, { ...cell, testCaseId: 'd', response: 'x', cost: 2e6 }],
    }
    await expect(importRuns([good, costly], storage, 5)).rejects.toThrow(/The cost of the attempt is 2000000/)
    expect(await storage.listRuns()).toEqual([])
    await importRuns([good], storage, 5)
    await expect(importRuns([costly, good], storage, 5)).rejects.toThrow()
    expect((await storage.listRuns()).map(({ id }) => id)).toEqual(['good'])
    await storage.close()
  })
  it('has an error for a cell with neither answer nor score, whatever its outcome', async () => {
    expect(await importAndLoad([{ ...cell, outcome: 'ok' }])).toMatchObject([
      { outcome: 'error', error: 'no answer in the file' },
    ])
  })
})
