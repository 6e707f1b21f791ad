import type { ModelComparison } from '../../../statistics/index.ts'
import type { ReportRow } from '../../model/report-row.ts'

type RankedRow = Pick<ReportRow, 'modelId' | 'rank' | 'score'>

/**
 * Who is in question for first place. With missing answers, the highest mean need not lead: it may be a mean over easier
 * cases, and only the cases that two models share compare them.
 */
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
  const scored = rows.filter(({ score }) => score)
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
