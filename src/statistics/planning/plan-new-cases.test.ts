import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { pairedTTest } from '../tests/paired-t-test.ts'
import { planNewCases, type PlanNewCasesInput, boundSpread } from './plan-new-cases.ts'

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

describe('a plan for weighted cases', () => {
  const difference = 0.1
  const weightOf = (index: number) => (index % 2 === 0 ? 10 : 1)
  /** Heavy cases are passed or failed, light ones differ by nearly the same. */
  const drawDifference = (index: number, random: () => number) => {
    const chance = random()
    if (weightOf(index) === 1) return difference + 0.02 * (chance - 0.5)
    return chance < 0.3 ? 1 : chance < 0.5 ? -1 : 0
  }
  const drawCases = (count: number, random: () => number) => ({
    differences: Array.from({ length: count }, (_, index) => drawDifference(index, random)),
    weights: Array.from({ length: count }, (_, index) => weightOf(index)),
  })

  it.each([20, 40])(
    'from %s cases reaches a power of 0.78 to 0.95, although the heavy ones vary most (simulation)',
    (cases) => {
      const random = createRandom(`weighted plan ${cases}`)
      const trials = 400
      let found = 0
      for (let trial = 0; trial < trials; trial++) {
        const { differences, weights } = drawCases(cases, random)
        const made = plan({ differences: differences.map((one) => [one]), weights, smallestDifference: difference })
        const fresh = drawCases(made!.moreCases, random)
        if (pairedTTest(fresh.differences, fresh.weights).confidence95[0] > 0) found++
      }
      expect(found / trials).toBeGreaterThanOrEqual(0.78)
      expect(found / trials).toBeLessThanOrEqual(0.95)
    },
  )

  it('is the same for equal weights of any size', () => {
    const differences = Array.from({ length: 30 }, (_, index) => [(index % 7) / 10 - 0.2, (index % 5) / 10 - 0.2])
    expect(plan({ differences, weights: differences.map(() => 7) })).toEqual(plan({ differences }))
  })

  it('needs more runs where the heavy cases vary most from run to run', () => {
    const differences = Array.from({ length: 60 }, (_, index) =>
      weightOf(index) === 10 ? [0.9, -0.7, index % 4 === 0 ? 0.3 : 0] : [0.1, 0.1, 0.1],
    )
    const weights = differences.map((_, index) => weightOf(index))
    expect(plan({ differences, weights, smallestDifference: 0.1 })!.moreRuns).toBeGreaterThan(
      plan({ differences, smallestDifference: 0.1 })!.moreRuns!,
    )
  })
})

describe('upper bound of a standard deviation', () => {
  it.each([
    [5, 2.3425],
    [10, 6.1791],
    [19, 13.7158],
    [29, 22.4751],
    [99, 86.7864],
  ])('is √(df/χ²) at df = %d with χ²(.2) = %d (R qchisq), within 1 %%', (df, quantile) => {
    expect(boundSpread(df) / Math.sqrt(df / quantile)).toBeCloseTo(1, 2)
  })

  it('needs a degree of freedom', () => {
    expect(() => boundSpread(0)).toThrow(RangeError)
  })
})
