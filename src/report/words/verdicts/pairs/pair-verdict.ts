import type { ModelComparison } from '../../../../statistics/compare-models.ts'
import { isSequential, type PairedComparison } from '../../../../statistics/paired-comparison.ts'
import { describeInterval, formatCount, formatMargin, formatPercent, formatPoints, formatScore } from '../../numbers.ts'
import { describeBetween } from './between.ts'
import { intervalOf } from './gap.ts'
import {
  areSame,
  BEATS,
  describeJudges,
  describePlan,
  describeSameWithin,
  formatCases,
  listFixedJudges,
  seeFromAhead,
  TOO_CLOSE,
} from '../verdicts.ts'

type Compared = Pick<ModelComparison, 'modelA' | 'modelB' | 'paired'>
type Pair = Compared & { paired: PairedComparison }

/** ` as judged by x; holds unless x leans more than 2.1 points towards a` */
export function describeJudged(paired: PairedComparison, { better, low }: { better: string; low: number }): string {
  const judges = listFixedJudges(paired)
  const judged = describeJudges(paired)
  if (judged === '') return ''
  const [who, lean] = judges.length === 1 ? [judges[0]!, 'leans'] : ['they', 'lean']
  return formatScore(low) === formatScore(0)
    ? `${judged}; does not hold if ${who} ${lean} towards ${better} at all`
    : `${judged}; holds unless ${who} ${lean} more than ${formatPoints(low)} towards ${better}`
}

/** `Turns around if a fails completely on more than 2.2 % of cases; these 40 cannot exclude 7.2 %.` */
export function describeRareFailures({ rareFailures, ...counted }: PairedComparison, better: string): string {
  if (!rareFailures) return ''
  const { rate, possible } = rareFailures
  return ` Turns around if ${better} fails completely on more than ${formatPercent(rate)} of cases; these ${formatCases(counted)} cannot exclude ${formatPercent(possible)}.`
}

function describeBeaten(pair: Pair): string {
  const { meanDiff, equivalence, evenIfMissing = false } = pair.paired
  const { better, worse, low, high } = seeFromAhead(pair)
  const size = equivalence?.verdict.endsWith('by more than the margin')
    ? `, more than the ${formatMargin(equivalence.margin)} that matter`
    : equivalence?.verdict.endsWith('by less than the margin')
      ? `, less than the ${formatMargin(equivalence.margin)} that matter`
      : ''
  const gap = `${formatPoints(meanDiff)} (${describeInterval({ low, high })})`
  const judged = describeJudged(pair.paired, { better, low })
  const even = evenIfMissing ? `, even if all missing answers count against ${better}${judged === '' ? '' : ','}` : ''
  return `${better} ${BEATS} ${worse} by ${gap}${size}${even}${judged}.${describeRareFailures(pair.paired, better)}`
}

/** What a margin says about two models that are too close to call; undefined if nothing. */
function describeSame({ modelA, modelB, paired: { equivalence } }: Pair): string | undefined {
  if (!equivalence) return undefined
  const margin = formatMargin(equivalence.margin)
  if (equivalence.verdict === 'practically the same')
    return `${modelA} and ${modelB} are ${describeSameWithin(equivalence.margin)}`
  if (equivalence.verdict === 'not worse') return `${modelA} is not worse than ${modelB} by more than ${margin}`
  if (equivalence.verdict === 'not better') return `${modelB} is not worse than ${modelA} by more than ${margin}`
  return undefined
}

/** ` Only a passes 4 of 50 cases, only b 9; they disagree on 13 (26.0 %, 95 % CI 14.6 to 40.3).` */
function describeFlips({ modelA, modelB, paired: { flips } }: Pair): string {
  if (!flips || flips.churn.count === 0) return ''
  const { harmful, helpful, churn } = flips
  const cases = formatCount(Math.round(churn.count / churn.rate), 'case')
  const share = `${formatPercent(churn.rate)}, 95 % CI ${describeInterval(churn.interval)}`
  return ` Only ${modelA} passes ${formatCount(helpful.count)} of ${cases}, only ${modelB} ${formatCount(harmful.count)}: they disagree on ${formatCount(churn.count)} (${share}).`
}

function describeUndecided(pair: Pair): string {
  const { modelA, modelB, paired } = pair
  const { meanDiff, plan, verdictTest } = paired
  const judged = describeJudges(paired)
  const between = describeBetween(pair, intervalOf(paired))
  const same = describeSame(pair)
  if (areSame(paired)) return `${same}: ${between}${judged}.${describeFlips(pair)}`
  if (!plan && !isSequential(verdictTest) && meanDiff === 0)
    return `${modelA} and ${modelB} tie: identical on every case (${between}).`
  const lead = `${same ?? `${modelA} and ${modelB} are ${TOO_CLOSE}`}: ${between}${judged}.`
  if (plan) return `${lead} ${describePlan(plan)}.`
  if (isSequential(verdictTest)) return `${lead} The evidence has not reached the line that decides.`
  return `${lead} They differ by the same amount on every case, so only more cases would tell.`
}

/** The paired comparison of two models over test cases, in a sentence with its interval. */
export function describeVerdict(comparison: Compared): string {
  const { modelA, modelB, paired } = comparison
  if (!paired) return `${modelA} and ${modelB} have no scored case in common.`
  const pair = { ...comparison, paired }
  return paired.isSignificant ? describeBeaten(pair) : describeUndecided(pair)
}
