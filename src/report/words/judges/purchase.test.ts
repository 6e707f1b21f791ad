import { describe, expect, it } from 'vitest'
import type { CellResult } from '../../../contract/index.ts'
import type { NextPurchase } from '../../../statistics/index.ts'
import { buildReport } from '../../model/report.ts'
import { describePurchase } from './purchase.ts'

/** What to buy after a run in which each model has these scores, case by case. */
function purchaseAfter(scores: Record<string, (number | undefined)[]>): string | undefined {
  const results = Object.entries(scores).flatMap(([modelId, ofModel]) =>
    ofModel.map((score, index): CellResult => {
      const cell = { testCaseId: `c${index}`, modelId }
      return score === undefined ? { ...cell, outcome: 'timeout', error: 'late' } : { ...cell, score: { score } }
    }),
  )
  return describePurchase(buildReport([{ id: 'r', models: Object.keys(scores), results }]))
}

const nextPurchase: NextPurchase = {
  of: { modelA: 'a', modelB: 'b' },
  cases: 20,
  runs: 3,
  judges: 2,
  spread: { cases: 0.2, runs: 0.1, judges: 0.01, judgesByCase: 0.1 },
  gain: { twiceTheCases: 0.29289, twiceTheRuns: 0.081, oneMoreJudge: 0.039 },
  best: 'cases',
}
const describeOpen = (changes: Partial<NextPurchase>) =>
  describePurchase({ rows: [], comparisons: [], judging: { nextPurchase: { ...nextPurchase, ...changes } } })

describe('what to buy next', () => {
  it('is the best purchase first, then what the others would do', () => {
    expect(describeOpen({})).toBe(
      'Buy cases next: twice the cases narrow the interval of the leading pair by 29 %, twice the runs by 8 %, a third judge by 4 %.',
    )
    expect(describeOpen({ best: 'runs', gain: { ...nextPurchase.gain, twiceTheRuns: 0.281 } })).toBe(
      'Buy runs next, which need no new cases: twice the runs narrow the interval of the leading pair by 28 %, twice the cases by 29 %, a third judge by 4 %.',
    )
    expect(describeOpen({ best: 'judges', gain: { ...nextPurchase.gain, oneMoreJudge: 0.174 } })).toBe(
      'Buy judge calls next, which need no new cases: a third judge narrows the interval of the leading pair by 17 %, twice the cases by 29 %, twice the runs by 8 %.',
    )
  })

  it('says what cannot be known after a single run without a panel', () => {
    const alone: Partial<NextPurchase> = {
      of: { modelA: 'a' },
      runs: 1,
      judges: 1,
      spread: { cases: 0.2, runs: null, judges: null, judgesByCase: null },
      gain: { twiceTheCases: 0.29289, twiceTheRuns: null, oneMoreJudge: null },
    }
    expect(describeOpen(alone)).toBe(
      'Buy cases next: twice the cases narrow the interval by 29 %; what repeats would do shows only after a second run.',
    )
    expect(describeOpen({ ...alone, runs: 2 })).toContain(
      '; what more repeats would do cannot be told, because too few answers have a grade by every judge in two runs.',
    )
  })

  it('names what no number of cases removes', () => {
    expect(describeOpen({ spread: { cases: 0.2, runs: 0.1, judges: 0.12, judgesByCase: 0.1 } })).toContain(
      '; the judges differ by 12.0 points (SD) on how far the two are apart, which no number of cases removes.',
    )
  })

  it.each([
    [{ a: [1], b: [0] }, 'Buy more cases next, because one case cannot show how much cases vary.'],
    [{ a: [1] }, 'Buy more cases next, because one case cannot show how much cases vary.'],
    [{ a: [1, 1, 1] }, 'Buy more cases next, because all scores are the same and so do not show how much cases vary.'],
    [
      { a: [1, 0.5, 1], b: [1, 0.5, 1] },
      'Buy more cases next, because the leading pair scores the same on every case, which does not show how much cases vary.',
    ],
    [
      { a: [1, 1, 1], b: [0.5, 0.5, 0.5] },
      'Buy more cases next, because the leading pair differs by the same amount on every case, which does not show how much cases vary.',
    ],
    [
      { a: [1, undefined], b: [undefined, 1] },
      'Buy cases next that the leading pair both answer, because they have no scored case in common.',
    ],
  ])('is more cases, with the reason, if the spread cannot be estimated: %j', (scores, sentence) => {
    expect(purchaseAfter(scores)).toBe(sentence)
  })

  it('is nothing if the verdict is clear', () => {
    const cases = Array.from({ length: 30 }, (_, index) => index)
    expect(purchaseAfter({ a: cases.map(() => 1), b: cases.map(() => 0) })).toBe(
      'Nothing more need be bought for the leading pair: its verdict is clear.',
    )
    expect(purchaseAfter({ a: cases.map(() => 1), b: cases.map((index) => (index % 3) / 10) })).toBe(
      'Nothing more need be bought for the leading pair: its verdict is clear; twice the cases would narrow its interval by 29 %, and what repeats would do shows only after a second run.',
    )
  })

  it('is not said without any score', () => {
    expect(purchaseAfter({ a: [undefined] })).toBeUndefined()
  })
})
