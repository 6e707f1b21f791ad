import type { ModelComparison } from '../../../statistics/index.ts'
import type { ReportRow } from '../../model/standings/report-row.ts'
import { describeEverythingFailed } from './failures/everything-fails.ts'
import { areSame, TOO_CLOSE_GROUP } from './verdicts.ts'

type RankedRow = Pick<ReportRow, 'modelId' | 'rank' | 'score' | 'isLeftOut'>

/** Who is in question for first place, of the models that are ranked. */
export interface FirstPlace<Row> {
  /** The only model that no other is significantly better than. */
  leader?: Row
  /** The leader is significantly better than all others. */
  isWon: boolean
  /** Without a winner: the leader and whom it does not beat, or all that no other is significantly better than. */
  contenders: Row[]
}

export function findPair(a: string, b: string, comparisons: readonly ModelComparison[]): ModelComparison | undefined {
  return comparisons.find(({ modelA, modelB }) => (modelA === a && modelB === b) || (modelA === b && modelB === a))
}

/** Rows are in the order of the leaderboard; a rank that starts at 1 means that no model is significantly better. */
export function findFirstPlace<Row extends RankedRow>(
  rows: readonly Row[],
  comparisons: readonly ModelComparison[],
): FirstPlace<Row> {
  const scored = rows.filter(({ score, isLeftOut }) => score && !isLeftOut)
  const unbeaten = scored.filter(({ rank }) => (rank?.best ?? 1) === 1)
  const [leader] = unbeaten
  if (!leader || unbeaten.length > 1) return { isWon: false, contenders: unbeaten }
  const isBeaten = ({ modelId }: Row) => findPair(leader.modelId, modelId, comparisons)?.paired?.isSignificant === true
  return {
    leader,
    isWon: leader.rank?.worst === 1,
    contenders: [leader, ...scored.filter((row) => row !== leader && !isBeaten(row))],
  }
}

/** In a list, the model that is first, `too close` or `everything fails`; nothing without a score. */
export function nameFirst(
  rows: readonly (RankedRow & Pick<ReportRow, 'own'>)[],
  comparisons: readonly ModelComparison[],
): string {
  if (describeEverythingFailed(rows) !== undefined) return 'everything fails'
  const scored = rows.filter(({ score }) => score)
  const { leader, isWon } = findFirstPlace(rows, comparisons)
  const first = scored.length === 1 ? scored[0] : isWon ? leader : undefined
  return first?.modelId ?? (scored.length === 0 ? '' : 'too close')
}

/** The pair that the verdict is about: the winner and the next, or the first two of those that may be best. */
export function findVerdictPair(
  rows: readonly RankedRow[],
  comparisons: readonly ModelComparison[],
): ModelComparison | undefined {
  const { leader, isWon, contenders } = findFirstPlace(rows, comparisons)
  const ranked = rows.filter(({ score, isLeftOut }) => score && !isLeftOut)
  const [first, second] = isWon ? [leader, ranked.find((row) => row !== leader)] : [contenders[0], contenders[1]]
  return first && second && findPair(first.modelId, second.modelId, comparisons)
}

/** The margin within which the models are practically the same, each with every other; undefined if some may not be. */
export function findSharedMargin(
  models: readonly string[],
  comparisons: readonly ModelComparison[],
): number | undefined {
  const pairs = models.flatMap((a, index) => models.slice(index + 1).map((b) => findPair(a, b, comparisons)?.paired))
  const isShared = pairs.length > 0 && pairs.every((pair) => pair && areSame(pair))
  return isShared ? pairs[0]?.equivalence?.margin : undefined
}

/** Without the group that the verdict on first place already names. */
export function omitFirstPlace(
  groups: readonly string[][],
  rows: readonly RankedRow[],
  comparisons: readonly ModelComparison[],
): string[][] {
  const { leader, contenders } = findFirstPlace(rows, comparisons)
  const named = new Set(contenders.map(({ modelId }) => modelId))
  return groups.filter(
    (group) => leader || group.length !== named.size || !group.every((modelId) => named.has(modelId)),
  )
}

/** Before the names of models that the data do not tell apart: `Too close to call:` or `Practically the same:` */
export function headGroup(models: readonly string[], comparisons: readonly ModelComparison[]): string {
  return findSharedMargin(models, comparisons) === undefined ? TOO_CLOSE_GROUP : 'Practically the same:'
}
