import type { ReportRow } from '../../model/report-row.ts'
import type { ModelComparison } from '../../../statistics/compare-models.ts'
import { joinNames } from '../names.ts'
import { describeInterval, formatCount, formatScore } from '../numbers.ts'
import { findFirstPlace, findPair } from './first-place.ts'
import { EVERYONE_IS_BEATEN } from './verdict-card.ts'
import { describeVerdict, TOO_CLOSE } from './verdicts.ts'

const MAX_NAMED = 4

/** The outcome in one sentence: the winner with its margin, or the models that cannot be told apart. */
export function describeLead(
  rows: readonly Pick<ReportRow, 'modelId' | 'rank' | 'score'>[],
  comparisons: readonly ModelComparison[],
): string {
  const scored = rows.filter(({ score }) => score)
  const [first, second] = scored
  if (!first?.score) return 'No model has a score.'
  if (!second) return `${first.modelId} scored ${formatScore(first.score.mean)} (${describeInterval(first.score)}).`
  const onlyPair = findPair(first.modelId, second.modelId, comparisons)
  if (scored.length === 2 && onlyPair) return describeVerdict(onlyPair)
  const { leader, isWon, contenders } = findFirstPlace(rows, comparisons)
  if (contenders.length === 0) return EVERYONE_IS_BEATEN
  if (!leader)
    return `No clear winner: ${joinNames(
      contenders.map(({ modelId }) => modelId),
      MAX_NAMED,
    )} are ${TOO_CLOSE}.`
  const nearest = scored.find((row) => row !== leader)!
  const pair = findPair(leader.modelId, nearest.modelId, comparisons)
  const margin = pair?.paired?.isSignificant ? ` ${describeVerdict(pair)}` : ''
  const others = scored.length === 3 ? 'both others' : `all ${formatCount(scored.length - 1)} others`
  return isWon
    ? `${leader.modelId} is better than ${others}.${margin}`
    : `${leader.modelId} leads, but not every difference is certain yet.${margin}`
}

/** Two runs that are compared, model by model. */
interface ComparedSides {
  pairs: readonly { comparison?: ModelComparison; labels: readonly [string, string]; before: string; after: string }[]
}

interface LeadFacts {
  comparison?: ComparedSides
  rows: readonly ReportRow[]
  comparisons: readonly { comparison: ModelComparison }[]
}

/**
 * What changed from one run to another, in one sentence: the verdict of the only pair, or how many models changed.
 * Undefined if different models are compared with each other: then the leaderboard says who leads.
 */
function describeComparisonLead({ pairs }: ComparedSides): string | undefined {
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
export function describeReportLead({ comparison, rows, comparisons }: LeadFacts): string {
  const pairs = comparisons.map((pair) => pair.comparison)
  return (comparison && describeComparisonLead(comparison)) ?? describeLead(rows, pairs)
}
