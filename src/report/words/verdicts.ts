import type { ModelComparison } from '../../statistics/compare-models.ts'
import type { DifferencePlan, PairedComparison } from '../../statistics/paired-comparison.ts'
import { describeInterval, formatCount, formatP, formatPoints, formatScore, formatStatistic } from './numbers.ts'

/** `Model X: 85.2 ± 3.1 (95% CI: [82.1, 88.3])` */
export function formatReportLine(
  name: string,
  { mean, stdDev, confidence95: [low, high] }: { mean: number; stdDev: number; confidence95: [number, number] },
): string {
  return `${name}: ${formatScore(mean)} ± ${formatScore(stdDev)} (95% CI: [${formatScore(low)}, ${formatScore(high)}])`
}

/** What it would take to tell two models apart: more cases, or more runs of the same cases. */
function describePlan({ difference, moreCases, moreRuns, runsCannotHelp }: DifferencePlan): string {
  const cases = Number.isFinite(moreCases)
    ? `about ${formatCount(moreCases, 'more case')}`
    : 'more cases than can be counted'
  const runs = moreRuns === null ? '' : `, or ${formatCount(moreRuns, 'more run')}`
  const why = runsCannotHelp ? '; more runs alone would not, because the cases themselves vary too much' : ''
  return `to tell ${formatPoints(difference)} apart at 80 % power you need ${cases}${runs}${why}`
}

/** The paired comparison of two models over test cases, in a sentence. */
export function describeVerdict({ modelA, modelB, paired }: ModelComparison): string {
  if (!paired) return `${modelA} and ${modelB} have no scored case in common.`
  const { meanDiff, confidence95, isSignificant, plan } = paired
  if (isSignificant) {
    const isAhead = meanDiff > 0
    const [better, worse] = isAhead ? [modelA, modelB] : [modelB, modelA]
    const [low, high] = isAhead ? confidence95 : [-confidence95[1], -confidence95[0]]
    return `${better} beats ${worse} by ${formatPoints(meanDiff)} (${describeInterval({ low, high })}).`
  }
  const lead = `${modelA} and ${modelB} cannot be told apart yet`
  if (plan) return `${lead}: ${describePlan(plan)}.`
  return meanDiff === 0
    ? `${lead}: they score the same on every case.`
    : `${lead}: they differ by the same amount on every case, so only more cases would tell.`
}

/** `Hedges' g 0.45 (small)`; undefined if there is none. */
function describeEffect({
  effectSize,
  effectSizeWord,
}: Pick<PairedComparison, 'effectSize' | 'effectSizeWord'>): string | undefined {
  // NaN is null in JSON.
  if (effectSize === null || Number.isNaN(effectSize)) return undefined
  return `Hedges' g ${formatStatistic(effectSize)}${effectSizeWord === undefined ? '' : ` (${effectSizeWord})`}`
}

/** The numbers behind a verdict: `p = 0.031 · Hedges' g 0.45 (small) · 6 won, 3 tied, 1 lost of 10 cases` */
export function describeEvidence(paired: PairedComparison): string {
  const { adjustedP, wins, ties, losses, n } = paired
  const games = `${formatCount(wins)} won, ${formatCount(ties)} tied, ${formatCount(losses)} lost of ${formatCount(n, 'case')}`
  return [formatP(adjustedP), describeEffect(paired), games].filter((part) => part !== undefined).join(' · ')
}

/** Cases that passed in some runs and failed in others: `passed in some runs only: a, and 3 more`. Names `max`. */
export function describeFlaky(cases: readonly string[], max = cases.length): string {
  const left = cases.length - max
  return `passed in some runs only: ${[...cases.slice(0, max), ...(left > 0 ? [`and ${formatCount(left)} more`] : [])].join(', ')}`
}
