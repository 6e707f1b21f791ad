import type { ReportRow } from '../../model/report-row.ts'
import type { ModelComparison } from '../../../statistics/compare-models.ts'
import { joinWords } from '../names.ts'
import { describeInterval, formatCount, formatScore } from '../numbers.ts'
import { findFirstPlace, findPair } from './first-place.ts'
import { EVERYONE_IS_BEATEN } from './verdict-card.ts'
import { describeVerdict, TOO_CLOSE } from './verdicts.ts'

const MAX_NAMED = 4

function nameSome(names: readonly string[]): string {
  if (names.length <= MAX_NAMED) return joinWords(names)
  return joinWords([...names.slice(0, MAX_NAMED - 1), `${formatCount(names.length - MAX_NAMED + 1)} others`])
}

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
  if (!leader) return `No clear winner: ${nameSome(contenders.map(({ modelId }) => modelId))} are ${TOO_CLOSE}.`
  const nearest = scored.find((row) => row !== leader)!
  const pair = findPair(leader.modelId, nearest.modelId, comparisons)
  const margin = pair?.paired?.isSignificant ? ` ${describeVerdict(pair)}` : ''
  const others = scored.length === 3 ? 'both others' : `all ${formatCount(scored.length - 1)} others`
  return isWon
    ? `${leader.modelId} is better than ${others}.${margin}`
    : `${leader.modelId} leads, but not every difference is certain yet.${margin}`
}
