import { describe, expect, it } from 'vitest'
import { planNewCases, type PlanNewCasesInput } from './plan-new-cases.ts'

const plan = (changes: Partial<PlanNewCasesInput>) => {
  const differences = changes.differences ?? Array.from({ length: 30 }, (_, index) => [index % 2 === 0 ? 0.2 : -0.1])
  return planNewCases({
    differences,
    weights: differences.map(() => 1),
    meanDiff: 0.05,
    confidence95: [-0.01, 0.11],
    alpha: 0.05,
    isPassFail: false,
    ...changes,
  })
}

describe('a plan for a pair that cannot be told apart', () => {
  const everyCase = (count: number) => Array.from({ length: count }, (_, index) => [0.3 + 0.01 * (index % 2), 0.3])

  it.each([
    // The smallest p of sign flips is 2/2ⁿ: below 0.05 from 6 cases on, below 0.05/3 from 7.
    { cases: 6, pairs: 1, isPassFail: false, areTooFew: false },
    { cases: 6, pairs: 3, isPassFail: false, areTooFew: true },
    { cases: 7, pairs: 3, isPassFail: false, areTooFew: false },
    { cases: 8, pairs: 45, isPassFail: false, areTooFew: true },
    // That of McNemar's mid-p is 1/2ⁿ: 1/64 < 0.05/3.
    { cases: 6, pairs: 3, isPassFail: true, areTooFew: false },
  ])('does not offer runs where $cases cases can never be enough for $pairs pairs', (given) => {
    const { cases, pairs, isPassFail, areTooFew } = given
    const made = plan({ differences: everyCase(cases), meanDiff: 0.3, alpha: 0.05 / pairs, isPassFail })
    expect(made).toMatchObject({
      isTooSmall: false,
      hasTooManyPairs: areTooFew,
      ...(areTooFew && { moreRuns: null, runsCannotHelp: true }),
    })
  })

  it.each([true, false])('says that five cases are too few for any verdict (passes: %s)', (isPassFail) => {
    const made = plan({ differences: everyCase(5), meanDiff: 0.3, isPassFail })
    expect(made).toMatchObject({ isTooSmall: true, hasTooManyPairs: true, moreRuns: null, runsCannotHelp: true })
  })

  it('has a range that includes it, also for differences below a point', () => {
    const { moreCases, range } = plan({ meanDiff: 0.0002, confidence95: [-0.0026, 0.003] })!
    // The range is approximate, which is a case or two off.
    expect(range[0]).toBeLessThanOrEqual(moreCases + 2)
    expect(range[1]).toBe(Infinity)
  })

  it('needs nothing where the interval excludes a difference of that size in both directions', () => {
    const narrow = { meanDiff: 0.0002, confidence95: [-0.026, 0.03] as [number, number] }
    expect(plan({ ...narrow, smallestDifference: 0.05 })?.isRuledOut).toBe(true)
    expect(plan({ ...narrow, smallestDifference: 0.028 })?.isRuledOut).toBe(false)
    expect(plan({ meanDiff: 0.05, confidence95: [-0.01, 0.11] })?.isRuledOut).toBe(false)
  })
})
