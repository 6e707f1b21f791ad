import { InputError, marginOf } from '../../contract/index.ts'
import type { AgainstReference } from '../../report/model/verdict/reference.ts'
import { describeAgainstReference } from '../../report/words/verdicts/pairs/reference.ts'
import { runJobIn, startThread } from './selection/background-thread.ts'
import { isLarge, type LoadedSelection } from './selection/load-selection.ts'

/** Which models are not worse than one of them by the margin or more. */
export interface ReferenceView {
  /** 0 to 1. */
  margin: number
  models: (AgainstReference & { sentence: string })[]
}

/** GET /api/results/:selection/reference?model=ID&smallestDifference=5 */
export async function createReferenceView(
  { scores, summaries }: LoadedSelection,
  { model, smallestDifference }: { model: string; smallestDifference?: number | undefined },
): Promise<ReferenceView> {
  const margin = smallestDifference ?? marginOf(scores)
  if (margin === undefined) throw new InputError('set the smallest difference that matters first, in points')
  const reference = { model, margin }
  let models: AgainstReference[] = []
  const thread = isLarge(summaries) ? startThread() : undefined
  await runJobIn(thread, { kind: 'reference', input: { scores, reference } }, (result) => {
    if (result.part === 'against-reference') models = result.models
  })
  return {
    margin,
    models: models.map((against) => ({ ...against, sentence: `${describeAgainstReference(against, reference)}.` })),
  }
}
