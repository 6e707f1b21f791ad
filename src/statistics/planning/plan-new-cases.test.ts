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
    ...changes,
  })
}

describe('a plan for a pair that cannot be told apart', () => {
  const everyCase = (count: number) => Array.from({ length: count }, (_, index) => [0.3 + 0.01 * (index % 2), 0.3])

  it.each([
    // The smallest mid-p of sign flips is 1/2ⁿ: below 0.05/3 from 6 cases on, below 0.05/10 from 8, below 0.05/45 from 10.
    { cases: 6, pairs: 1, areTooFew: false },
    { cases: 6, pairs: 3, areTooFew: false },
    { cases: 7, pairs: 10, areTooFew: true },
    { cases: 8, pairs: 10, areTooFew: false },
    { cases: 9, pairs: 45, areTooFew: true },
    { cases: 10, pairs: 45, areTooFew: false },
  ])('does not offer runs where $cases cases can never be enough for $pairs pairs', (given) => {
    const { cases, pairs, areTooFew } = given
    const made = plan({ differences: everyCase(cases), meanDiff: 0.3, alpha: 0.05 / pairs })
    expect(made).toMatchObject({
      isTooSmall: false,
      hasTooManyPairs: areTooFew,
      ...(areTooFew && { moreRuns: null, runsCannotHelp: true }),
    })
  })

  it('says that five cases are too few for any verdict', () => {
    const made = plan({ differences: everyCase(5), meanDiff: 0.3 })
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

describe('a plan for cases in clusters', () => {
  const a = [0.9, 0.8, 1, 0.7, 0.6, 0.5, 0.9, 1, 0.8, 0.7, 0.9, 0.6, 0.8, 0.9]
  const b = [0.7, 0.6, 0.7, 0.6, 0.7, 0.5, 0.6, 0.8, 0.5, 0.6, 0.4, 0.7, 0.7, 0.8]
  const differences = a.map((score, index) => [score - b[index]!])

  it('counts clusters: 136 for 5 points, and beyond 5.09 cases a cluster little is gained (worked value)', () => {
    const made = plan({ differences, clusters: [...'aaabbcddeeefgg'], smallestDifference: 0.05 })!
    expect(made.clusters!.more).toBe(136)
    expect(made.clusters!.enoughCases).toBeCloseTo((4 * (1 - 0.44013)) / 0.44013, 4)
    // Two cases in each of 7 clusters, as now.
    expect(made.moreCases).toBe(272)
    expect(plan({ differences, smallestDifference: 0.05 })!.clusters).toBeUndefined()
  })

  it('says that five clusters are too few for any verdict, however many cases they have', () => {
    const many = Array.from({ length: 50 }, (_, index) => [0.3 + 0.01 * (index % 3)])
    const clusters = many.map((_, index) => `t${index % 5}`)
    expect(plan({ differences: many, clusters })).toMatchObject({ isTooSmall: true })
    expect(plan({ differences: many })).toMatchObject({ isTooSmall: false })
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
