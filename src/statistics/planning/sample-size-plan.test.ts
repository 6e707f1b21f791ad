import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { powerOfPairedTest } from './power.ts'
import { planForDifference } from './sample-size-plan.ts'

const variances = { difference: 0.1, caseVariance: 0.04, runVariance: 0.09, runs: 2 }

describe('sample-size plan', () => {
  it('60 cases, 2 runs: 9 more cases or 1 more run (SciPy 1.17 stats.nct, counted up)', () => {
    expect(planForDifference({ ...variances, cases: 60 })).toEqual({ moreCases: 9, moreRuns: 1, runsCannotHelp: false })
  })

  it('30 cases: 39 more cases, but no number of runs is enough, since cases vary too much (SciPy 1.17 stats.nct)', () => {
    expect(planForDifference({ ...variances, cases: 30 })).toEqual({
      moreCases: 39,
      moreRuns: null,
      runsCannotHelp: true,
    })
  })

  it('33 cases with deviation .2 never reach .8 with more runs (.7954), 34 do (.8078) (SciPy 1.17)', () => {
    expect(planForDifference({ ...variances, cases: 33 }).runsCannotHelp).toBe(true)
    expect(planForDifference({ ...variances, cases: 34 }).runsCannotHelp).toBe(false)
  })

  it('needs nothing more if there are enough cases', () => {
    expect(planForDifference({ ...variances, cases: 500 })).toEqual({
      moreCases: 0,
      moreRuns: 0,
      runsCannotHelp: false,
    })
  })

  it('plans only cases if the run variance is unknown', () => {
    expect(planForDifference({ ...variances, runVariance: null, cases: 30 })).toEqual({
      moreCases: 4,
      moreRuns: null,
      runsCannotHelp: false,
    })
  })

  it('has no solution without a difference', () => {
    expect(planForDifference({ ...variances, difference: 0, cases: 60 })).toEqual({
      moreCases: Infinity,
      moreRuns: null,
      runsCannotHelp: true,
    })
  })

  it('cannot use more runs with one case, since a t test needs two', () => {
    const plan = planForDifference({ difference: 0.5, caseVariance: 0, runVariance: 0.01, cases: 1, runs: 5 })
    expect(plan).toMatchObject({ moreCases: 2, moreRuns: null, runsCannotHelp: true })
  })

  it('gives the fewest runs that reach the power', () => {
    const spread = fc.double({ min: 0, max: 0.02, noNaN: true })
    fc.assert(
      fc.property(
        spread,
        fc.double({ min: 0.1, max: 2, noNaN: true }),
        fc.integer({ min: 1, max: 9 }),
        (caseVariance, runVariance, runs) => {
          const { moreRuns } = planForDifference({ difference: 0.1, caseVariance, runVariance, cases: 40, runs })
          const power = (count: number) =>
            powerOfPairedTest({ difference: 0.1, stdDev: Math.sqrt(caseVariance + runVariance / count), n: 40 })
          expect(power(runs + moreRuns!)).toBeGreaterThanOrEqual(0.8)
          if (moreRuns! > 0) expect(power(runs + moreRuns! - 1)).toBeLessThan(0.8)
        },
      ),
    )
  })

  it.each([{ cases: 0 }, { cases: 10, runs: 0 }, { cases: 10, caseVariance: -1 }, { cases: 10, runVariance: NaN }])(
    'rejects %j',
    (change) => {
      expect(() => planForDifference({ ...variances, ...change })).toThrow(RangeError)
    },
  )
})
