import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { measureJudgeAgreement } from './judge-agreement.ts'

/** Shrout and Fleiss (1979), table 2: six subjects, four judges, grades of 0–10. */
const shroutFleiss = [
  [9, 2, 5, 8],
  [6, 1, 3, 2],
  [8, 4, 6, 8],
  [7, 1, 2, 6],
  [10, 5, 6, 9],
  [6, 2, 4, 7],
]

function makeRun(grades: number[][]): RunResult {
  return {
    id: 'r',
    models: ['m'],
    results: grades.map((row, index) => ({
      testCaseId: `c${index}`,
      modelId: 'm',
      score: {
        score: 0.5,
        judges: row.map((grade, judge) => ({ judgeModelId: `judge-${judge}`, score: grade / 10, reasoning: '' })),
      },
    })),
  }
}

describe("a panel's agreement", () => {
  it('ICC(2,1) of Shrout and Fleiss is .2898, whatever the scale', () => {
    const agreement = measureJudgeAgreement([makeRun(shroutFleiss)])!
    expect(agreement).toMatchObject({ judges: ['judge-0', 'judge-1', 'judge-2', 'judge-3'], answers: 6 })
    expect(agreement.icc).toBeCloseTo(0.2898, 4)
    expect(agreement.pairs).toHaveLength(6)
    expect(agreement.means[1]!.mean).toBeCloseTo(0.25, 12)
  })
  it('is full for judges that give the same grades', () => {
    const agreement = measureJudgeAgreement([
      makeRun([
        [1, 1],
        [5, 5],
        [9, 9],
      ]),
    ])!
    expect([agreement.alpha, agreement.icc, agreement.pairs[0]!.kappa]).toEqual([
      expect.closeTo(1, 12),
      expect.closeTo(1, 12),
      expect.closeTo(1, 12),
    ])
  })
  it('ignores answers that a judge did not grade', () => {
    expect(
      measureJudgeAgreement([
        makeRun([
          [1, 2, 3],
          [4, 5],
          [7, 8, 9],
        ]),
      ])?.answers,
    ).toBe(2)
  })
  it('needs at least two judges', () => {
    expect(measureJudgeAgreement([makeRun([[5], [6]])])).toBeUndefined()
    expect(measureJudgeAgreement([{ id: 'r', models: [], results: [] }])).toBeUndefined()
  })
})
