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

// The smallest mid-p of sign flips is 2⁻ᴳ, and each of m pairs has .05/m: of 10 pairs none is decided with 7 cases.
it.each([
  { pairs: 1, cases: 6, areTooFew: false },
  { pairs: 3, cases: 6, areTooFew: false },
  { pairs: 10, cases: 7, areTooFew: true },
  { pairs: 10, cases: 8, areTooFew: false },
  { pairs: 45, cases: 9, areTooFew: true },
])('plans for what each of $pairs pairs may use of 5 %, with $cases cases', ({ pairs, cases, areTooFew }) => {
  const a = makeRepeats(Array.from({ length: cases }, (_, index) => [0.5 + 0.01 * (index % 2)]))
  const b = makeRepeats(Array.from({ length: cases }, () => [0.5]))
  expect(comparePaired(a, b, { comparisons: pairs })!.findPlan()!.hasTooManyPairs).toBe(areTooFew)
})

describe('the verdict', () => {
  const decide = (a: number[], b: number[]) =>
    adjustComparisons([comparePaired(makeRepeats(a.map((s) => [s])), makeRepeats(b.map((s) => [s])))])[0]!

  it('is the largest of mid-p flips, t and unseen mass; the flips of 0/1 scores are McNemar’s (worked values)', () => {
    const against = (differences: number[]) =>
      decide(
        differences.map((difference) => Math.max(0, difference)),
        differences.map((difference) => Math.max(0, -difference)),
      )
    const halves = against([0.5, 0, 0, 0.5, 1, 0, 0.5, -0.5, 0, 0.5, 0.5, 0])
    expect(halves).toMatchObject({ verdictTest: 'sign-flips', verdictP: 0.0625, isSignificant: false })
    expect(halves.pValue).toBeCloseTo(0.052663, 6)
    const nineToTwo = against([...Array.from({ length: 9 }, () => 1), -1, -1])
    expect(nineToTwo.verdictTest).toBe('mcnemar-mid-p')
    expect(nineToTwo.verdictP).toBeCloseTo(0.038574, 6)
    const same = against(Array.from({ length: 12 }, () => 0.4))
    expect(same.verdictP).toBeCloseTo(0.017639, 6)
    expect(same.shownInterval).toEqual([expect.closeTo(0.090709, 6), expect.closeTo(0.532553, 6)])
  })

  it('needs six cases, or clusters of them: five passes to none are no verdict', () => {
    const passes = (count: number) =>
      decide(
        Array.from({ length: count }, () => 1),
        Array.from({ length: count }, () => 0),
      )
    expect(passes(5)).toMatchObject({ isSignificant: false, verdictP: 2 ** -5 })
    expect(passes(5).shownInterval[0]).toBe(0)
    expect(passes(6)).toMatchObject({ isSignificant: true })
  })

  it('flips whole clusters and says what counts as independent (worked value)', () => {
    const a = [0.9, 0.8, 1, 0.7, 0.6, 0.5, 0.9, 1, 0.8, 0.7, 0.9, 0.6, 0.8, 0.9]
    const b = [0.7, 0.6, 0.7, 0.6, 0.7, 0.5, 0.6, 0.8, 0.5, 0.6, 0.4, 0.7, 0.7, 0.8]
    const names = [...'aaabbcddeeefgg']
    const inClusters = (scores: number[]) =>
      new Map([...makeRepeats(scores.map((s) => [s]))].map(([id, one], i) => [id, { ...one, cluster: names[i] }]))
    const paired = adjustComparisons([comparePaired(inClusters(a), inClusters(b))])[0]!
    expect(paired).toMatchObject({ n: 14, clusters: 7, verdictP: 0.09375, isSignificant: false, shownLevel: 0.95 })
    expect(paired.effectiveClusters).toBeCloseTo(6.125, 10)
    expect(paired.shownInterval).toEqual([0, expect.closeTo(0.294196, 6)])
    expect(decide(a, b)).toMatchObject({ clusters: 14, isSignificant: true })
  })

  // What has not been seen of one cluster: m ± … with u = .95, and p = (1 + 1/12)⁻¹ = 12/13.
  it('takes differences that rounding tells apart as the same, also in one cluster', () => {
    const inOne = (scores: number[]) =>
      new Map([...makeRepeats(scores.map((s) => [s]))].map(([id, one]) => [id, { ...one, cluster: 'a' }]))
    const paired = adjustComparisons([comparePaired(inOne([7 / 12, 1 / 3]), inOne([1 / 2, 1 / 4]))])[0]!
    expect(paired.verdictP).toBeCloseTo(12 / 13, 10)
    expect(paired.shownInterval).toEqual([expect.closeTo(0.05 * (13 / 12) - 1, 10), expect.closeTo(0.954166667, 8)])
  })

  it('shows intervals that hold for all pairs together (worked values)', () => {
    const a = [0.9, 0.8, 1, 0.7, 0.9, 0.8, 1, 0.9, 0.7, 0.8, 0.9, 1]
    const b = [0.7, 0.8, 0.8, 0.6, 0.7, 0.7, 0.8, 0.8, 0.6, 0.6, 0.9, 0.8]
    const c = [0.7, 0.7, 0.9, 0.5, 0.8, 0.6, 0.7, 0.8, 0.5, 0.7, 0.7, 0.8]
    const [ab, ac, bc] = adjustComparisons(
      [
        [a, b],
        [a, c],
        [b, c],
      ].map(([first, second]) =>
        comparePaired(makeRepeats(first!.map((s) => [s])), makeRepeats(second!.map((s) => [s])), { comparisons: 3 }),
      ),
    )
    expect(ab!.shownLevel).toBeCloseTo(0.983333, 6)
    expect(ab!.verdictP).toBeCloseTo(0.000977, 6)
    expect(ab!.shownInterval).toEqual([expect.closeTo(0.069958, 6), expect.closeTo(0.196709, 6)])
    expect(ac!.verdictP).toBeCloseTo(0.000244, 6)
    expect(ac!.shownInterval).toEqual([expect.closeTo(0.113643, 6), expect.closeTo(0.21969, 6)])
    expect(bc!.verdictP).toBeCloseTo(0.273438, 5)
    expect(bc!.shownInterval).toEqual([expect.closeTo(-0.046831, 6), expect.closeTo(0.113498, 6)])
  })

  it('says how few failures would turn a small lead around, where none was seen (worked value)', () => {
    const scores = Array.from({ length: 40 }, (_, index) => 0.92 + (index % 2 === 0 ? 0.01 : -0.01))
    const others = scores.map((score, index) => score - 0.02 + (index % 4 < 2 ? 0.005 : -0.005))
    const { rareFailures } = decide(scores, others)
    expect(rareFailures!.rate).toBeCloseTo(0.021739, 6)
    expect(rareFailures!.possible).toBeCloseTo(0.072158, 6)
    expect(decide([...scores.slice(1), 0.3], [...others.slice(1), 0.1]).rareFailures).toBeUndefined()
    // Equal means, however their difference rounds.
    expect(decide([0.3, 0.7, 0.4], [0.4, 0.5, 0.5]).rareFailures).toBeUndefined()
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

  it('never contradicts the interval beside it, whatever the scores', () => {
    const score = fc.constantFrom(0, 0.3, 0.5, 0.95, 1)
    fc.assert(
      fc.property(fc.array(fc.tuple(score, score), { minLength: 1, maxLength: 14 }), (cases) => {
        const { isSignificant, shownInterval, verdictP, clusters, confidence95, meanDiff } = decide(
          cases.map(([a]) => a),
          cases.map(([, b]) => b),
        )
        const [low, high] = shownInterval
        expect(low <= meanDiff + 1e-12 && meanDiff <= high + 1e-12).toBe(true)
        expect(isSignificant).toBe(verdictP < 0.05 && clusters >= 6)
        // One number: p < 0.05 only if 0 is outside the interval.
        if (isSignificant) expect(confidence95[0] > 0 || confidence95[1] < 0).toBe(true)
        if (isSignificant) expect(meanDiff > 0 ? low >= 0 : high <= 0).toBe(true)
        else expect(low <= 0 && high >= 0).toBe(true)
      }),
    )
  })
})
