import { compareColumns, type ModelComparison } from '../../../statistics/index.ts'
import type { ModelPair } from '../../../report/comparing/pair-models.ts'
import { toScoreTable } from '../../../contract/index.ts'
import { restoreRuns, type Columns } from '../selection/run-columns.ts'

/** Two selections, and which of their models to compare. */
export interface PairedJob {
  a: Columns
  b: Columns
  pairs: ModelPair[]
  /** Cases that changed between the two. */
  leaveOut: string[]
  smallestDifference?: number | undefined
}

/** B − A for each pair, with Holm's correction over the pairs; undefined if one of the two has no score. */
export function compareSelections({
  a,
  b,
  pairs,
  leaveOut,
  smallestDifference,
}: PairedJob): (ModelComparison | undefined)[] {
  const [before, after] = [toScoreTable(restoreRuns(a)), toScoreTable(restoreRuns(b))]
  return compareColumns(
    pairs.map(([modelA, modelB]) => [
      { scores: after, modelId: modelB },
      { scores: before, modelId: modelA },
    ]),
    { smallestDifference, leaveOut: new Set(leaveOut) },
  )
}
