import type { Report } from '../model/report.ts'
import { describeLead, describeVerdict, formatCount } from '../words/index.ts'
import type { ComparisonReport } from './comparison.ts'

/**
 * What changed from one run to another, in one sentence: the verdict of the only pair, or how many models changed.
 * Undefined if different models are compared with each other: then the leaderboard says who leads.
 */
function describeComparisonLead({ pairs }: Pick<ComparisonReport, 'pairs'>): string | undefined {
  const compared = pairs.flatMap(({ comparison, labels: [before, after] }) =>
    comparison ? [{ ...comparison, modelA: after, modelB: before }] : [],
  )
  if (pairs.length > 0 && compared.length === 0) return 'No case can be compared.'
  if (compared.length === 1) return describeVerdict(compared[0]!)
  if (compared.length === 0 || pairs.some(({ before, after }) => before !== after)) return undefined
  const real = compared.filter(({ paired }) => paired?.isSignificant)
  if (real.length === 0)
    return `None of the ${formatCount(compared.length)} models changed by more than chance explains.`
  const worse = real.filter(({ paired }) => paired!.meanDiff < 0)
  const better = real.length - worse.length
  const parts = [
    worse.length > 0 && `${formatCount(worse.length, 'is', 'are')} significantly worse`,
    better > 0 && `${formatCount(better, 'is', 'are')} significantly better`,
    compared.length > real.length &&
      `${formatCount(compared.length - real.length)} changed by no more than chance explains`,
  ]
  return `Of ${formatCount(compared.length)} models, ${parts.filter((part) => part !== false).join(', ')}.`
}

/** The outcome of a report in one sentence: of a comparison what changed, else who leads. */
export function describeReportLead({ comparison, rows, comparisons }: Report): string {
  const pairs = comparisons.map((pair) => pair.comparison)
  return (comparison && describeComparisonLead(comparison)) ?? describeLead(rows, pairs)
}
