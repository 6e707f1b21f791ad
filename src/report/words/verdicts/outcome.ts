import type { ModelComparison } from '../../../statistics/index.ts'
import { type PairedComparison } from '../../../statistics/paired-comparison.ts'
import type { ReportRow } from '../../model/standings/report-row.ts'
import { joinNames } from '../names.ts'
import { formatCount, formatMargin } from '../numbers.ts'
import { describeEverythingFails } from './failures/everything-fails.ts'
import { findFirstPlace, findPair, findSharedMargin } from './first-place.ts'
import { describeGap, describeGapEnds, nameEnd, seeGap, type Gap } from './pairs/gap.ts'
import { EVERYONE_IS_BEATEN, NOTHING_SHARED } from './verdict-card.ts'
import { areIdentical, areSame, BEATS, describePlan } from './verdicts.ts'

type OutcomeRow = Pick<ReportRow, 'modelId' | 'rank' | 'score' | 'isLeftOut'> & Partial<Pick<ReportRow, 'own'>>

const MAX_NAMED = 4

/** What a margin shows of two models of which none beats the other; undefined if nothing. */
function describeSame(ahead: string, behind: string, comparison: ModelComparison & { paired: PairedComparison }) {
  const { equivalence } = comparison.paired
  if (!equivalence) return undefined
  const gap = seeGap(ahead, comparison)
  const margin = formatMargin(equivalence.margin)
  const ends = `(95 % CI ${describeGapEnds(gap)})`
  if (areSame(comparison.paired)) return `Practically the same: ${ahead} and ${behind} are within ${margin} ${ends}.`
  const isAheadNotWorse = equivalence.verdict === (comparison.modelA === ahead ? 'not worse' : 'not better')
  if (isAheadNotWorse) return `${ahead} is not worse than ${behind} by more than ${margin} ${ends}.`
  const isBehindNotWorse = equivalence.verdict === (comparison.modelA === ahead ? 'not better' : 'not worse')
  if (!isBehindNotWorse) return undefined
  const turned = describeGapEnds(seeGap(behind, comparison))
  return `${behind} is not worse than ${ahead} by more than ${margin} (95 % CI ${turned}).`
}

/** `a, b and c tie: identical on every case.`; undefined if they are not, or too few cases are. */
function describeTie(names: readonly string[], comparisons: readonly ModelComparison[]): string | undefined {
  const pairs = names.slice(1).map((name) => findPair(names[0]!, name, comparisons)?.paired)
  const isTie = pairs.length > 0 && pairs.every((paired) => paired && areIdentical(paired) && !paired.plan?.isTooSmall)
  if (!isTie) return undefined
  return `${names.length > MAX_NAMED ? `All ${formatCount(names.length, 'model')}` : joinNames(names, MAX_NAMED)} tie: identical on every case.`
}

/** Two models in one sentence with its interval; `others` may be best too. */
function describeTwo(
  ahead: string,
  behind: string,
  { comparison, others = 0 }: { comparison: ModelComparison | undefined; others?: number },
): string {
  const paired = comparison?.paired
  if (!paired) return `No verdict: ${ahead} and ${behind} have no scored case in common.`
  const pair = { ...comparison, paired }
  const gap = seeGap(ahead, pair)
  if (paired.isSignificant) {
    const [better, worse] = gap.mean > 0 ? [ahead, behind] : [behind, ahead]
    return `${better} ${BEATS} ${worse} by ${describeGap(gap)} (95 % CI ${describeGapEnds(seeGap(better, pair))}).`
  }
  if (paired.plan?.isTooSmall) return `${describePlan(paired.plan)}.`
  const same = others === 0 ? describeSame(ahead, behind, pair) : undefined
  if (same !== undefined) return same
  const models = { ahead, behind }
  const rest = others === 0 ? '' : `; ${formatCount(others, 'more model')} may be best`
  const tie = others === 0 ? describeTie([ahead, behind], [comparison]) : undefined
  if (tie !== undefined) return tie
  return `Too close to call: between ${nameEnd(models, gap, gap.low)} and ${nameEnd(models, gap, gap.high)} points${rest}.`
}

/** The outcome in one sentence with its interval: who is best, or between whom it is too close. */
export function describeOutcome(rows: readonly OutcomeRow[], comparisons: readonly ModelComparison[]): string {
  const scored = rows.filter(({ score }) => score)
  const [first, second] = scored
  if (!first) return 'No model has a score.'
  const fails = describeEverythingFails(rows)
  if (fails !== undefined) return fails
  if (!second) return `Only ${first.modelId} has scores.`
  if (scored.every(({ isLeftOut }) => isLeftOut)) return NOTHING_SHARED
  const { leader, isWon, contenders } = findFirstPlace(rows, comparisons)
  if (contenders.length === 0) return EVERYONE_IS_BEATEN
  const find = (a: string, b: string) => findPair(a, b, comparisons)
  const ranked = scored.filter(({ isLeftOut }) => !isLeftOut)
  if (leader && isWon) {
    const nearest = ranked.find((row) => row !== leader)
    if (!nearest) return `Only ${leader.modelId} has enough scores to be ranked.`
    const sentence = describeTwo(leader.modelId, nearest.modelId, {
      comparison: find(leader.modelId, nearest.modelId),
    })
    const lead = `${leader.modelId} ${BEATS} `
    return ranked.length > 2 && sentence.startsWith(lead)
      ? `${leader.modelId} is best: it ${BEATS} ${sentence.slice(lead.length)}`
      : sentence
  }
  const names = contenders.map(({ modelId }) => modelId)
  const margin = names.length > 2 ? findSharedMargin(names, comparisons) : undefined
  if (margin !== undefined)
    return `Practically the same: ${joinNames(names, MAX_NAMED)} are within ${formatMargin(margin)} of each other.`
  const tie = names.length > 2 ? describeTie(names, comparisons) : undefined
  if (tie !== undefined) return tie
  const other = names[1] ?? second.modelId
  return describeTwo(names[0]!, other, { comparison: find(names[0]!, other), others: Math.max(0, names.length - 2) })
}

/** The same sentence for two models that are compared by themselves, such as one before and after a change. */
export function describePairOutcome(comparison: ModelComparison): string {
  const { modelA, modelB, paired } = comparison
  const [ahead, behind] = paired && paired.meanDiff < 0 ? [modelB, modelA] : [modelA, modelB]
  return describeTwo(ahead, behind, { comparison })
}

/** Between the names of two models, of which the first has the better place. */
export function describePairWord(paired: PairedComparison, { mean }: Pick<Gap, 'mean'>): string {
  if (paired.isSignificant) return mean > 0 ? BEATS : 'loses to'
  return areSame(paired) ? 'same as' : 'too close'
}
