import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { compareAllModels } from '../../statistics/index.ts'
import { chooseVerdicts } from './verdicts.ts'

const models = ['a', 'b', 'c', 'd', 'e']
const run: RunResult = {
  id: 'r',
  models,
  results: models.flatMap((modelId, model) =>
    Array.from({ length: 8 }, (_, index) => ({
      testCaseId: `c${index}`,
      modelId,
      score: { score: 0.9 - model * 0.1 - (index % 2) * 0.05 },
    })),
  ),
}
const comparisons = compareAllModels([run]).map((comparison) => ({
  comparison,
  sentence: `${comparison.modelA} ${comparison.modelB}`,
}))

describe('chooseVerdicts', () => {
  it('puts the comparisons of neighbours first, best models first, and keeps the rest', () => {
    const { first, rest } = chooseVerdicts(comparisons, models)
    expect(first.map(({ sentence }) => sentence)).toEqual(['a b', 'b c', 'c d'])
    expect(first.length + rest.length).toBe(comparisons.length)
    expect(rest.map(({ sentence }) => sentence)).toContain('d e')
  })

  it('is empty without comparisons', () => {
    expect(chooseVerdicts([], models)).toEqual({ first: [], rest: [] })
  })
})
