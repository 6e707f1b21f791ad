import type { ModelComparison } from '../../../statistics/compare-models.ts'
import { describeInterval, formatCount, formatDifference, formatPoints } from '../numbers.ts'
import { describePlan } from './verdicts.ts'

/** Whether a change helped, in one sentence: A is after the change, B is before it. */
export function describeChange({ paired }: Pick<ModelComparison, 'paired'>): string {
  if (!paired) return 'No case has a score both before and after the change, so there is nothing to compare.'
  const { n, meanDiff, confidence95, isSignificant, plan } = paired
  if (n === 1) return 'One case proves nothing: run more cases to learn whether the change helps.'
  const over = `over ${formatCount(n, 'case')}`
  if (isSignificant) {
    const [low, high] = meanDiff > 0 ? confidence95 : [-confidence95[1], -confidence95[0]]
    const verdict = meanDiff > 0 ? 'Yes, the change helps: it gains' : 'No, the change hurts: it loses'
    return `${verdict} ${formatPoints(meanDiff)} (95 % CI ${describeInterval({ low, high })}) ${over}.`
  }
  if (paired.wins === 0 && paired.losses === 0) return `No difference: every score is the same as before, ${over}.`
  const seen = `${formatDifference(meanDiff)} points (95 % CI ${describeInterval(confidence95)}) ${over}`
  return `Not clear yet whether the change helps: ${seen}.${plan ? ` ${describePlan(plan)}.` : ''}`
}
