import type { ReportRow } from '../../model/standings/report-row.ts'
import type { ModelComparison } from '../../../statistics/compare-models.ts'
import { joinNames } from '../names.ts'
import { describeInterval, formatCount, formatScore } from '../numbers.ts'
import { countOnlyErrors, describeEverythingErrors, describeEverythingFails } from './failures/everything-fails.ts'
import { listConditions } from './pairs/conditions.ts'
import { findVerdictPair } from './first-place.ts'
import { describeOutcome } from './outcome.ts'
import { describeVerdict } from './pairs/pair-verdict.ts'
import type { VerdictState } from './verdict-states.ts'
import { listFixedJudges } from './verdicts.ts'

type LeadRow = Pick<ReportRow, 'modelId' | 'rank' | 'score' | 'isLeftOut'> & Partial<Pick<ReportRow, 'own'>>

/** The score of the only model that has one; undefined if several have, or everything fails. */
export function describeAlone(rows: readonly LeadRow[]): string | undefined {
  const [first, second] = rows.filter(({ score }) => score)
  if (!first?.score || second || describeEverythingFails(rows) !== undefined) return undefined
  return `${first.modelId} scored ${formatScore(first.score.mean)} (95 % CI ${describeInterval(first.score)}).`
}

function describeLeader(
  rows: readonly LeadRow[],
  comparisons: readonly ModelComparison[],
): { outcome: string; conditions: string[] } {
  const alone = describeAlone(rows)
  if (alone !== undefined) return { outcome: alone, conditions: [] }
  return {
    outcome: describeOutcome(rows, comparisons),
    conditions: listConditions(findVerdictPair(rows, comparisons)),
  }
}

/** The outcome of a run in one sentence: of a single model its score, else who is best or that it is too close to call. */
export function describeLead(rows: readonly LeadRow[], comparisons: readonly ModelComparison[]): string {
  const { outcome, conditions } = describeLeader(rows, comparisons)
  return [outcome, ...conditions].join(' ')
}

/** Two runs that are compared, model by model. */
interface ComparedSides {
  pairs: readonly { comparison?: ModelComparison; labels: readonly [string, string]; before: string; after: string }[]
}

interface LeadFacts {
  comparison?: ComparedSides
  verdictCard?: { state: VerdictState; outcome: string }
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
  const judges = [...new Set(real.flatMap(({ paired }) => listFixedJudges(paired!)))]
  const judged = judges.length === 0 ? '' : `, as judged by ${joinNames(judges)}`
  return `Of ${formatCount(compared.length)} models, ${parts.filter((part) => part !== false).join(', ')}${judged}.`
}

/** The outcome of a report in one sentence, and what it rests on: of a comparison what changed, else who leads. */
export function describeReportOutcome({ comparison, verdictCard, rows, comparisons }: LeadFacts): {
  outcome: string
  conditions: string[]
} {
  const pairs = comparisons.map((pair) => pair.comparison)
  const changed = comparison && describeComparisonLead(comparison)
  const failed = countOnlyErrors(rows)
  if (changed !== undefined) return { outcome: changed, conditions: [] }
  if (verdictCard?.state === 'running') return { outcome: verdictCard.outcome, conditions: [] }
  return failed > 0 ? { outcome: describeEverythingErrors(failed), conditions: [] } : describeLeader(rows, pairs)
}

/** Both in one text. */
export function describeReportLead(facts: LeadFacts): string {
  const { outcome, conditions } = describeReportOutcome(facts)
  return [outcome, ...conditions].join(' ')
}
