import { krippendorffAlpha } from './krippendorff-alpha.ts'
import { quadraticWeightedKappa } from './weighted-kappa.ts'

/** How well people agree. A figure is NaN (`null` in JSON) if it is undefined, as without variation. */
export interface RaterAgreement {
  raters: string[]
  /** Answers that at least two people rated. */
  answers: number
  /** Krippendorff's alpha: for interval data, or nominal if every rating is pass or fail. */
  alpha: number
  /** Quadratic-weighted kappa of each pair, over the answers that both rated. */
  pairs: { raterA: string; raterB: string; answers: number; kappa: number }[]
  /** Each person's mean rating, 0 to 1, over the answers that at least two people rated: who is lenient, who is strict. */
  means: { rater: string; mean: number; answers: number }[]
}

/** The ratings of one answer, by person. */
type RatingsByRater = Readonly<Record<string, number>>

/** Agreement over all answers that at least two people rated; undefined without any. */
export function measureRaterAgreement(
  answers: readonly RatingsByRater[],
  metric: 'interval' | 'nominal' = 'interval',
): RaterAgreement | undefined {
  const shared = answers.filter((ratings) => Object.keys(ratings).length >= 2)
  if (shared.length === 0) return undefined
  const raters = [...new Set(shared.flatMap((ratings) => Object.keys(ratings)))].sort()
  const ratingOf = (ratings: RatingsByRater, rater: string) => (Object.hasOwn(ratings, rater) ? ratings[rater]! : null)
  const columns = new Map(raters.map((rater) => [rater, shared.map((ratings) => ratingOf(ratings, rater))]))
  const pairOf = (raterA: string, raterB: string) => {
    const both = shared.filter((ratings) => Object.hasOwn(ratings, raterA) && Object.hasOwn(ratings, raterB))
    if (both.length === 0) return []
    const kappa = quadraticWeightedKappa(
      both.map((ratings) => ratings[raterA]!),
      both.map((ratings) => ratings[raterB]!),
    )
    return [{ raterA, raterB, answers: both.length, kappa }]
  }
  return {
    raters,
    answers: shared.length,
    alpha: krippendorffAlpha([...columns.values()], metric),
    pairs: raters.flatMap((raterA, index) => raters.slice(index + 1).flatMap((raterB) => pairOf(raterA, raterB))),
    means: raters.map((rater) => {
      const own = columns.get(rater)!.filter((rating) => rating !== null)
      return { rater, mean: own.reduce((sum, rating) => sum + rating, 0) / own.length, answers: own.length }
    }),
  }
}
