import { InputError, toScoreTable, type Scores } from '../../../contract/index.ts'
import { compareColumns } from '../../../statistics/index.ts'
import { createCountedCases } from './decisions.ts'

/** A model that none of the others should be worse than by the margin or more. */
export interface Reference {
  model: string
  /** 0 to 1. */
  margin: number
}

/** A model against the reference. */
export interface AgainstReference {
  modelId: string
  /** The careful interval of its lead over the reference; absent if the two share no scored case. */
  interval?: { low: number; high: number }
  /** The models compared with the reference: the intervals hold for all of them together. */
  pairs: number
  /** True if the interval excludes that it is worse by the margin or more. */
  isNotWorse: boolean
}

/**
 * Which models are not worse than the reference by the margin or more; the correction is for the models compared with it.
 * Refuses a reference that the runs do not have.
 */
export function compareWithReference(given: Scores, { model: reference, margin }: Reference): AgainstReference[] {
  const scores = toScoreTable(given)
  const models = [...new Set(scores.runs.flatMap((run) => run.models))]
  if (!models.includes(reference))
    throw new InputError(`${reference} is not in this run, so no model can be compared with it`)
  const others = models.filter((model) => model !== reference)
  const compared = compareColumns(
    others.map((modelId) => [
      { scores, modelId },
      { scores, modelId: reference },
    ]),
    { sameWithin: margin, findCountedCases: createCountedCases(scores) },
  )
  const pairs = compared.filter((comparison) => comparison?.paired).length
  return others.map((modelId, index): AgainstReference => {
    const equivalence = compared[index]?.paired?.equivalence
    if (!equivalence) return { modelId, pairs, isNotWorse: false }
    const { low, high } = equivalence
    return { modelId, interval: { low, high }, pairs, isNotWorse: low > -margin }
  })
}
