import { flipEquivalence, type ModelComparison, type PairedComparison } from '../../../statistics/index.ts'
import { describeVerdict } from '../../../report/words/index.ts'
import { notFound, Refusal } from '../../http/refusal.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'
import { shortenId } from '../selection/resolve-selection.ts'

type Interval = [number, number]

const flipInterval = ([low, high]: Interval): Interval => [0 - high, 0 - low]

function flipPaired(paired: PairedComparison): PairedComparison {
  return {
    ...paired,
    meanDiff: -paired.meanDiff,
    tStatistic: -paired.tStatistic,
    confidence95: flipInterval(paired.confidence95),
    shownInterval: flipInterval(paired.shownInterval),
    ...(paired.equivalence && { equivalence: flipEquivalence(paired.equivalence) }),
    wins: paired.losses,
    losses: paired.wins,
    effectSize: -paired.effectSize,
  }
}

/** The same comparison from the other side: B against A. Nothing is recomputed; only signs and sides change. */
function flipComparison(comparison: ModelComparison): ModelComparison {
  const { modelA, modelB, meanA, meanB, scoreDiff, tStatistic, effectSize, welch, paired } = comparison
  return {
    ...comparison,
    modelA: modelB,
    modelB: modelA,
    meanA: meanB,
    meanB: meanA,
    scoreDiff: -scoreDiff,
    tStatistic: -tStatistic,
    effectSize: -effectSize,
    welch: { ...welch, tStatistic: -welch.tStatistic, confidence95: flipInterval(welch.confidence95) },
    ...(paired && { paired: flipPaired(paired) }),
  }
}

/** GET /api/results/:selection/compare?a=MODEL&b=MODEL */
export interface PairView {
  comparison: ModelComparison
  sentence: string
  /** At most 200 cases by difference A − B, largest first. */
  cases: { id: string; title: string; a: number; b: number; difference: number }[]
}

const MAX_CASES = 200

/**
 * Compares two models of a selection. The comparison is the leaderboard's, corrected for all pairs: picking this pair
 * does not make its difference more likely to be real.
 */
export async function createPairView(
  selection: LoadedSelection,
  { a, b, smallestDifference }: { a: string; b: string; smallestDifference?: number | undefined },
): Promise<PairView> {
  const { scores, table, titleOf } = selection
  const [indexA, indexB] = [scores.modelIds.indexOf(a), scores.modelIds.indexOf(b)]
  if (indexA < 0) throw notFound(`Model ${shortenId(a)}`)
  if (indexB < 0) throw notFound(`Model ${shortenId(b)}`)
  if (a === b) throw new Refusal(400, 'same-model', 'A model cannot be compared with itself: choose two.')
  const { comparisons } = await selection.resultsFor(smallestDifference).summary
  const pair = comparisons.find(
    ({ comparison: { modelA, modelB } }) => (modelA === a && modelB === b) || (modelA === b && modelB === a),
  )
  if (!pair) throw new Refusal(422, 'no-scores', 'One of the two models has no score in these runs yet.')
  const comparison = pair.comparison.modelA === a ? pair.comparison : flipComparison(pair.comparison)

  const cases: Omit<PairView['cases'][number], 'title'>[] = []
  for (let index = 0; index < table.cases; index++) {
    const [meanA, meanB] = [table.means[index * table.models + indexA]!, table.means[index * table.models + indexB]!]
    if (Number.isNaN(meanA) || Number.isNaN(meanB)) continue
    cases.push({ id: scores.caseIds[index]!, a: meanA, b: meanB, difference: meanA - meanB })
  }
  cases.sort((left, right) => right.difference - left.difference)
  // Both ends: the cases where A leads, and those where B does.
  const shown = cases.length <= MAX_CASES ? cases : [...cases.slice(0, MAX_CASES / 2), ...cases.slice(-MAX_CASES / 2)]
  return {
    comparison,
    sentence: describeVerdict(comparison),
    cases: shown.map((row) => ({ ...row, title: titleOf(row.id) })),
  }
}
