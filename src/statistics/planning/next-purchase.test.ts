import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { planNextPurchase } from './next-purchase.ts'

type Grades = Record<string, number[][]>

/** Runs of models with `[run][case]` scores, each a number or one a judge. */
function runsOf(grades: Record<string, (number | number[])[][]>): RunResult[] {
  const models = Object.keys(grades)
  return grades[models[0]!]!.map((_, run) => ({
    id: `r${run}`,
    models,
    results: models.flatMap((modelId) =>
      grades[modelId]![run]!.map((grade, index) => {
        const judges = [grade].flat().map((score, judge) => ({ judgeModelId: `j${judge}`, score, reasoning: '' }))
        const score = judges.reduce((sum, judge) => sum + judge.score, 0) / judges.length
        return { testCaseId: `c${index}`, modelId, score: { score, ...(judges.length > 1 && { judges }) } }
      }),
    ),
  }))
}

describe('what to buy next', () => {
  it('twice the cases narrow the interval by 29 %: 1 − √½', () => {
    const purchase = planNextPurchase(runsOf({ a: [[0.2, 0.5, 0.9, 0.4]] }), { modelA: 'a' })
    expect(purchase?.gain).toEqual({ twiceTheCases: 1 - Math.SQRT1_2, twiceTheRuns: null, oneMoreJudge: null })
    expect(purchase).toMatchObject({ cases: 4, runs: 1, judges: 1 })
  })

  it('repeats gain as much as cases where only runs vary, and nothing where only cases do', () => {
    const onlyRuns = runsOf({
      a: [
        [1, 0, 1, 0],
        [0, 1, 0, 1],
      ],
    })
    expect(planNextPurchase(onlyRuns, { modelA: 'a' })?.gain.twiceTheRuns).toBeCloseTo(1 - Math.SQRT1_2, 12)
    const onlyCases = runsOf({
      a: [
        [1, 0, 0.5, 0],
        [1, 0, 0.5, 0],
      ],
    })
    expect(planNextPurchase(onlyCases, { modelA: 'a' })?.gain.twiceTheRuns).toBe(0)
  })

  it('a third judge gains nothing where judges agree, and up to 1 − √⅔ where only they vary', () => {
    const agree = runsOf({
      a: [
        [
          [1, 1],
          [0, 0],
          [0.5, 0.5],
        ],
      ],
    })
    expect(planNextPurchase(agree, { modelA: 'a' })?.gain.oneMoreJudge).toBeCloseTo(0, 12)
    const random = runsOf({
      a: [
        [
          [1, 0],
          [0, 1],
          [1, 0],
          [0, 1],
        ],
      ],
    })
    const purchase = planNextPurchase(random, { modelA: 'a' })
    expect(purchase?.gain.oneMoreJudge).toBeCloseTo(1 - Math.sqrt(2 / 3), 12)
    expect(purchase?.judges).toBe(2)
  })

  it('a judge that is kinder to everything does not widen the comparison of two models', () => {
    const cases: Grades = {
      a: [
        [0.9, 0.7],
        [0.6, 0.4],
        [1, 0.8],
      ],
      b: [
        [0.5, 0.3],
        [0.4, 0.2],
        [0.3, 0.1],
      ],
    }
    const purchase = planNextPurchase(runsOf({ a: [cases['a']!], b: [cases['b']!] }), { modelA: 'a', modelB: 'b' })
    expect(purchase?.spread.judges).toBeCloseTo(0, 12)
    expect(purchase?.spread.judgesByCase).toBeCloseTo(0, 12)
    const alone = planNextPurchase(runsOf({ a: [cases['a']!] }), { modelA: 'a' })
    expect(alone?.spread.judges).toBeCloseTo(Math.sqrt(0.02), 12)
  })

  it('says nothing about a single case or scores that are all the same', () => {
    expect(planNextPurchase(runsOf({ a: [[0.5]] }), { modelA: 'a' })).toBeUndefined()
    expect(planNextPurchase(runsOf({ a: [[0.5, 0.5, 0.5]] }), { modelA: 'a' })).toBeUndefined()
  })
})
