import { toScoreTable, type Scores } from '../../contract/index.ts'
import { meanOf, sameScoreTolerance } from '../numbers/weighted-moments.ts'
import { rateBradleyTerry } from '../ranking/bradley-terry.ts'
import { listComparedPairs, playComparedPairs } from '../ranking/pairwise-games.ts'
import { collectRepeats } from '../run-scores.ts'
import { kendallTau } from './kendall-tau.ts'

/** How far direct comparisons and scores put answers in the same order. */
export interface RankAgreement {
  /** Models that have both. */
  models: number
  /** Kendall's τ-b between the ratings of the models and their mean scores; NaN (`null` in JSON) if they do not vary. */
  tau: number
  /** Pairs of answers to the same case that both put in an order, and how many they put in the same one. */
  pairs: number
  agreed: number
}

/**
 * Compares the ranking by direct comparisons with the one by absolute scores, of other cases of the same runs or of the
 * same cases in other runs. Undefined if fewer than two models have both.
 */
export function measureRankAgreement(given: Scores, others?: Scores): RankAgreement | undefined {
  const compared = toScoreTable(given)
  const scored = others === undefined ? compared : toScoreTable(others)
  const pairs = listComparedPairs(compared)
  const comparedHere = new Set(compared === scored ? pairs.map(({ testCaseId }) => testCaseId) : [])
  const scores = new Map(
    [...collectRepeats(scored)].map(([modelId, cases]) => [
      modelId,
      new Map(
        [...cases.values()]
          .filter(({ testCaseId }) => !comparedHere.has(testCaseId))
          .map(({ testCaseId, scores: values }) => [testCaseId, meanOf(values)]),
      ),
    ]),
  )
  const both = rateBradleyTerry(playComparedPairs(pairs)).flatMap(({ id, rating }) => {
    const own = [...(scores.get(id)?.values() ?? [])]
    return own.length > 0 ? [{ rating, mean: meanOf(own) }] : []
  })
  if (both.length < 2) return undefined
  let [ordered, agreed] = [0, 0]
  for (const { testCaseId, modelA, modelB, scoreA } of pairs) {
    const [a, b] = [scores.get(modelA)?.get(testCaseId), scores.get(modelB)?.get(testCaseId)]
    if (a === undefined || b === undefined) continue
    const lead = Math.abs(a - b) <= sameScoreTolerance ? 0 : Math.sign(a - b)
    const won = Math.sign(scoreA - 0.5)
    if (lead === 0 || won === 0) continue
    ordered++
    if (lead === won) agreed++
  }
  return {
    models: both.length,
    tau: kendallTau(
      both.map(({ rating }) => rating),
      both.map(({ mean }) => mean),
    ),
    pairs: ordered,
    agreed,
  }
}
