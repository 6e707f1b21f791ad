import type { ModelComparison } from '../../statistics/compare-models.ts'
import type { DifferencePlan } from '../../statistics/paired-comparison.ts'

/** 0.8523 → 85.2 */
export function formatScore(score: number): string {
  return (score * 100).toFixed(1)
}

/** 0.041 → 4.1 points */
function formatPoints(difference: number): string {
  const points = formatScore(Math.abs(difference))
  return `${points} ${points === '1.0' ? 'point' : 'points'}`
}

/** `Model X: 85.2 ± 3.1 (95% CI: [82.1, 88.3])` */
export function formatReportLine(
  name: string,
  { mean, stdDev, confidence95: [low, high] }: { mean: number; stdDev: number; confidence95: [number, number] },
): string {
  return `${name}: ${formatScore(mean)} ± ${formatScore(stdDev)} (95% CI: [${formatScore(low)}, ${formatScore(high)}])`
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} more ${noun}${number === 1 ? '' : 's'}`
}

function describePlan({ difference, moreCases, moreRuns, runsCannotHelp }: DifferencePlan): string {
  const cases = Number.isFinite(moreCases) ? `about ${count(moreCases, 'case')}` : 'more cases than can be counted'
  const runs = moreRuns === null ? '' : `, or ${count(moreRuns, 'run')}`
  const why = runsCannotHelp ? '; more runs alone would not, because the cases themselves vary too much' : ''
  return `to tell ${formatPoints(difference)} apart at 80 % power you need ${cases}${runs}${why}`
}

/** The comparison of two models in a sentence, by the paired comparison over test cases. */
export function describeComparison({ modelA, modelB, paired }: ModelComparison): string {
  if (!paired) return `${modelA} and ${modelB} have no scored case in common.`
  const { meanDiff, confidence95, isSignificant, plan } = paired
  if (isSignificant) {
    const isAhead = meanDiff > 0
    const [better, worse] = isAhead ? [modelA, modelB] : [modelB, modelA]
    const [low, high] = isAhead ? confidence95 : [-confidence95[1], -confidence95[0]]
    return `${better} beats ${worse} by ${formatPoints(meanDiff)} (${formatScore(low)} to ${formatScore(high)}).`
  }
  const lead = `${modelA} and ${modelB} cannot be told apart yet`
  if (plan) return `${lead}: ${describePlan(plan)}.`
  return meanDiff === 0
    ? `${lead}: they score the same on every case.`
    : `${lead}: they differ by the same on every case, so only more cases would tell.`
}
