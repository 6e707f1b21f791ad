import { sameScoreTolerance, weightedMoments, type WeightedMoments } from '../numbers/weighted-moments.ts'

export interface TwoSamples {
  first: WeightedMoments
  second: WeightedMoments
  difference: number
  neitherVaries: boolean
}

/** The first step of both two-sample t tests. */
export function compareSamples(a: number[], b: number[]): TwoSamples {
  if (a.length < 2 || b.length < 2) {
    throw new RangeError(`The samples have ${a.length} and ${b.length} values: a t test needs at least 2 in each.`)
  }
  const first = weightedMoments(a)
  const second = weightedMoments(b)
  const neitherVaries = [first, second].every(({ min, max }) => max - min <= sameScoreTolerance)
  return { first, second, difference: first.mean - second.mean, neitherVaries }
}
