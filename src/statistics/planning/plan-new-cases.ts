import { approximatePairsNeeded, pairsNeeded } from './power.ts'
import { planMoreRuns, type SampleSizePlan } from './sample-size-plan.ts'
import { splitVariance } from './variance-components.ts'
import { meanOf, weightedMoments } from '../numbers/weighted-moments.ts'
import { checkAtLeast, checkFraction } from '../numbers/check-arguments.ts'
import { normalQuantile } from '../numbers/distributions.ts'

/**
 * The factor by which a sample standard deviation must be multiplied to be an upper bound of the true one:
 * √(df/χ²(1−level; df)) for normal data, with the quantile by Wilson & Hilferty (PNAS 17, 1931), whose error is below 1 %
 * from 3 degrees of freedom on.
 */
export function boundSpread(degreesOfFreedom: number, level = 0.8): number {
  checkAtLeast(degreesOfFreedom, 1, 'degreesOfFreedom')
  checkFraction(level, 'level')
  const variance = 2 / (9 * degreesOfFreedom)
  return (1 - variance + normalQuantile(1 - level) * Math.sqrt(variance)) ** -1.5
}

/** Differences below one point are not worth planning for, and for a difference of 0 there is no plan. */
const SMALLEST_PLANNED_DIFFERENCE = 0.01

/** What it would take to detect `difference` with 80 % power. */
export interface DifferencePlan extends Pick<SampleSizePlan, 'moreRuns' | 'runsCannotHelp'> {
  difference: number
  /** False if `difference` is the observed one. */
  isChosen: boolean
  /** New cases that reach the power when tested by themselves. */
  moreCases: number
  /**
   * The same if the true difference were at either end of its interval, fewest first; Infinity (`null` in JSON) if the
   * interval contains 0.
   */
  range: [number, number]
  /** True if there are too few cases for any verdict, whatever the scores. */
  isTooSmall: boolean
  /** True if there are too few for a verdict on this many pairs, whatever the scores: then no number of runs helps. */
  hasTooManyPairs: boolean
  /** True if the interval excludes a difference as large as this one, in either direction: no more data is needed. */
  isRuledOut: boolean
}

export interface PlanNewCasesInput {
  /** A − B for each case, repeat by repeat. */
  differences: number[][]
  /** Of each case. */
  weights: number[]
  meanDiff: number
  confidence95: [number, number]
  alpha: number
  /** Every score is 0 or 1, so that McNemar's test decides. */
  isPassFail: boolean
  /** The difference worth detecting; default: the observed one. */
  smallestDifference?: number | undefined
}

/** Nobody should decide on fewer, even if five passes to none are significant. */
const FEWEST_CASES = 6

/** With n cases the smallest possible p is 2/2ⁿ of sign flips and 1/2ⁿ of McNemar's mid-p: with fewer, none is below α. */
function fewestCases(alpha: number, isPassFail: boolean): number {
  const flips = Math.floor(Math.log2(1 / alpha)) + 1
  return Math.max(FEWEST_CASES, isPassFail ? flips : flips + 1)
}

/**
 * Plans with the spread of the differences at its 80 % upper bound: a point estimate from few cases is too small about
 * half of the time, and the plan with it. New cases count by themselves, because testing the old ones again after a look
 * at them finds differences that are not there. They are assumed to have weights like those of the present cases.
 *
 * Undefined if all cases differ by the same amount: then the spread is unknown.
 */
export function planNewCases({
  differences,
  weights,
  meanDiff,
  confidence95: [low, high],
  alpha,
  isPassFail,
  smallestDifference,
}: PlanNewCasesInput): DifferencePlan | undefined {
  const cases = differences.length
  const fewest = fewestCases(alpha, isPassFail)
  const isTooSmall = cases < FEWEST_CASES
  const hasTooManyPairs = cases < fewest
  const { caseVariance, runVariance } =
    cases < 2 ? { caseVariance: 0, runVariance: null } : splitVariance(differences, weights)
  if (caseVariance === 0 && !runVariance && !isTooSmall) return undefined

  const { effectiveSize } = weightedMoments(weights, weights)
  // n cases of unequal weight tell as much as n_eff of equal weight (Kish, Survey Sampling, 1965).
  const designEffect = cases / effectiveSize
  const factor = cases < 2 ? 1 : boundSpread(Math.max(1, effectiveSize - 1)) ** 2
  const difference = smallestDifference ?? Math.max(Math.abs(meanDiff), SMALLEST_PLANNED_DIFFERENCE)
  const runs = Math.max(1, Math.round(meanOf(differences.map(({ length }) => length))))
  const { moreRuns, runsCannotHelp } = planMoreRuns({
    difference,
    caseVariance: caseVariance * factor * designEffect,
    runVariance: runVariance === null ? null : runVariance * factor * designEffect,
    cases,
    runs,
    alpha,
  })
  const stdDev = Math.sqrt(factor * (caseVariance + (runVariance ?? 0) / runs))
  const weigh = (pairs: number) => Math.max(fewest, Math.ceil(designEffect * pairs))
  const approximate = (gap: number) => weigh(approximatePairsNeeded({ difference: gap, stdDev, alpha }))
  const [nearest, farthest] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b) as [number, number]
  const planned = (gap: number) => Math.max(gap, SMALLEST_PLANNED_DIFFERENCE)
  return {
    difference,
    isChosen: smallestDifference !== undefined,
    moreCases: weigh(pairsNeeded({ difference, stdDev, alpha })),
    range: [approximate(planned(farthest)), low <= 0 && high >= 0 ? Infinity : approximate(planned(nearest))],
    moreRuns: hasTooManyPairs || moreRuns === null ? null : Math.max(moreRuns, 1),
    runsCannotHelp: runsCannotHelp || hasTooManyPairs,
    isTooSmall,
    hasTooManyPairs,
    isRuledOut: !isTooSmall && farthest < difference,
  }
}
