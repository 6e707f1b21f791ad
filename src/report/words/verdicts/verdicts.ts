import type { ModelComparison } from '../../../statistics/compare-models.ts'
import { isSequential, type PairedComparison, type VerdictTest } from '../../../statistics/paired-comparison.ts'
import { SMALLEST_PLANNED_DIFFERENCE, type DifferencePlan } from '../../../statistics/planning/plan-new-cases.ts'
import { FEWEST_UNITS } from '../../../statistics/tests/verdict-p.ts'
import { capitalise, joinNames } from '../names.ts'
import {
  formatCount,
  formatDifference,
  formatMargin,
  formatP,
  formatPoints,
  formatScore,
  formatStatistic,
} from '../numbers.ts'
import { intervalOf } from './pairs/gap.ts'

/** `Model X: 85.2 ± 3.1 (95% CI: [82.1, 88.3])` */
export function formatReportLine(
  name: string,
  { mean, stdDev, confidence95: [low, high] }: { mean: number; stdDev: number; confidence95: [number, number] },
): string {
  return `${name}: ${formatScore(mean)} ± ${formatScore(stdDev)} (95% CI: [${formatScore(low)}, ${formatScore(high)}])`
}

/** Whether the mean of the run scores, which count alike however many scores they lack, is another than the leaderboard's. */
export function hasOtherRunMean({ mean, overCases }: { mean: number; overCases: { mean: number } }): boolean {
  return formatScore(mean) !== formatScore(overCases.mean)
}

/** The line of a report; if scores are missing it leads with the leaderboard's mean: `X: 84.0; run scores: 85.2 ± 3.1 (95% CI: …)` */
export function formatSeriesLine(
  name: string,
  stats: Parameters<typeof formatReportLine>[1] & { overCases: { mean: number } },
): string {
  return hasOtherRunMean(stats)
    ? formatReportLine(`${name}: ${formatScore(stats.overCases.mean)}; run scores`, stats)
    : formatReportLine(name, stats)
}

/** `A vs B: +4.1 (95% CI: [1.2, 7.0], paired over 60 cases, p = 0.012)`; undefined without a case in common. */
export function describePairLine({ modelA, modelB, paired }: ModelComparison): string | undefined {
  if (!paired) return undefined
  const { meanDiff, adjustedP } = paired
  const [low, high] = intervalOf(paired)
  return `${modelA} vs ${modelB}: ${formatDifference(meanDiff)} (95% CI: [${formatScore(low)}, ${formatScore(high)}], paired over ${describeCases(paired)}, ${formatP(adjustedP)})`
}

/** What a suite's cases and runs are called elsewhere: the tasks and trials of an agent's results. */
export interface PlanNouns {
  case: string
  run: string
}

export const describeRuledOut = (difference: number) =>
  `a difference of ${formatPoints(difference)} or more is ruled out`

type CountedCases = Pick<PairedComparison, 'n' | 'clusters'>

const addGroups = (cases: string, { n, clusters }: CountedCases) =>
  clusters === n ? cases : `${cases} in ${formatCount(clusters, 'group')}`

/** `60 cases`, or `60 cases in 12 groups` if cases that belong together count as one. */
export const describeCases = (counted: CountedCases): string => addGroups(formatCount(counted.n, 'case'), counted)

/** The same under the heading of a column: `60 in 12 groups`. */
export const formatCases = (counted: CountedCases): string => addGroups(formatCount(counted.n), counted)

/** Nobody writes a suite of more than this many times its size to settle a gap that happened to show. */
const MOST_TIMES_THE_SUITE = 10

/** Who names a gap is told what it takes, even if it is much; no suite is larger than this. */
const MOST_CASES = 100_000

/** What may be advised: rounded to two digits, as it rests on an estimated spread. Undefined where it would be absurd. */
function advisable(count: number | null | undefined, most: number): number | undefined {
  return count === null || count === undefined || !(count <= most) ? undefined : Number(count.toPrecision(2))
}

const mostUnits = ({ isChosen, present }: DifferencePlan) =>
  isChosen ? MOST_CASES : MOST_TIMES_THE_SUITE * present.units
const adviseCases = (plan: DifferencePlan) => advisable(plan.clusters?.more ?? plan.moreCases, mostUnits(plan))
const adviseRuns = ({ moreRuns, present }: DifferencePlan) => advisable(moreRuns, MOST_TIMES_THE_SUITE * present.runs)

/** Whether neither more cases nor more runs, in numbers that anyone would add, detect the gap. */
export function isGapTooSmall(plan: DifferencePlan): boolean {
  return !plan.isTooSmall && !plan.isRuledOut && adviseCases(plan) === undefined && adviseRuns(plan) === undefined
}

/** If no reasonable number of cases settles the gap that happened to show. */
export const CHOOSE_THE_GAP = 'choose the gap that matters to you'

/** `About 140 more cases, or 4 more runs, would detect a 16.6-point gap`: what it would take to tell two models apart. */
export function describePlan(plan: DifferencePlan, nouns: PlanNouns = { case: 'case', run: 'run' }): string {
  const { difference, runsCannotHelp, isTooSmall, hasTooManyPairs, isRuledOut, clusters, present } = plan
  const unit = clusters ? `group of ${nouns.case}s` : nouns.case
  const units = clusters ? `groups of ${nouns.case}s` : `${nouns.case}s`
  if (isTooSmall)
    return `Too few ${units} for a verdict: ${formatCount(present.units)} of at least ${formatCount(FEWEST_UNITS)}`
  if (isRuledOut) return capitalise(describeRuledOut(difference))
  const points = formatScore(Math.abs(difference))
  const gap = `${/^(?:8|11\.|18\.)/.test(points) ? 'an' : 'a'} ${points}-point gap`
  if (plan.areJudgesTooFew)
    return `More ${nouns.case}s alone cannot detect ${gap}: the judges differ by more. Add judges`
  const same = advisable(plan.same, mostUnits(plan))
  const proof = same === undefined ? '' : `${formatCount(same)} would show that they are the same, if they are`
  const [more, runs] = [adviseCases(plan), adviseRuns(plan)]
  const ways = [
    ...(more === undefined ? [] : [`about ${formatCount(more, `more ${unit}`, `more ${units}`)}`]),
    ...(runs === undefined ? [] : [formatCount(runs, `more ${nouns.run}`)]),
  ].join(' or ')
  if (ways === '') {
    const margin = plan.isChosen ? '' : `; ${CHOOSE_THE_GAP}`
    // Smaller ones are planned for as if they were that large.
    const isLess = !plan.isChosen && Math.abs(difference) <= SMALLEST_PLANNED_DIFFERENCE
    return `${isLess ? 'A gap under 1 point' : capitalise(gap)} is too small for such ${units}${proof === '' ? margin : `; ${proof.replace(' would', ` more ${units} would`)}`}`
  }
  const reason = hasTooManyPairs ? 'are too few for this many pairs' : 'vary too much'
  const why = runsCannotHelp ? `. More ${nouns.run}s alone would not: the ${units} ${reason}` : ''
  const size =
    clusters && Number.isFinite(clusters.enoughCases)
      ? `. More than ${formatCount(Math.max(1, Math.round(clusters.enoughCases)), nouns.case)} a group would gain little`
      : ''
  return `${capitalise(ways)} would detect ${gap}${proof === '' ? '' : `; ${proof}`}${why}${size}`
}

const PLAN_ADVICE =
  'Test new cases by themselves or run until decided: testing the same data again and again finds differences that are not there. Numbers of cases are for 80 % power.'

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

/** After the names of models that are that close. */
export const describeSameWithin = (margin: number): string => `practically the same (within ${formatMargin(margin)})`

/** Whether two models are practically the same, by the margin that was chosen. */
export function areSame({ equivalence }: Pick<PairedComparison, 'equivalence'>): boolean {
  return equivalence?.verdict === 'practically the same'
}

/** Whether two models score the same on every case that decides between them. */
export function areIdentical({ ties, n, meanDiff, verdictTest }: PairedComparison): boolean {
  return ties === n && meanDiff === 0 && !isSequential(verdictTest)
}

/** The verdict in a few words, where a column names A and B. */
export function describeVerdictShortly(comparison: ModelComparison | undefined): string {
  const paired = comparison?.paired
  if (!paired) return 'no case in common'
  if (areSame(paired)) return 'practically the same'
  if (!paired.isSignificant) return TOO_CLOSE
  return paired.meanDiff > 0 ? 'B is better' : 'B is worse'
}

/** The pair from the side of the model that is ahead: A if neither is. */
export function seeFromAhead({
  modelA,
  modelB,
  paired,
}: Pick<ModelComparison, 'modelA' | 'modelB'> & { paired: PairedComparison }): {
  better: string
  worse: string
  low: number
  high: number
} {
  const [low, high] = intervalOf(paired)
  return paired.meanDiff >= 0
    ? { better: modelA, worse: modelB, low, high }
    : { better: modelB, worse: modelA, low: 0 - high, high: 0 - low }
}

/**
 * The judges that a verdict takes for the only ones there are, and so for neutral. How far 3 and more differ is part of
 * the interval, unless too few cases have a grade by all of them or the sequential test decides.
 */
export function listFixedJudges({ judging, verdictTest }: Pick<PairedComparison, 'judging' | 'verdictTest'>): string[] {
  return judging && (!judging.spread || isSequential(verdictTest)) ? judging.judges : []
}

/** ` as judged by x and y`; empty if the interval says how far judges differ, or no judge graded. */
export function describeJudges(paired: Pick<PairedComparison, 'judging' | 'verdictTest'>): string {
  const judges = listFixedJudges(paired)
  return judges.length === 0 ? '' : ` as judged by ${joinNames(judges)}`
}

/** Said once beside the intervals of several pairs; undefined for one, whose interval is the usual one. */
export function explainIntervals(comparisons: readonly Pick<ModelComparison, 'paired'>[]): string | undefined {
  // Also where not all of them are at hand: α is 0.05 divided by their number.
  const pairs = Math.max(...comparisons.map(({ paired }) => (paired ? Math.round(0.05 / (1 - paired.shownLevel)) : 0)))
  return pairs > 1 ? `These intervals hold for all ${formatCount(pairs)} pairs together (95 %).` : undefined
}

/** The heading of the sentences below. */
export const FOR_A_REPORT = 'Copy for a report'

/** `A scored 4.1 points higher than B …`: the paired difference as a paper reports it, with its interval, p and n. */
export function formatReportSentence(
  { modelA, modelB, paired }: ModelComparison,
  { pairs = 1 }: { pairs?: number } = {},
): string {
  if (!paired) return `${modelA} and ${modelB} have no scored case in common.`
  const { meanDiff, adjustedP, verdictTest } = paired
  const { better, worse, low, high } = seeFromAhead({ modelA, modelB, paired })
  const lead = formatScore(meanDiff) === formatScore(0) ? 'as high as' : `${formatPoints(meanDiff)} higher than`
  const corrected = pairs > 1 ? `, ${describeCorrection([verdictTest])} over ${formatCount(pairs, 'pair')}` : ''
  const fixed = describeJudges(paired)
  const reported = fixed === '' ? '' : `;${fixed}`
  return `${better} scored ${lead} ${worse} (paired difference, ${pairs > 1 ? 'simultaneous ' : ''}95% CI: [${formatScore(low)}, ${formatScore(high)}]; ${formatP(adjustedP)}, ${describeVerdictTest(verdictTest)}${corrected}; n = ${describeCases(paired)}${reported}).`
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
  const { adjustedP, verdictTest, effectSize, ties, isSignificant, meanDiff } = paired
  const isWonByB = isSignificant && meanDiff < 0
  const [wins, losses] = isWonByB ? [paired.losses, paired.wins] : [paired.wins, paired.losses]
  const games = `${formatCount(wins)} won, ${formatCount(ties)} tied, ${formatCount(losses)} lost of ${describeCases(paired)}`
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
