import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustComparisons, comparePaired } from './paired-comparison.ts'
import type { RepeatsByCase } from './run-scores.ts'

function makeRepeats(scores: number[][]): RepeatsByCase {
  return new Map(
    scores.map((values, index) => [`case-${index}`, { testCaseId: `case-${index}`, weight: 1, scores: values }]),
  )
}

it('plans from the mean differences if one model ran once and the other three times, even if the first runs are equal', () => {
  const once = Array.from({ length: 12 }, (_, index) => [index % 2])
  const thrice = once.map(([score], index) => [score!, index % 3 === 0 ? 1 : score!, index % 4 === 0 ? 1 : score!])
  const { findPlan, wins, losses } = comparePaired(makeRepeats(thrice), makeRepeats(once))!
  const plan = findPlan()
  expect(wins + losses).toBeGreaterThan(0)
  expect(plan).toMatchObject({ moreRuns: null, runsCannotHelp: false })
  expect(plan!.moreCases).toBeGreaterThan(0)
})

it('has no plan only if all of six or more cases differ by the same amount', () => {
  const low = Array.from({ length: 6 }, () => [0.4])
  const high = Array.from({ length: 6 }, () => [0.6])
  expect(comparePaired(makeRepeats(high), makeRepeats(low))!.findPlan()).toBeUndefined()
  const fewer = comparePaired(makeRepeats(high.slice(1)), makeRepeats(low.slice(1)))!
  expect(fewer.findPlan()).toMatchObject({ isTooSmall: true, moreCases: 6, moreRuns: null })
})

it('says that five cases are too few instead of that they vary too much, even 98 points apart', () => {
  const { findPlan } = comparePaired(
    makeRepeats([[1], [0.99], [0.98], [1], [0.97]]),
    makeRepeats([[0.01], [0], [0.02], [0], [0.01]]),
  )!
  expect(findPlan()).toMatchObject({ isTooSmall: true, moreCases: 6 })
})

describe('the verdict', () => {
  const decide = (a: number[], b: number[]) =>
    adjustComparisons([comparePaired(makeRepeats(a.map((s) => [s])), makeRepeats(b.map((s) => [s])))])[0]!

  it('goes by McNemar’s mid-p if every score is 0 or 1, and by sign flips otherwise', () => {
    const wins = Array.from({ length: 12 }, (_, index) => (index < 5 ? 1 : 0))
    const none = Array.from({ length: 12 }, () => 0)
    expect(decide(wins, none)).toMatchObject({ verdictTest: 'mcnemar-mid-p', verdictP: 2 ** -5, isSignificant: true })
    expect(
      decide(
        wins.map((score) => score * 0.9),
        none,
      ),
    ).toMatchObject({
      verdictTest: 'sign-flips',
      verdictP: 2 ** -4,
      isSignificant: false,
    })
  })

  it('goes by sign flips if weights differ or a case passed in some runs only', () => {
    const passFail = makeRepeats([[1], [1], [0], [1], [1], [1]])
    const other = makeRepeats([[0], [0], [0], [0], [0], [0]])
    expect(comparePaired(passFail, other)!.verdictTest).toBe('mcnemar-mid-p')
    const weighted = new Map([...passFail].map(([id, repeats], index) => [id, { ...repeats, weight: index + 1 }]))
    expect(comparePaired(weighted, other)!.verdictTest).toBe('sign-flips')
    const mixed = makeRepeats([
      [1, 0],
      [1, 1],
      [0, 0],
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    expect(comparePaired(mixed, other)!.verdictTest).toBe('sign-flips')
  })

  it('is not “beats” if most cases differ by the same small amount and the rest is unseen: .95 always against 1', () => {
    const always = Array.from({ length: 20 }, () => 0.95)
    const right = Array.from({ length: 20 }, () => 1)
    const { permutationP, confidence95, isSignificant } = decide(right, always)
    expect(permutationP).toBeLessThan(0.001)
    expect(confidence95[0]).toBeLessThan(0)
    expect(isSignificant).toBe(false)
  })

  it('never contradicts its interval, whatever the scores', () => {
    const score = fc.constantFrom(0, 0.3, 0.5, 0.95, 1)
    fc.assert(
      fc.property(fc.array(fc.tuple(score, score), { minLength: 1, maxLength: 14 }), (cases) => {
        const { isSignificant, confidence95, meanDiff } = decide(
          cases.map(([a]) => a),
          cases.map(([, b]) => b),
        )
        const [low, high] = confidence95
        expect(low <= meanDiff + 1e-12 && meanDiff <= high + 1e-12).toBe(true)
        if (isSignificant) expect(meanDiff > 0 ? low > 0 : high < 0).toBe(true)
      }),
    )
  })
})
