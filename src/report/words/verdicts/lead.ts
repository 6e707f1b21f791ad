import type { ReportRow } from '../../model/report-row.ts'
import type { ModelComparison } from '../../../statistics/compare-models.ts'
import { joinWords } from '../names.ts'
import { describeInterval, formatCount, formatScore } from '../numbers.ts'
import { describeVerdict } from './verdicts.ts'

const MAX_NAMED = 4

function nameSome(names: readonly string[]): string {
  if (names.length <= MAX_NAMED) return joinWords(names)
  return joinWords([...names.slice(0, MAX_NAMED - 1), `${formatCount(names.length - MAX_NAMED + 1)} others`])
}

/**
 * The outcome in one sentence: the winner with its margin, or the models that cannot be told apart. Rows are in the
 * order of the leaderboard; a rank that starts at 1 means that no model is significantly better.
 */
export function describeLead(
  rows: readonly Pick<ReportRow, 'modelId' | 'rank' | 'score'>[],
  comparisons: readonly ModelComparison[],
): string {
  const scored = rows.filter(({ score }) => score)
  const [first, second] = scored
  if (!first?.score) return 'No model has a score.'
  if (!second) return `${first.modelId} scored ${formatScore(first.score.mean)} (${describeInterval(first.score)}).`
  const verdictOn = (a: string, b: string) =>
    comparisons.find(({ modelA, modelB }) => (modelA === a && modelB === b) || (modelA === b && modelB === a))
  const nearest = verdictOn(first.modelId, second.modelId)
  if (scored.length === 2 && nearest) return describeVerdict(nearest)
  const leaders = scored.filter(({ rank }) => rank?.best === 1).map(({ modelId }) => modelId)
  if (leaders.length > 1) return `No clear winner: ${nameSome(leaders)} cannot be told apart yet.`
  const margin = nearest?.paired?.isSignificant ? ` ${describeVerdict(nearest)}` : ''
  const others = scored.length === 3 ? 'both others' : `all ${formatCount(scored.length - 1)} others`
  return first.rank?.worst === 1
    ? `${first.modelId} is better than ${others}.${margin}`
    : `${first.modelId} leads, but not every difference is certain yet.${margin}`
}
