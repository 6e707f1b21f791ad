import { adjustHolm } from './tests/holm.ts'
import { differenceInterval, fitToVerdict, measureDifferences } from './tests/difference-interval.ts'
import { carefulInterval, judgeEquivalence, type Equivalence } from './tests/equivalence.ts'
import { testDifferences } from './tests/paired-t-test.ts'
import { FEWEST_UNITS, findVerdictP } from './tests/verdict-p.ts'
import type { PairJudging } from './judging/panel-grades.ts'
import { countFlips, type Flips } from './count-flips.ts'
import type { CaseRepeats, RepeatsByCase } from './run-scores.ts'
import { planNewCases, type DifferencePlan } from './planning/plan-new-cases.ts'
import { compareInOrder } from './sequential/compare-in-order.ts'
import type { CaseOrder } from './sequential/drawn-order.ts'
import { meanOf, sameScoreTolerance, weightedMoments } from './numbers/weighted-moments.ts'

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
  /** How many clusters they are in: what counts as independent. The same as `n` if each case is its own. */
  clusters: number
  /** (ΣW)²/ΣW² over the weights of the clusters; `clusters` if they weigh the same. */
  effectiveClusters: number
  /** Weighted mean of A − B over the cases, with each model's repeats averaged. */
  meanDiff: number
  stdErr: number
  tStatistic: number
  df: number
  pValue: number
  confidence95: [number, number]
  /**
   * The interval to show beside the verdict: at `shownLevel`, so that the intervals of all pairs hold together with 95 %.
   * It contains 0 exactly if there is no verdict: what the test decides, it does not contradict.
   */
  shownInterval: [number, number]
  /** 1 − 0.05/m for m pairs compared together. */
  shownLevel: number
  /** From the sign-flip permutation test, by whole clusters. */
  permutationP: number
  /**
   * The largest of the mid-p of sign flips (McNemar's if every score is 0 or 1 and all weights are equal), t's p and the
   * p of what has not been seen yet; 1/evidence of the sequential test for runs that may have stopped because of what
   * they saw.
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
  /** True if `adjustedP` is below 0.05 and there are at least 6 clusters. */
  isSignificant: boolean
  /** Who judged it, if judges did, and how much they differ on it: from 3 judges on that is part of the verdict. */
  judging?: PairJudging
  /** Present if a margin was given: whether the two are practically the same. */
  equivalence?: Equivalence & { margin: number }
  /**
   * The share of cases on which the better model would have to fail completely to lose its lead, and the largest share
   * that these cases cannot exclude. Only if it never came near to failing here, and they cannot exclude as many.
   */
  rareFailures?: { rate: number; possible: number }
  /**
   * Only of a verdict where one of the two lacks scores: whether it would be the same if all that the better one lacks
   * scored 0, and all that the other lacks 1.
   */
  evenIfMissing?: boolean
  /** What it would take to reach significance, if it is not reached. */
  plan?: DifferencePlan
  /** With a margin: the cases that only one of the two passes, from B to A. */
  flips?: Flips
}

/** Before the correction for the number of pairs. */
export interface UnadjustedComparison extends Omit<
  PairedComparison,
  'adjustedP' | 'isSignificant' | 'plan' | 'shownInterval' | 'shownLevel' | 'equivalence'
> {
  /** The interval that holds for this many pairs together. */
  intervalFor(pairs: number): [number, number]
  /** The interval by which the two may be called practically the same, given the one that is shown. */
  carefulIntervalFor(pairs: number, shown: [number, number]): [number, number]
  /** Takes a millisecond, and only a comparison that is not significant needs it. */
  findPlan(careful?: readonly [number, number]): DifferencePlan | undefined
}

interface CasePair {
  a: CaseRepeats
  b: CaseRepeats
  cluster: string | undefined
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

/** A case solved in some runs only is neither passed nor failed. */
function arePassFail(pairs: CasePair[]): boolean {
  return pairs.every(({ a, b }) => isZeroOrOne(meanOf(a.scores)) && isZeroOrOne(meanOf(b.scores)))
}

/**
 * A model that is a little better wherever it answered loses its lead if it fails outright on few cases that were not
 * drawn: n draws miss a share u of all cases with a chance of (1 − u)ⁿ.
 */
function findRareFailures(
  pairs: CasePair[],
  { meanDiff, effectiveClusters }: { meanDiff: number; effectiveClusters: number },
): PairedComparison['rareFailures'] {
  if (Math.abs(meanDiff) <= sameScoreTolerance) return undefined
  const winners = pairs.map(({ a, b }) => (meanDiff > 0 ? a : b))
  const { mean } = weightedMoments(
    winners.map(({ scores }) => meanOf(scores)),
    pairs.map(({ a }) => a.weight),
  )
  const rate = Math.abs(meanDiff) / mean
  const possible = 1 - 0.05 ** (1 / effectiveClusters)
  const hasFailed = winners.some(({ scores }) => scores.some((score) => score < mean / 2 - sameScoreTolerance))
  return rate < possible && !hasFailed ? { rate, possible } : undefined
}

/** In most of its runs; undefined if in exactly half of them. */
function passedByMajority({ passes, scores }: CaseRepeats): boolean | undefined {
  return passes === undefined || passes * 2 === scores.length ? undefined : passes * 2 > scores.length
}

function findFlips(pairs: readonly CasePair[]): Flips | undefined {
  const clear = pairs.flatMap(({ a, b, cluster }) => {
    const [ofA, ofB] = [passedByMajority(a), passedByMajority(b)]
    return ofA === undefined || ofB === undefined ? [] : [{ ofA, ofB, cluster }]
  })
  if (clear.length === 0) return undefined
  return countFlips(
    clear.map(({ ofB }) => ofB),
    clear.map(({ ofA }) => ofA),
    clear.map(({ cluster }) => cluster),
  )
}

const describePair = ({ a, cluster, difference }: CasePair) => ({
  testCaseId: a.testCaseId,
  cluster,
  difference,
  weight: a.weight,
})

export interface ComparisonOptions {
  /** The number of pairs compared together: a plan must reach significance after the correction too. */
  comparisons?: number
  /** The difference worth detecting, 0 to 1; default: the observed one. */
  smallestDifference?: number | undefined
  /** The difference that does not matter, 0 to 1: within it, two models are practically the same. */
  sameWithin?: number | undefined
  /** Of runs that may have stopped because of what they saw: with any, the sequential test decides. */
  orders?: readonly CaseOrder[] | undefined
  /** The ids of the cases that count; default: all that both models have a score for. */
  countedCases?: ReadonlySet<string> | undefined
  /** Who judged the two models. */
  judging?: PairJudging | undefined
  /** Also counts the cases that only one of the two passes; only right if a case has one pass mark for both. */
  withFlips?: boolean
}

/** Compares two models case by case; `undefined` if they share no scored case. */
export function comparePaired(
  casesOfA: RepeatsByCase,
  casesOfB: RepeatsByCase,
  {
    comparisons = 1,
    smallestDifference,
    sameWithin,
    orders = [],
    countedCases,
    judging,
    withFlips = false,
  }: ComparisonOptions = {},
): UnadjustedComparison | undefined {
  const pairs = [...casesOfA.values()].flatMap((a): CasePair[] => {
    const b = countedCases?.has(a.testCaseId) === false ? undefined : casesOfB.get(a.testCaseId)
    return b ? [{ a, b, cluster: a.cluster ?? b.cluster, difference: meanOf(a.scores) - meanOf(b.scores) }] : []
  })
  // Random sign flips depend on position: sorted by id, the same data give the same p in any order.
  pairs.sort((first, second) => (first.a.testCaseId < second.a.testCaseId ? -1 : 1))
  if (pairs.length === 0) return undefined

  const sample = {
    differences: pairs.map(({ difference }) => difference),
    weights: pairs.map(({ a }) => a.weight),
    clusters: pairs.map(({ cluster }) => cluster),
    isPassFail: arePassFail(pairs),
  }
  const { differences, weights } = sample
  const moments = measureDifferences(differences, weights, sample.clusters)
  const { clusters, effectiveClusters } = moments
  const { n, meanDiff, stdErr, tStatistic, degreesOfFreedom, pValue, effectSize, ...tTest } = testDifferences(moments)
  const alpha = SIGNIFICANCE_LEVEL / comparisons
  const sequential = orders.length > 0 ? compareInOrder(pairs.map(describePair), orders, alpha) : undefined
  const confidence95 = sequential?.confidence95 ?? tTest.confidence95
  const panel = judging?.spread
  const { permutationP, ...verdict } = findVerdictP(sample, moments, panel)
  const wins = differences.filter((difference) => difference > sameScoreTolerance).length
  const losses = differences.filter((difference) => difference < -sameScoreTolerance).length
  const levelFor = (count: number) => 1 - SIGNIFICANCE_LEVEL / count
  const rareFailures = findRareFailures(pairs, { meanDiff, effectiveClusters })
  const flips = withFlips ? findFlips(pairs) : undefined

  return {
    n,
    clusters,
    effectiveClusters,
    meanDiff,
    stdErr,
    tStatistic,
    df: degreesOfFreedom,
    pValue,
    confidence95,
    permutationP,
    ...(sequential ? { verdictP: sequential.p, verdictTest: 'sequential-holm' } : verdict),
    wins,
    ties: n - wins - losses,
    losses,
    effectSize,
    ...(judging && { judging }),
    ...(rareFailures && { rareFailures }),
    ...(flips && { flips }),
    intervalFor: (count) => sequential?.confidence95 ?? differenceInterval(moments, levelFor(count), panel),
    carefulIntervalFor: (count, shown) =>
      sequential?.confidence95 ?? carefulInterval(sample, moments, { level: levelFor(count), shown }),
    findPlan: (careful) =>
      planNewCases({
        differences: collectDifferences(pairs),
        weights,
        clusters: sample.clusters,
        meanDiff,
        confidence95,
        ...(careful && { careful }),
        alpha,
        ...(!sequential && { panel }),
        smallestDifference: sameWithin ?? smallestDifference,
        isMargin: sameWithin !== undefined,
      }),
  }
}

interface AdjustOptions extends Pick<ComparisonOptions, 'sameWithin'> {
  /** How many pairs there are, if the given ones were chosen by their scores; default: those given. */
  outOf?: number | undefined
  /** Without plans, which take longer than the rest. */
  isWithoutPlans?: boolean
}

/** Adds what depends on the number of pairs compared together: Holm's correction, and with it verdicts and intervals. */
export function adjustComparisons(
  comparisons: readonly (UnadjustedComparison | undefined)[],
  { outOf = 0, ...options }: AdjustOptions = {},
): (PairedComparison | undefined)[] {
  const given = comparisons.filter((comparison) => comparison !== undefined).length
  const others = Array.from({ length: Math.max(0, outOf - given) }, () => 1)
  const adjusted = adjustHolm([...comparisons.map((comparison) => comparison?.verdictP ?? Number.NaN), ...others])
  const pairs = given + others.length
  return comparisons.map(
    (comparison, index) => comparison && decide(comparison, { adjustedP: adjusted[index]!, pairs, ...options }),
  )
}

export function isSequential(test: VerdictTest): boolean {
  return test === 'sequential' || test === 'sequential-holm'
}

/** The rule for "beats". The evidence of a sequential test may have fallen again since it was largest. */
export function isRealDifference(comparison: UnadjustedComparison, adjustedP: number): boolean {
  const {
    clusters,
    confidence95: [low, high],
  } = comparison
  if (adjustedP >= SIGNIFICANCE_LEVEL) return false
  return isSequential(comparison.verdictTest) ? low > 0 || high < 0 : clusters >= FEWEST_UNITS
}

function decide(
  unadjusted: UnadjustedComparison,
  { adjustedP, pairs, sameWithin, isWithoutPlans = false }: AdjustOptions & { adjustedP: number; pairs: number },
): PairedComparison {
  const { findPlan, intervalFor, carefulIntervalFor, ...comparison } = unadjusted
  const isSignificant = isRealDifference(unadjusted, adjustedP)
  const { meanDiff: mean } = comparison
  const shownInterval = fitToVerdict(intervalFor(pairs), { mean, isDecided: isSignificant })
  const [low, high] = carefulIntervalFor(pairs, shownInterval)
  const plan = isSignificant || isWithoutPlans ? undefined : findPlan([low, high])
  return {
    ...comparison,
    shownInterval,
    shownLevel: 1 - SIGNIFICANCE_LEVEL / pairs,
    adjustedP,
    isSignificant,
    ...(plan && { plan }),
    ...(sameWithin !== undefined && {
      equivalence: {
        margin: sameWithin,
        low,
        high,
        verdict: judgeEquivalence([low, high], { mean, margin: sameWithin, isDecided: isSignificant }),
      },
    }),
  }
}
