import type { ModelComparison } from '../../../statistics/index.ts'
import { describeVerdict } from '../../../report/words/index.ts'
import { notFound, Refusal } from '../../http/refusal.ts'
import { flipComparison } from './flip-comparison.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'
import { shortenId } from '../selection/resolve-selection.ts'

/** GET /api/results/:selection/compare?a=MODEL&b=MODEL */
export interface PairView {
  comparison: ModelComparison
  sentence: string
  /** Cases by difference A − B, largest first, at most 200. */
  cases: { id: string; title: string; a: number; b: number; difference: number }[]
}

const MOST_CASES = 200

/**
 * Two models of a selection. The comparison is the one of the leaderboard, corrected for all its pairs: that somebody picked this
 * pair makes it no likelier to be real.
 */
export async function createPairView(selection: LoadedSelection, a: string, b: string): Promise<PairView> {
  const { columns, table, titleOf } = selection
  const [placeA, placeB] = [columns.modelIds.indexOf(a), columns.modelIds.indexOf(b)]
  if (placeA < 0) throw notFound(`Model ${shortenId(a)}`)
  if (placeB < 0) throw notFound(`Model ${shortenId(b)}`)
  if (a === b) throw new Refusal(400, 'same-model', 'A model cannot be compared with itself: choose two.')
  const { comparisons } = await selection.results.summary
  const found = comparisons.find(
    ({ comparison: { modelA, modelB } }) => (modelA === a && modelB === b) || (modelA === b && modelB === a),
  )
  if (!found) throw new Refusal(422, 'no-scores', 'One of the two models has no score in these runs yet.')
  const comparison = found.comparison.modelA === a ? found.comparison : flipComparison(found.comparison)

  const cases: Omit<PairView['cases'][number], 'title'>[] = []
  for (let index = 0; index < table.cases; index++) {
    const [meanA, meanB] = [table.means[index * table.models + placeA]!, table.means[index * table.models + placeB]!]
    if (Number.isNaN(meanA) || Number.isNaN(meanB)) continue
    cases.push({ id: columns.caseIds[index]!, a: meanA, b: meanB, difference: meanA - meanB })
  }
  cases.sort((one, other) => other.difference - one.difference)
  // Both ends: where A is ahead, and where B is.
  const shown =
    cases.length <= MOST_CASES ? cases : [...cases.slice(0, MOST_CASES / 2), ...cases.slice(-MOST_CASES / 2)]
  return {
    comparison,
    sentence: describeVerdict(comparison),
    cases: shown.map((row) => ({ ...row, title: titleOf(row.id) })),
  }
}
