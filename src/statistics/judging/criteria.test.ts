import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { criterionStats } from './criteria.ts'

/** Verdicts on two criteria, `short` and `cites`, by model and case. */
function runOf(verdicts: Record<string, [short: number, cites: number][]>, { withTexts = true } = {}): RunResult {
  return {
    id: 'r',
    models: Object.keys(verdicts),
    testSuiteSnapshot: {
      name: 's',
      testCases: verdicts['a']!.map((_, index) => ({
        id: `c${index}`,
        weight: 1,
        scoringMethod: 'rubric',
        criteria: ['Is short', { id: 'cites', criterion: 'Cites a source' }],
      })),
    },
    results: Object.entries(verdicts).flatMap(([modelId, cases]) =>
      cases.map(([short, cites], index) => ({
        testCaseId: `c${index}`,
        modelId,
        score: {
          score: (short + cites) / 2,
          checks: [
            { id: '1', ...(withTexts && { name: 'Is short' }), scoringMethod: 'criterion', weight: 1, score: short },
            {
              id: 'cites',
              ...(withTexts && { name: 'Cites a source' }),
              scoringMethod: 'criterion',
              weight: 1,
              score: cites,
            },
          ],
        },
      })),
    ),
  }
}

const five = (verdict: [number, number]) => Array.from({ length: 5 }, (): [number, number] => verdict)

describe('the criteria of rubrics', () => {
  it('are pooled over the cases that share them, by model', () => {
    const [short, cites] = criterionStats([
      runOf({
        a: [
          [1, 0],
          [1, 0.5],
        ],
        b: [
          [1, 1],
          [0, 1],
        ],
      }),
    ])
    expect(short).toMatchObject({ text: 'Is short', n: 4, mean: 0.75 })
    expect(short!.cases).toEqual([
      {
        testCaseId: 'c0',
        models: [
          { modelId: 'a', mean: 1 },
          { modelId: 'b', mean: 1 },
        ],
      },
      {
        testCaseId: 'c1',
        models: [
          { modelId: 'a', mean: 1 },
          { modelId: 'b', mean: 0 },
        ],
      },
    ])
    expect(cites!.models).toEqual([
      { modelId: 'a', mean: 0.25, n: 2 },
      { modelId: 'b', mean: 1, n: 2 },
    ])
  })

  it('never discriminate if all of ten or more answers get the same verdict', () => {
    const [short, cites] = criterionStats([runOf({ a: five([1, 0]), b: [...five([1, 0]).slice(1), [1, 1]] })])
    expect([short!.neverDiscriminates, cites!.neverDiscriminates]).toEqual([true, false])
    expect(criterionStats([runOf({ a: [[1, 0]], b: [[1, 0]] })])[0]!.neverDiscriminates).toBe(false)
    expect(criterionStats([runOf({ a: [...five([1, 0]), ...five([1, 0])] })])[0]!.neverDiscriminates).toBe(false)
  })

  it('are found by id in runs without texts', () => {
    const runs = [runOf({ a: [[1, 0]], b: [[0, 1]] }, { withTexts: false })]
    expect(criterionStats(runs).map(({ text }) => text)).toEqual(['Is short', 'Cites a source'])
  })
})
