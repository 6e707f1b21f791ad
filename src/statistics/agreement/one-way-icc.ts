import { checkNumbers, checkSameLength } from '../numbers/check-arguments.ts'
import { betaQuantile } from '../numbers/distributions.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

export interface OneWayIcc {
  icc: number
  /** 95 % interval. */
  low: number
  high: number
}

/** The x with P(F ≤ x) = p. */
function fQuantile(p: number, above: number, below: number): number {
  const share = betaQuantile(p, above / 2, below / 2)
  return (below * share) / (above * (1 - share))
}

/**
 * ICC(1,1), one-way random effects, single rating: (MSB − MSW) / (MSB + (k−1)·MSW) over subjects × ratings that are
 * interchangeable, such as the same judge asked again, with the interval of Shrout & Fleiss (Psychological Bulletin 86,
 * 1979). NaN if nothing varies.
 */
export function oneWayIcc(ratings: readonly (readonly number[])[]): OneWayIcc {
  const subjects = ratings.length
  const repeats = ratings[0]?.length ?? 0
  if (subjects < 2 || repeats < 2)
    throw new RangeError(`There are ${subjects} subjects with ${repeats} ratings each: at least 2 of each are needed.`)
  for (const row of ratings) {
    checkSameLength(ratings[0]!, row, 'the rows of two subjects')
    checkNumbers(row, 'the ratings of a subject')
  }
  const moments = ratings.map((row) => weightedMoments(row))
  const between = repeats * weightedMoments(moments.map(({ mean }) => mean)).stdDev ** 2
  const within = moments.reduce((sum, { stdDev }) => sum + stdDev ** 2, 0) / subjects
  if (between === 0 && within === 0) return { icc: NaN, low: NaN, high: NaN }
  if (within === 0) return { icc: 1, low: 1, high: 1 }

  const toIcc = (ratio: number) => (ratio - 1) / (ratio + repeats - 1)
  const ratio = between / within
  const above = subjects - 1
  const below = subjects * (repeats - 1)
  return {
    icc: toIcc(ratio),
    low: toIcc(ratio / fQuantile(0.975, above, below)),
    high: toIcc(ratio * fQuantile(0.975, below, above)),
  }
}
