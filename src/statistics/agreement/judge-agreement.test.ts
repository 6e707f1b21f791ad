import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { measureJudgeAgreement } from './judge-agreement.ts'
import { listSplits } from './split-answers.ts'

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
  it('of two judges is not lost with a third that graded one answer', () => {
    const same = Array.from({ length: 60 }, (_, index) => [index % 11, index % 11])
    const both = measureJudgeAgreement([makeRun(same)])!
    const withThird = measureJudgeAgreement([makeRun([[...same[0]!, 1], ...same.slice(1)])])!
    expect(both.alpha).toBeCloseTo(1, 12)
    expect(withThird.alpha).toBeGreaterThan(0.99)
    expect(withThird).toMatchObject({ answers: 60, icc: Number.NaN })
    expect(withThird.pairs[0]!.kappa).toBeCloseTo(1, 12)
  })
  it("allows for missing grades: Krippendorff's example of 2011 with interval data has alpha .849", () => {
    const ratings = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, NaN, NaN, NaN],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NaN, 3],
      [NaN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NaN],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NaN],
    ]
    const run = makeRun(ratings[0]!.map((_, unit) => ratings.map((row) => row[unit]!)))
    for (const { score } of run.results)
      score!.judges = score!.judges!.filter((verdict) => !Number.isNaN(verdict.score))
    expect(measureJudgeAgreement([run])!.alpha).toBeCloseTo(0.849, 3)
  })
  it('counts every check that judges grade: opposite on one and equal on the other is not full agreement', () => {
    const check = (grades: number[]) => ({
      scoringMethod: 'llm-judge',
      weight: 1,
      score: 0.5,
      judges: grades.map((score, judge) => ({ judgeModelId: `j${judge}`, score, reasoning: '' })),
    })
    const results = [0.3, 0.4, 0.7, 0.6].map((grade, index) => ({
      testCaseId: `c${index}`,
      modelId: 'm',
      score: { score: 0.5, checks: [check([grade, 1 - grade]), check([grade, grade])] },
    }))
    const runs: RunResult[] = [{ id: 'r', models: ['m'], results }]
    const { alpha, answers } = measureJudgeAgreement(runs)!
    // By hand: D_o = 2·2·(0.4² + 0.2²) = 0.8; the 16 grades have Σ(x − 0.5)² = 4·(0.2² + 0.1²)·2 = 0.4, so D_e = 2·16·0.4/15.
    expect(alpha).toBeCloseTo(1 - 0.8 / ((2 * 16 * 0.4) / 15), 12)
    expect(answers).toBe(4)
    expect(listSplits(runs)).toMatchObject({ graded: 4, answers: [{ testCaseId: 'c0' }, { testCaseId: 'c2' }] })
  })
  it('needs at least two judges', () => {
    expect(measureJudgeAgreement([makeRun([[5], [6]])])).toBeUndefined()
    expect(measureJudgeAgreement([{ id: 'r', models: [], results: [] }])).toBeUndefined()
  })
})
