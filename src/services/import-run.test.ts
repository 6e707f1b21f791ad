import { describe, expect, it } from 'vitest'
import type { CellResult } from '../contract/index.ts'
import { openStorage } from '../storage/index.ts'
import { importRun } from './import-run.ts'

async function carry(results: CellResult[]): Promise<CellResult[]> {
  const storage = await openStorage({ file: ':memory:' })
  await importRun({ id: 'x', models: ['a'], results }, storage, 5)
  const run = await storage.loadRun('x')
  await storage.close()
  return run?.results ?? []
}

describe('an imported run', () => {
  const cell = { testCaseId: 'c', modelId: 'a' }

  it.each<[string, CellResult]>([
    ['a test case, a model and a score alone', { ...cell, score: { score: 1 } }],
    ['an outcome and no response', { ...cell, outcome: 'ok', score: { score: 1 } }],
    ['a refusal without its words', { ...cell, outcome: 'refusal', score: { score: 0 } }],
    ['no score, and the reason', { ...cell, unscored: { code: 'judge-unreadable', message: 'no' } }],
  ])('keeps the score of a cell with %s', async (_name, result) => {
    const [carried] = await carry([result])
    expect(carried).toMatchObject({ outcome: 'ok', ...result })
    expect(carried?.error).toBeUndefined()
  })
  it('keeps tokens, cost, times, what was left out and what a person thought', async () => {
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
    expect((await carry([result]))[0]).toMatchObject(result)
  })
  it('has an error where there is neither answer nor score, whatever the outcome says', async () => {
    expect(await carry([{ ...cell, outcome: 'ok' }])).toMatchObject([
      { outcome: 'error', error: 'no answer in the file' },
    ])
  })
})
