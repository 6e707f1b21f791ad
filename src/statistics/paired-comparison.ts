import { adjustHolm } from './tests/holm.ts'
import { pairedTTest } from './tests/paired-t-test.ts'
import { mcnemarMidP } from './tests/mcnemar-mid-p.ts'
import type { CaseRepeats, RepeatsByCase } from './run-scores.ts'
import { planNewCases, type DifferencePlan } from './planning/plan-new-cases.ts'
import { signFlipTest } from './tests/sign-flip-test.ts'
import { compareInOrder } from './sequential/compare-in-order.ts'
import type { CaseOrder } from './sequential/drawn-order.ts'
import { meanOf, sameScoreTolerance } from './numbers/weighted-moments.ts'

const SIGNIFICANCE_LEVEL = 0.05

/**
 * The test whose p decides a verdict. `sequential` is for the pairs of one run that decides, as they were decided;
 * `sequential-holm` for pairs with a model of such a run.
 */
export type VerdictTest = 'mcnemar-mid-p' | 'sign-flips' | 'sequential' | 'sequential-holm'

/** Two models on the same cases: the main comparison on all screens. */
export interface PairedComparison {
  /** Cases scored for both models. */
  n: number
  /** Weighted mean of A − B over the cases, with each model's repeats averaged. */
  meanDiff: number
  stdErr: number
  tStatistic: number
  df: number
  pValue: number
  confidence95: [number, number]
  /** From the sign-flip permutation test. */
  permutationP: number
  /**
   * McNemar's mid-p if every score is 0 or 1 and all weights are equal, else `permutationP`; 1/evidence of the
   * sequential test for runs that may have stopped because of what they saw.
   */
  verdictP: number
  verdictTest: VerdictTest
  /** `verdictP` after Holm's correction over all pairs shown together; the same for a single pair. */
  adjustedP: number
  wins: number
  ties: number
  losses: number
  /** Hedges' g of the differences (g_z). Cohen's words do not apply: they are for two groups. */
  effectSize: number
  /** True if `adjustedP` is below 0.05 and 0 is outside `confidence95`. */
  isSignificant: boolean
  /** What it would take to reach significance, if it is not reached. */
  plan?: DifferencePlan
}

/** Before the correction for the number of pairs. */
export interface UnadjustedComparison extends Omit<PairedComparison, 'adjustedP' | 'isSignificant' | 'plan'> {
  /** Takes a millisecond, and only a comparison that is not significant needs it. */
  findPlan(): DifferencePlan | undefined
}

interface CasePair {
  a: CaseRepeats
  b: CaseRepeats
  difference: number
}

/** Run-to-run noise is estimated from the k-th repeat of A minus the k-th of B. */
function repeatDifferences({ a, b }: CasePair): number[] {
  const repeats = Math.min(a.scores.length, b.scores.length)
  return Array.from({ length: repeats }, (_, index) => a.scores[index]! - b.scores[index]!)
}

/**
 * The differences of each case, repeat by repeat. If one model ran more often than the other, that would ignore its
 * extra runs: then each case has one value, the difference of its means, and run-to-run noise is unknown.
 */
function collectDifferences(pairs: CasePair[]): number[][] {
  const unequal = pairs.filter(({ a, b }) => a.scores.length !== b.scores.length).length
  return unequal * 10 <= pairs.length ? pairs.map(repeatDifferences) : pairs.map(({ difference }) => [difference])
}

const isZeroOrOne = (score: number) => score <= sameScoreTolerance || score >= 1 - sameScoreTolerance

/** McNemar's test counts cases that one model solved and the other did not: a case solved in some runs is neither. */
function isPassFail(pairs: CasePair[]): boolean {
  const weight = pairs[0]!.a.weight
  return pairs.every(
    ({ a, b }) => a.weight === weight && isZeroOrOne(meanOf(a.scores)) && isZeroOrOne(meanOf(b.scores)),
  )
}

const describePair = ({ a, difference }: CasePair) => ({ testCaseId: a.testCaseId, difference, weight: a.weight })

export interface ComparisonOptions {
  /** The number of pairs compared together: a plan must reach significance after the correction too. */
  comparisons?: number
  /** The difference worth detecting, 0 to 1; default: the observed one. */
  smallestDifference?: number | undefined
  /** Of runs that may have stopped because of what they saw: with any, the sequential test decides. */
  orders?: readonly CaseOrder[] | undefined
  /** The ids of the cases that count; default: all that both models have a score for. */
  countedCases?: ReadonlySet<string> | undefined
}

/** Compares two models case by case; `undefined` if they share no scored case. */
export function comparePaired(
  casesOfA: RepeatsByCase,
  casesOfB: RepeatsByCase,
  { comparisons = 1, smallestDifference, orders = [], countedCases }: ComparisonOptions = {},
): UnadjustedComparison | undefined {
  const pairs = [...casesOfA.values()].flatMap((a): CasePair[] => {
    const b = countedCases?.has(a.testCaseId) === false ? undefined : casesOfB.get(a.testCaseId)
    return b ? [{ a, b, difference: meanOf(a.scores) - meanOf(b.scores) }] : []
  })
  // Random sign flips depend on position: sorted by id, the same data give the same p in any order.
  pairs.sort((first, second) => (first.a.testCaseId < second.a.testCaseId ? -1 : 1))
  if (pairs.length === 0) return undefined

  const differences = pairs.map(({ difference }) => difference)
  const weights = pairs.map(({ a }) => a.weight)
  const { n, meanDiff, stdErr, tStatistic, degreesOfFreedom, pValue, effectSize, ...tTest } = pairedTTest(
    differences,
    weights,
  )
  const alpha = SIGNIFICANCE_LEVEL / comparisons
  const sequential = orders.length > 0 ? compareInOrder(pairs.map(describePair), orders, alpha) : undefined
  const confidence95 = sequential?.confidence95 ?? tTest.confidence95
  const { pValue: permutationP } = signFlipTest(differences, { weights })
  const wins = differences.filter((difference) => difference > sameScoreTolerance).length
  const losses = differences.filter((difference) => difference < -sameScoreTolerance).length
  const hasPassFail = isPassFail(pairs)
  const verdict = sequential
    ? { verdictP: sequential.p, verdictTest: 'sequential-holm' as const }
    : hasPassFail
      ? { verdictP: mcnemarMidP(wins, losses), verdictTest: 'mcnemar-mid-p' as const }
      : { verdictP: permutationP, verdictTest: 'sign-flips' as const }

  return {
    n,
    meanDiff,
    stdErr,
    tStatistic,
    df: degreesOfFreedom,
    pValue,
    confidence95,
    permutationP,
    ...verdict,
    wins,
    ties: n - wins - losses,
    losses,
    effectSize,
    findPlan: () =>
      planNewCases({
        differences: collectDifferences(pairs),
        weights,
        meanDiff,
        confidence95,
        alpha,
        isPassFail: hasPassFail,
        smallestDifference,
      }),
  }
}

/** Adds what depends on the number of pairs compared together: Holm's correction, and with it the verdicts. */
export function adjustComparisons(
  comparisons: readonly (UnadjustedComparison | undefined)[],
): (PairedComparison | undefined)[] {
  const adjusted = adjustHolm(comparisons.map((comparison) => comparison?.verdictP ?? Number.NaN))
  return comparisons.map((comparison, index) => comparison && decide(comparison, adjusted[index]!))
}

/** The rule for "beats": p alone would call skewed differences real too often, and contradict the interval. */
export function isRealDifference({ confidence95: [low, high] }: UnadjustedComparison, adjustedP: number): boolean {
  return adjustedP < SIGNIFICANCE_LEVEL && (low > 0 || high < 0)
}

function decide(unadjusted: UnadjustedComparison, adjustedP: number): PairedComparison {
  const { findPlan, ...comparison } = unadjusted
  const isSignificant = isRealDifference(unadjusted, adjustedP)
  const plan = isSignificant ? undefined : findPlan()
  return { ...comparison, adjustedP, isSignificant, ...(plan && { plan }) }
}
