import { describeEffectSize, type EffectSizeWord } from './tests/effect-size.ts'
import { pairedTTest } from './tests/paired-t-test.ts'
import { meanOf, type CaseRepeats, type RepeatsByCase } from './run-scores.ts'
import { planForDifference, type SampleSizePlan } from './planning/sample-size-plan.ts'
import { signFlipTest } from './tests/sign-flip-test.ts'
import { sameScoreTolerance } from './numbers/tolerance.ts'
import { splitVariance } from './planning/variance-components.ts'

/** Differences below one point are not worth planning for, and for a difference of 0 there is no plan. */
const SMALLEST_PLANNED_DIFFERENCE = 0.01

const SIGNIFICANCE_LEVEL = 0.05

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
  /** From the sign-flip permutation test, which decides `isSignificant`. */
  permutationP: number
  /** `permutationP` after Holm's correction over all pairs shown together; the same for a single pair. */
  adjustedP: number
  wins: number
  ties: number
  losses: number
  /** Hedges' g of the differences. */
  effectSize: number
  effectSizeWord?: EffectSizeWord
  isSignificant: boolean
  /** What it would take to reach significance, if it is not reached. */
  plan?: DifferencePlan
}

/** Before the correction for the number of pairs. */
export type UnadjustedComparison = Omit<PairedComparison, 'adjustedP' | 'isSignificant'>

/** What it would take to detect `difference` with 80 % power. */
export type DifferencePlan = SampleSizePlan & { difference: number }

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

/** With n cases the smallest possible p of sign flips is 2/2ⁿ, so with fewer cases nothing can be significant. */
function fewestCases(alpha: number): number {
  return Math.floor(1 + Math.log2(1 / alpha)) + 1
}

function planMore(pairs: CasePair[], meanDiff: number, alpha: number): DifferencePlan | undefined {
  const cases = pairs.length
  const variation = collectDifferences(pairs)
  const { caseVariance, runVariance } = cases < 2 ? { caseVariance: 0, runVariance: null } : splitVariance(variation)
  // If all cases differ by the same amount, the variance of further cases is unknown.
  if (caseVariance === 0 && !runVariance) return undefined

  const difference = Math.max(Math.abs(meanDiff), SMALLEST_PLANNED_DIFFERENCE)
  const runs = Math.max(1, Math.round(meanOf(variation.map(({ length }) => length))))
  const plan = planForDifference({ difference, caseVariance, runVariance, cases, runs, alpha })
  const isBelowFewest = cases < fewestCases(alpha)
  return {
    difference,
    moreCases: Math.max(plan.moreCases, fewestCases(alpha) - cases, 1),
    moreRuns: isBelowFewest || plan.moreRuns === null ? null : Math.max(plan.moreRuns, 1),
    runsCannotHelp: plan.runsCannotHelp || isBelowFewest,
  }
}

/**
 * Compares two models case by case; `undefined` if they share no scored case. `comparisons` is the number of pairs
 * compared together: a plan must reach significance after the correction too.
 */
export function comparePaired(
  casesOfA: RepeatsByCase,
  casesOfB: RepeatsByCase,
  comparisons = 1,
): UnadjustedComparison | undefined {
  const pairs = [...casesOfA.values()].flatMap((a): CasePair[] => {
    const b = casesOfB.get(a.testCaseId)
    return b ? [{ a, b, difference: meanOf(a.scores) - meanOf(b.scores) }] : []
  })
  // Random sign flips depend on position: sorted by id, the same data give the same p in any order.
  pairs.sort((first, second) => (first.a.testCaseId < second.a.testCaseId ? -1 : 1))
  if (pairs.length === 0) return undefined

  const differences = pairs.map(({ difference }) => difference)
  const weights = pairs.map(({ a }) => a.weight)
  const { n, meanDiff, stdErr, tStatistic, degreesOfFreedom, pValue, confidence95, effectSize } = pairedTTest(
    differences,
    weights,
  )
  const { pValue: permutationP } = signFlipTest(differences, { weights })
  const wins = differences.filter((difference) => difference > sameScoreTolerance).length
  const losses = differences.filter((difference) => difference < -sameScoreTolerance).length
  const effectSizeWord = describeEffectSize(effectSize)
  const plan = planMore(pairs, meanDiff, SIGNIFICANCE_LEVEL / comparisons)

  return {
    n,
    meanDiff,
    stdErr,
    tStatistic,
    df: degreesOfFreedom,
    pValue,
    confidence95,
    permutationP,
    wins,
    ties: n - wins - losses,
    losses,
    effectSize,
    ...(effectSizeWord && { effectSizeWord }),
    ...(plan && { plan }),
  }
}

/** Adds what depends on the number of pairs compared together. */
export function withAdjustedP({ plan, ...comparison }: UnadjustedComparison, adjustedP: number): PairedComparison {
  const isSignificant = adjustedP < SIGNIFICANCE_LEVEL
  return { ...comparison, adjustedP, isSignificant, ...(!isSignificant && plan && { plan }) }
}
