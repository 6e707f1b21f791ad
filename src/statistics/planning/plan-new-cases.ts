import { approximatePairsNeeded, pairsNeeded } from './power.ts'
import { planMoreRuns, type SampleSizePlan } from './sample-size-plan.ts'
import { splitVariance } from './variance-components.ts'
import { clusteredMoments, indexClusters, type Clusters } from '../clusters/clustered-moments.ts'
import { meanOf } from '../numbers/weighted-moments.ts'
import { casesForEquivalence } from '../tests/equivalence.ts'
import type { JudgeSpread } from '../tests/difference-interval.ts'
import { FEWEST_UNITS } from '../tests/verdict-p.ts'
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
export const SMALLEST_PLANNED_DIFFERENCE = 0.01

/** Rounding of the product must not add a case. */
const roundUp = (value: number) => Math.ceil(value - 1e-9)

/** What it would take to detect `difference` with 80 % power. */
export interface DifferencePlan extends Pick<SampleSizePlan, 'moreRuns' | 'runsCannotHelp'> {
  difference: number
  /** False if `difference` is the observed one. */
  isChosen: boolean
  /** What the plan is made from: cases, or clusters of them, and runs. */
  present: { units: number; runs: number }
  /** New cases that reach the power when tested by themselves; Infinity (`null` in JSON) if none do. */
  moreCases: number
  /**
   * The same if the true difference were at either end of its interval, fewest first; Infinity (`null` in JSON) if the
   * interval contains 0.
   */
  range: [number, number]
  /** If cases are in clusters, which count as one observation each. */
  clusters?: {
    /** New clusters that reach the power when tested by themselves; `moreCases` is for clusters of the present size. */
    more: number
    /** More cases than this in a cluster gain little; Infinity (`null` in JSON) if clusters are not alike inside. */
    enoughCases: number
  }
  /** Present if judges differ by so much that no number of cases would do. */
  areJudgesTooFew?: true
  /** True if there are too few cases, or clusters of them, for any verdict, whatever the scores. */
  isTooSmall: boolean
  /** True if there are too few for a verdict on this many pairs, whatever the scores: then no number of runs helps. */
  hasTooManyPairs: boolean
  /** If a margin was chosen: the cases, or clusters of them, that show that two models are the same within it. */
  same?: number
  /** True if the interval excludes a difference as large as this one, in either direction: no more data is needed. */
  isRuledOut: boolean
}

export interface PlanNewCasesInput {
  /** A − B for each case, repeat by repeat. */
  differences: number[][]
  /** Of each case. */
  weights: number[]
  clusters?: Clusters
  meanDiff: number
  confidence95: [number, number]
  /** The interval by which a difference may be ruled out; default: `confidence95`. */
  careful?: readonly [number, number]
  /** True if models within `smallestDifference` of each other are to be called the same. */
  isMargin?: boolean
  alpha: number
  /** How much judges who are drawn at random differ. */
  panel?: JudgeSpread | undefined
  /** The difference worth detecting; default: the observed one. */
  smallestDifference?: number | undefined
}

/** With n units the smallest possible mid-p of sign flips is 1/2ⁿ: with fewer, none is below α. */
function fewestUnits(alpha: number): number {
  return Math.max(FEWEST_UNITS, Math.floor(Math.log2(1 / alpha)) + 1)
}

/**
 * How alike the values of a cluster are: the intraclass correlation ρ of a one-way analysis of variance for clusters of
 * unequal size (Searle, Casella & McCulloch, Variance Components, 1992). k cases a cluster tell as much as
 * k/(1 + (k − 1)ρ) independent ones; beyond 4(1−ρ)/ρ that grows by less than a fifth, however many there are.
 */
function findEnoughCases(values: readonly number[], clusters: Clusters | undefined): number {
  const { indices } = indexClusters(values.length, clusters)
  const byCluster = [...Map.groupBy(values.keys(), (i) => indices[i]!).values()].map((members) =>
    members.map((i) => values[i]!),
  )
  if (byCluster.length < 2) return Infinity
  const { caseVariance: between, runVariance: within } = splitVariance(byCluster)
  const correlation = within === null || between + within === 0 ? 0 : between / (between + within)
  return correlation === 0 ? Infinity : (4 * (1 - correlation)) / correlation
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
  clusters,
  meanDiff,
  confidence95,
  careful = confidence95,
  isMargin = false,
  alpha,
  panel: judges,
  smallestDifference,
}: PlanNewCasesInput): DifferencePlan | undefined {
  const cases = differences.length
  const [low, high] = confidence95
  const means = differences.map(meanOf)
  const {
    stdErr,
    clusters: units,
    effectiveSize,
    effectiveClusters,
    isClustered,
  } = clusteredMoments(means, weights, clusters)
  const fewest = fewestUnits(alpha)
  const isTooSmall = units < FEWEST_UNITS
  // Of five cases nobody knows how far the judges differ.
  const panel = isTooSmall || judges?.variance === 0 ? undefined : judges
  const hasTooManyPairs = units < fewest
  const { caseVariance, runVariance } =
    cases < 2 ? { caseVariance: 0, runVariance: null } : splitVariance(differences, weights)
  if (caseVariance === 0 && !runVariance && !isTooSmall) return undefined

  // n cases of unequal weight, or in clusters, tell as much as n_eff of equal weight (Kish, Survey Sampling, 1965).
  const factor = cases < 2 ? 1 : boundSpread(Math.max(1, effectiveClusters - 1)) ** 2
  const difference = smallestDifference ?? Math.max(Math.abs(meanDiff), SMALLEST_PLANNED_DIFFERENCE)
  const runs = Math.max(1, Math.round(meanOf(differences.map(({ length }) => length))))
  const variance = caseVariance + (runVariance ?? 0) / runs
  const designEffect = isClustered && variance > 0 ? (stdErr ** 2 * cases) / variance : cases / effectiveSize
  const { moreRuns, runsCannotHelp } = planMoreRuns({
    difference,
    caseVariance: caseVariance * factor * designEffect,
    runVariance: runVariance === null ? null : runVariance * factor * designEffect,
    cases,
    runs,
    alpha,
    panel,
  })
  // Of one unit of equal weight: a case, or a cluster of them.
  const stdDev = Math.sqrt(factor * (isClustered ? stdErr ** 2 * effectiveClusters : variance))
  const weigh = (pairs: number) => Math.max(fewest, roundUp((units / effectiveClusters) * pairs))
  const approximate = (gap: number) =>
    weigh((panel ? pairsNeeded : approximatePairsNeeded)({ difference: gap, stdDev, alpha, panel }))
  const [nearest, farthest] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b) as [number, number]
  const planned = (gap: number) => Math.max(gap, SMALLEST_PLANNED_DIFFERENCE)
  const moreUnits = weigh(pairsNeeded({ difference, stdDev, alpha, panel }))
  // The end of an interval lies within the margin with a power of 90 % on either side.
  const same = Math.max(
    casesForEquivalence({ margin: difference, stdDev, alpha }),
    panel ? pairsNeeded({ difference, stdDev, alpha, panel, power: 0.9 }) : 0,
  )
  const toCases = (count: number) => Math.ceil((count * cases) / units)
  return {
    difference,
    isChosen: smallestDifference !== undefined,
    present: { units, runs },
    moreCases: toCases(moreUnits),
    range: [
      toCases(approximate(planned(farthest))),
      low <= 0 && high >= 0 ? Infinity : toCases(approximate(planned(nearest))),
    ],
    ...(isClustered && {
      clusters: { more: moreUnits, enoughCases: findEnoughCases(means, clusters) },
    }),
    moreRuns: hasTooManyPairs || moreRuns === null ? null : Math.max(moreRuns, 1),
    runsCannotHelp: runsCannotHelp || hasTooManyPairs,
    ...(moreUnits === Infinity && panel && { areJudgesTooFew: true }),
    isTooSmall,
    hasTooManyPairs,
    ...(isMargin && Number.isFinite(same) && { same: weigh(same) }),
    isRuledOut: !isTooSmall && careful[0] > -difference && careful[1] < difference,
  }
}
