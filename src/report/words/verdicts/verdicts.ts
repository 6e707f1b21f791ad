import type { ModelComparison } from '../../../statistics/compare-models.ts'
import type { PairedComparison, VerdictTest } from '../../../statistics/paired-comparison.ts'
import type { DifferencePlan } from '../../../statistics/planning/plan-new-cases.ts'
import { capitalise } from '../names.ts'
import {
  describeInterval,
  formatCount,
  formatDifference,
  formatP,
  formatPoints,
  formatScore,
  formatStatistic,
} from '../numbers.ts'

/** `Model X: 85.2 ± 3.1 (95% CI: [82.1, 88.3])` */
export function formatReportLine(
  name: string,
  { mean, stdDev, confidence95: [low, high] }: { mean: number; stdDev: number; confidence95: [number, number] },
): string {
  return `${name}: ${formatScore(mean)} ± ${formatScore(stdDev)} (95% CI: [${formatScore(low)}, ${formatScore(high)}])`
}

/** `A vs B: +4.1 (95% CI: [1.2, 7.0], paired over 60 cases, p = 0.012)`; undefined without a case in common. */
export function describePairLine({ modelA, modelB, paired }: ModelComparison): string | undefined {
  if (!paired) return undefined
  const {
    meanDiff,
    confidence95: [low, high],
    n,
    adjustedP,
  } = paired
  return `${modelA} vs ${modelB}: ${formatDifference(meanDiff)} (95% CI: [${formatScore(low)}, ${formatScore(high)}], paired over ${formatCount(n, 'case')}, ${formatP(adjustedP)})`
}

/** What a suite's cases and runs are called elsewhere: the tasks and trials of an agent's results. */
export interface PlanNouns {
  case: string
  run: string
}

export const describeRuledOut = (difference: number) =>
  `a difference of ${formatPoints(difference)} or more is ruled out`

/** `About 138 more cases, or 4 more runs, would detect a 16.6-point gap`: what it would take to tell two models apart. */
export function describePlan(
  { difference, moreCases, moreRuns, runsCannotHelp, isTooSmall, hasTooManyPairs, isRuledOut }: DifferencePlan,
  nouns: PlanNouns = { case: 'case', run: 'run' },
): string {
  if (isTooSmall) return `Too few ${nouns.case}s for a verdict: use at least ${formatCount(moreCases)}`
  if (isRuledOut) return capitalise(describeRuledOut(difference))
  const points = formatScore(Math.abs(difference))
  const gap = `detect ${/^(?:8|11\.|18\.)/.test(points) ? 'an' : 'a'} ${points}-point gap`
  const ways = [
    ...(Number.isFinite(moreCases) ? [`about ${formatCount(moreCases, `more ${nouns.case}`)}`] : []),
    ...(moreRuns === null ? [] : [formatCount(moreRuns, `more ${nouns.run}`)]),
  ].join(' or ')
  const reason = hasTooManyPairs ? 'are too few for this many pairs' : 'vary too much'
  const why = runsCannotHelp ? `. More ${nouns.run}s alone would not: the ${nouns.case}s ${reason}` : ''
  if (ways === '') return `No number of ${nouns.case}s that could be written would ${gap}${why}`
  return `${capitalise(ways)} would ${gap}${why}`
}

const PLAN_ADVICE =
  'Test new cases by themselves or by the sequential test (run with --until decided, in the web app “Stop when decided”): testing the same data again and again finds differences that are not there. Numbers of cases are for 80 % power.'

/** Said once under all plans; undefined if none asks for more. */
export function advisePlans(comparisons: readonly Pick<ModelComparison, 'paired'>[]): string | undefined {
  return comparisons.some(({ paired }) => paired?.plan && !paired.plan.isRuledOut) ? PLAN_ADVICE : undefined
}

/** Between the names of two models of which the first is better. */
export const BEATS = 'beats'

/** After the names of models that the data do not tell apart. */
export const TOO_CLOSE = 'too close to call'

/** Before the names of models that the data do not tell apart. */
export const TOO_CLOSE_GROUP = 'Too close to call:'

/** The paired comparison of two models over test cases, in a sentence. */
export function describeVerdict({ modelA, modelB, paired }: ModelComparison): string {
  if (!paired) return `${modelA} and ${modelB} have no scored case in common.`
  const { meanDiff, confidence95, isSignificant, plan, verdictTest } = paired
  if (isSignificant) {
    const isAhead = meanDiff > 0
    const [better, worse] = isAhead ? [modelA, modelB] : [modelB, modelA]
    const [low, high] = isAhead ? confidence95 : [-confidence95[1], -confidence95[0]]
    return `${better} ${BEATS} ${worse} by ${formatPoints(meanDiff)} (${describeInterval({ low, high })}).`
  }
  if (!plan && !isSequential(verdictTest) && meanDiff === 0)
    return `${modelA} and ${modelB} tie: identical on every case.`
  const lead = `${modelA} and ${modelB} are ${TOO_CLOSE}`
  if (plan) return `${lead}. ${describePlan(plan)}.`
  if (isSequential(verdictTest)) return `${lead}: the evidence has not reached the line that decides.`
  return `${lead}: they differ by the same amount on every case, so only more cases would tell.`
}

/** The verdict in a few words, where a column names A and B. */
export function describeVerdictShortly(comparison: ModelComparison | undefined): string {
  const paired = comparison?.paired
  if (!paired) return 'no case in common'
  if (!paired.isSignificant) return TOO_CLOSE
  return paired.meanDiff > 0 ? 'B is better' : 'B is worse'
}

/** The heading of the sentences below. */
export const FOR_A_REPORT = 'Copy for a report'

/** `A scored 4.1 points higher than B …`: the paired difference as a paper reports it, with its interval, p and n. */
export function formatReportSentence(
  { modelA, modelB, paired }: ModelComparison,
  { pairs = 1 }: { pairs?: number } = {},
): string {
  if (!paired) return `${modelA} and ${modelB} have no scored case in common.`
  const { meanDiff, confidence95, adjustedP, verdictTest, n } = paired
  const isAhead = meanDiff >= 0
  const [better, worse] = isAhead ? [modelA, modelB] : [modelB, modelA]
  const [low, high] = isAhead ? confidence95 : [-confidence95[1], -confidence95[0]]
  const lead = formatScore(meanDiff) === formatScore(0) ? 'as high as' : `${formatPoints(meanDiff)} higher than`
  const corrected = pairs > 1 ? `, ${describeCorrection([verdictTest])} over ${formatCount(pairs, 'pair')}` : ''
  return `${better} scored ${lead} ${worse} (paired difference, 95% CI: [${formatScore(low)}, ${formatScore(high)}]; ${formatP(adjustedP)}, ${describeVerdictTest(verdictTest)}${corrected}; n = ${formatCount(n, 'case')}).`
}

/** `Hedges' g_z 0.45`; undefined if there is none. */
function describeEffect(effectSize: number | null, isReversed: boolean): string | undefined {
  // NaN is null in JSON.
  if (effectSize === null || Number.isNaN(effectSize)) return undefined
  return `Hedges' g_z ${formatStatistic(isReversed ? -effectSize : effectSize)}`
}

const VERDICT_TESTS: Record<VerdictTest, string> = {
  'mcnemar-mid-p': "McNemar's mid-p test",
  'sign-flips': 'sign flips',
  sequential: 'sequential test',
  'sequential-holm': 'sequential test',
}

export function isSequential(test: VerdictTest): boolean {
  return test === 'sequential' || test === 'sequential-holm'
}

/** Said wherever a run that may have stopped early is compared with others. */
const SEQUENTIAL_NOTE =
  'A run that may stop early is compared by the sequential test, which is right whenever the run stopped; its intervals are wider than those of a test that looks once.'

/** Said once for all pairs; undefined if every test looked once. */
export function explainSequential(tests: readonly VerdictTest[]): string | undefined {
  return tests.includes('sequential-holm') ? SEQUENTIAL_NOTE : undefined
}

export function describeVerdictTest(test: VerdictTest): string {
  return VERDICT_TESTS[test]
}

/** How p is corrected when several pairs are shown: `Holm-corrected`. */
export function describeCorrection(tests: readonly VerdictTest[]): string {
  return tests.includes('sequential') ? 'Shaffer-corrected' : 'Holm-corrected'
}

/**
 * The numbers behind a verdict, from the side of the winner that it names, else of model A:
 * `p = 0.031 (sign flips) · Hedges' g_z 0.45 · 6 won, 3 tied, 1 lost of 10 cases`
 */
export function describeEvidence(paired: PairedComparison): string {
  const { adjustedP, verdictTest, effectSize, ties, n, isSignificant, meanDiff } = paired
  const isWonByB = isSignificant && meanDiff < 0
  const [wins, losses] = isWonByB ? [paired.losses, paired.wins] : [paired.wins, paired.losses]
  const games = `${formatCount(wins)} won, ${formatCount(ties)} tied, ${formatCount(losses)} lost of ${formatCount(n, 'case')}`
  return [`${formatP(adjustedP)} (${describeVerdictTest(verdictTest)})`, describeEffect(effectSize, isWonByB), games]
    .filter((part) => part !== undefined)
    .join(' · ')
}

/** Why the t-test over runs and the verdict over cases differ, if they do. */
export function explainDisagreement({ isSignificant, tStatistic, paired }: ModelComparison): string | undefined {
  if (!paired || tStatistic === null || Number.isNaN(tStatistic) || isSignificant === paired.isSignificant)
    return undefined
  return paired.isSignificant
    ? 'The t-test over runs is not significant because it compares a few run means; the verdict compares the models case by case, on many more values.'
    : 'The t-test over runs is significant because runs of the same cases vary little; the verdict asks whether the difference would hold on other cases too.'
}

/** `3 runs`, or `several runs` if models ran a different number of times. */
export function describeRunCounts(models: readonly { scores: readonly number[] }[]): string {
  const [count, ...others] = new Set(models.map(({ scores }) => scores.length))
  return count === undefined || others.length > 0 ? 'several runs' : formatCount(count, 'run')
}

/** Cases that passed in some runs and failed in others: `flaky: a, and 3 more`. Names `max`. */
export function describeFlaky(cases: readonly string[], max = cases.length): string {
  const left = cases.length - max
  return `flaky: ${[...cases.slice(0, max), ...(left > 0 ? [`and ${formatCount(left)} more`] : [])].join(', ')}`
}
