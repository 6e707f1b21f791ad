import { compareWithEarlier, type ModelComparison } from '../../../statistics/index.ts'
import { describeVerdict } from '../../../report/words/index.ts'
import { restoreRuns, type Columns } from '../selection/run-columns.ts'

/** Two selections, and the models with a score in both. */
export interface PairedJob {
  a: Columns
  b: Columns
  models: string[]
  smallestDifference?: number | undefined
}

/** B − A for one model. */
export interface PairedResult {
  modelId: string
  comparison?: ModelComparison
  sentence: string
}

/** Every model in B against itself in A, case by case, with Holm's correction over the models. */
export function compareSelections({ a, b, models, smallestDifference }: PairedJob): PairedResult[] {
  const comparisons = compareWithEarlier(restoreRuns(b), restoreRuns(a), models, { smallestDifference })
  return models.map((modelId) => {
    const comparison = comparisons.get(modelId)
    if (!comparison) return { modelId, sentence: `${modelId} has no score on one of the two sides.` }
    const named = { ...comparison, modelA: `${modelId} (after)`, modelB: `${modelId} (before)` }
    return { modelId, comparison: named, sentence: describeVerdict(named) }
  })
}
