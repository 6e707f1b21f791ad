import { describe, expect, it } from 'vitest'
import type { CellResult } from '../../../contract/index.ts'
import type { NextStepPlan } from '../../../statistics/index.ts'
import { buildReport } from '../../model/report.ts'
import { recommendNextStep } from './next-step.ts'

/** What to do after a run in which each model has these scores, case by case. */
function stepAfter(scores: Record<string, (number | undefined)[]>): string | undefined {
  const results = Object.entries(scores).flatMap(([modelId, ofModel]) =>
    ofModel.map((score, index): CellResult => {
      const cell = { testCaseId: `c${index}`, modelId }
      return score === undefined ? { ...cell, outcome: 'timeout', error: 'late' } : { ...cell, score: { score } }
    }),
  )
  return recommendNextStep(buildReport([{ id: 'r', models: Object.keys(scores), results }]))
}

const nextStep: NextStepPlan = {
  of: { modelA: 'a', modelB: 'b' },
  cases: 20,
  runs: 3,
  judges: 2,
  spread: { cases: 0.2, runs: 0.1, judges: 0.01, judgesByCase: 0.1 },
  gain: { twiceTheCases: 0.29289, twiceTheRuns: 0.081, oneMoreJudge: 0.039 },
  best: 'cases',
}
const describeOpen = (changes: Partial<NextStepPlan>) =>
  recommendNextStep({ rows: [], comparisons: [], judging: { nextStep: { ...nextStep, ...changes } } })

describe('the next step', () => {
  it('is the best one, then what repeats and judges would gain', () => {
    expect(describeOpen({})).toBe(
      'Next: add cases. Twice the runs would narrow the interval of the leading pair by 8 %, a third judge by 4 %.',
    )
    expect(describeOpen({ best: 'runs', gain: { ...nextStep.gain, twiceTheRuns: 0.281 } })).toBe(
      'Next: add runs, which need no new cases. Twice the runs would narrow the interval of the leading pair by 28 %, a third judge by 4 %.',
    )
    expect(describeOpen({ best: 'judges', gain: { ...nextStep.gain, oneMoreJudge: 0.174 } })).toBe(
      'Next: add a judge, which needs no new cases. A third judge would narrow the interval of the leading pair by 17 %, twice the runs by 8 %.',
    )
  })

  it('says what cannot be known after a single run without a panel', () => {
    const alone: Partial<NextStepPlan> = {
      of: { modelA: 'a' },
      runs: 1,
      judges: 1,
      spread: { cases: 0.2, runs: null, judges: null, judgesByCase: null },
      gain: { twiceTheCases: 0.29289, twiceTheRuns: null, oneMoreJudge: null },
    }
    expect(describeOpen(alone)).toBe('Next: add cases. A second run would show what repeats add.')
    expect(describeOpen({ ...alone, runs: 2 })).toContain(
      ' What more repeats would add is unknown: too few answers have a grade by every judge in two runs.',
    )
  })

  it('names what no number of cases removes', () => {
    expect(describeOpen({ spread: { cases: 0.2, runs: 0.1, judges: 0.12, judgesByCase: 0.1 } })).toContain(
      ' The judges differ by 12.0 points (SD) on how far the two are apart, which no number of cases removes.',
    )
  })

  it('asks for no cases where no number of them that anyone would write detects the gap', () => {
    const noisy = (shift: number): number[] =>
      Array.from({ length: 12 }, (_, index) => (index % 2 === shift ? 0.9 : 0.1))
    const b = noisy(1).with(0, 0.12)
    expect(stepAfter({ a: noisy(0), b })).toMatch(/^A gap under 1 point is too small for such cases; /)
  })

  it.each([
    [{ a: [1], b: [0] }, 'Next: add cases. One case cannot show how much cases vary.'],
    [{ a: [1] }, 'Next: add cases. One case cannot show how much cases vary.'],
    [{ a: [1, 1, 1] }, 'Next: add cases. All scores are identical, so they do not show how much cases vary.'],
    [{ a: [1, 0.5, 1], b: [1, 0.5, 1] }, 'Next: add cases of another kind. On these the models score the same.'],
    [{ a: [1, 1, 1], b: [1, 1, 1] }, 'Next: add harder cases. Every answer passes these.'],
    [
      { a: [1, 1, 1], b: [0.5, 0.5, 0.5] },
      'Next: add cases. The leading pair differs by the same amount on every case, which does not show how much cases vary.',
    ],
    [
      { a: [1, undefined], b: [undefined, 1] },
      'Next: add cases that the leading pair both answer. They have no scored case in common.',
    ],
  ])('is more cases, with the reason, if the spread cannot be estimated: %j', (scores, sentence) => {
    expect(stepAfter(scores)).toBe(sentence)
  })

  it('is nothing if the verdict is clear', () => {
    const cases = Array.from({ length: 30 }, (_, index) => index)
    expect(stepAfter({ a: cases.map(() => 1), b: cases.map(() => 0) })).toBe('No more data needed.')
    expect(stepAfter({ a: cases.map(() => 1), b: cases.map((index) => (index % 3) / 10) })).toBe('No more data needed.')
  })

  it('is not said without any score', () => {
    expect(stepAfter({ a: [undefined] })).toBeUndefined()
  })
})
