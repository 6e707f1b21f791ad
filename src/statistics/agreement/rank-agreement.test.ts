import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { measureRankAgreement } from './rank-agreement.ts'

/** Results of models on a case with these scores; with `compared`, the higher score won each direct comparison. */
function caseOf(testCaseId: string, scores: Record<string, number>, compared: boolean): RunResult['results'] {
  return Object.entries(scores).map(([modelId, own]) => ({
    testCaseId,
    modelId,
    score: {
      score: compared ? 0.5 : own,
      ...(compared && {
        comparisons: Object.entries(scores)
          .filter(([other]) => other !== modelId)
          .map(([opponentId, other]) => ({ opponentId, score: own === other ? 0.5 : own > other ? 1 : 0 })),
      }),
    },
  }))
}
const run = (...results: RunResult['results'][]): RunResult => ({
  id: 'r',
  models: ['a', 'b', 'c'],
  results: results.flat(),
})

describe('direct comparisons and scores', () => {
  it('agree by models and case by case if another run scored the same cases', () => {
    const compared = [run(caseOf('x', { a: 3, b: 2, c: 1 }, true), caseOf('y', { a: 3, b: 1, c: 2 }, true))]
    const scored = [run(caseOf('x', { a: 0.9, b: 0.5, c: 0.1 }, false), caseOf('y', { a: 0.9, b: 0.5, c: 0.5 }, false))]
    expect(measureRankAgreement(compared, scored)).toMatchObject({ models: 3, pairs: 5, agreed: 5 })
    const opposite = [run(caseOf('x', { a: 0.1, b: 0.5, c: 0.9 }, false))]
    expect(measureRankAgreement(compared, opposite)).toMatchObject({ pairs: 3, agreed: 0 })
  })

  it('agree by models if other cases of the same run have scores', () => {
    const both = [run(caseOf('x', { a: 3, b: 2, c: 1 }, true), caseOf('y', { a: 0.9, b: 0.5, c: 0.1 }, false))]
    expect(measureRankAgreement(both)).toEqual({ models: 3, tau: 1, pairs: 0, agreed: 0 })
  })

  it('cannot agree without both', () => {
    expect(measureRankAgreement([run(caseOf('x', { a: 3, b: 2 }, true))])).toBeUndefined()
    expect(measureRankAgreement([run(caseOf('x', { a: 0.3, b: 0.2 }, false))])).toBeUndefined()
  })
})
