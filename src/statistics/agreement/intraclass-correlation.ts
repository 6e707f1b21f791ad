import { checkNumbers, checkSameLength } from '../numbers/check-arguments.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

/**
 * ICC(2,1), two-way random effects, absolute agreement, single rater: (MSR − MSE) / (MSR + (k−1)MSE + k(MSC−MSE)/n)
 * over subjects × raters (Shrout & Fleiss, Psychological Bulletin 86, 1979). NaN if nothing varies.
 */
export function intraclassCorrelation(ratings: number[][]): number {
  const subjects = ratings.length
  const raters = ratings[0]?.length ?? 0
  if (subjects < 2 || raters < 2) {
    throw new RangeError(`There are ${subjects} subjects and ${raters} raters: at least 2 of each are needed.`)
  }
  for (const row of ratings) {
    checkSameLength(ratings[0]!, row, 'the rows of two subjects')
    checkNumbers(row, 'the ratings of a subject')
  }
  const bySubject = ratings.map((row) => weightedMoments(row).mean)
  const byRater = ratings[0]!.map((_, rater) => weightedMoments(ratings.map((row) => row[rater]!)).mean)
  const all = weightedMoments(ratings.flat())
  if (all.min === all.max) return NaN

  let residualSquares = 0
  for (const [subject, row] of ratings.entries()) {
    for (const [rater, rating] of row.entries()) {
      residualSquares += (rating - bySubject[subject]! - byRater[rater]! + all.mean) ** 2
    }
  }
  const subjectSquare = raters * weightedMoments(bySubject).stdDev ** 2
  const raterSquare = subjects * weightedMoments(byRater).stdDev ** 2
  const residualSquare = residualSquares / ((subjects - 1) * (raters - 1))
  const variance = subjectSquare + (raters - 1) * residualSquare + (raters * (raterSquare - residualSquare)) / subjects
  return (subjectSquare - residualSquare) / variance
}
