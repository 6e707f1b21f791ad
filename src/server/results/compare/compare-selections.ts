import { compareColumns, type ModelComparison } from '../../../statistics/index.ts'
import type { ModelPair } from '../../../report/comparing/pair-models.ts'
import type { ScoreTable } from '../../../contract/index.ts'

/** Two selections, and which of their models to compare. */
export interface PairedJob {
  a: ScoreTable
  b: ScoreTable
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
  return compareColumns(
    pairs.map(([modelA, modelB]) => [
      { scores: b, modelId: modelB },
      { scores: a, modelId: modelA },
    ]),
    { smallestDifference, leaveOut: new Set(leaveOut) },
  )
}
