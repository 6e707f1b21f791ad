import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { gatherColumns } from '../results/selection/run-columns.ts'
import { narrowColumns, pairColumns } from './pair-columns.ts'

async function columnsOf(run: RunResult) {
  const gathered = gatherColumns()
  await gathered.add(run)
  return gathered.finish()
}

const testCases = ['1', '2', '3'].map((id) => ({ id, weight: id === '2' ? 3 : 1 }))
const runOf = (id: string, models: string[], scoreOf: (model: string, caseId: string) => number): RunResult => ({
  id,
  models,
  testSuiteSnapshot: { name: 'Suite', testCases },
  results: models.flatMap((modelId) =>
    testCases.map(({ id: testCaseId }) => ({ testCaseId, modelId, score: { score: scoreOf(modelId, testCaseId) } })),
  ),
})

describe('pairing columns', () => {
  it('gives the same with all answers of the earlier run as with only the needed ones', async () => {
    const before = await columnsOf(runOf('a', ['x', 'y', 'z'], (model, id) => (model === 'y' ? Number(id) / 10 : 1)))
    const after = await columnsOf(runOf('b', ['new'], () => 0.4))
    const job = { contestant: 'y', after, isLive: false }
    const narrow = narrowColumns(before, 'y', ['3', '1', '2'])
    expect(Array.from(narrow.runs[0]!.scores)).toEqual([0.1, 0.2, 0.3])
    const paired = pairColumns({ ...job, before: narrow })
    expect(paired).toEqual(pairColumns({ ...job, before }))
    // Weighted: (0.3 + 3 × 0.2 + 0.1) ÷ 5.
    expect(paired.comparison!.paired!.meanDiff).toBeCloseTo(0.2, 12)
    expect(Array.from(narrowColumns(before, 'nobody', ['1']).runs[0]!.scores)).toEqual([])
  })
})
