import { clusteredMoments, type Clusters } from '../clusters/clustered-moments.ts'
import { checkNumbers, checkSameLength } from '../numbers/check-arguments.ts'
import { meanOf, sameScoreTolerance, weightedMoments } from '../numbers/weighted-moments.ts'

export interface LeaderLuck {
  /** The index of the model with the highest mean; the first of equals. */
  leader: number
  /** Its mean score. */
  mean: number
  /** How much of that is luck: it is first among the chosen ones also because these cases happened to suit it. */
  luck: number
}

/** What the cases are, if they are not all independent and of equal weight. */
interface LuckOptions {
  weights?: ArrayLike<number> | undefined
  clusters?: Clusters | undefined
}

/** How far the means of the models would differ by chance: the mean squared standard error of score − case mean. */
function noiseOf(scores: readonly (readonly number[])[], { weights, clusters }: LuckOptions): number {
  const models = scores.length
  const caseMeans = scores[0]!.map((_, index) => meanOf(scores.map((row) => row[index]!)))
  const squares = scores.map((row) => {
    const deviations = row.map((score, index) => score - caseMeans[index]!)
    return clusteredMoments(deviations, weights, clusters).stdErr ** 2
  })
  // Each model is part of the case mean, which takes 1/k of the noise away.
  return (meanOf(squares) * models) / (models - 1)
}

/**
 * What the first of several models owes to luck on the cases that all of them have (model × case): its lead over the mean of the
 * models, drawn back by the share of their variance that noise explains, keep = max(0, 1 − c·noise/variance) with
 * c = (k − 3)/(k − 1) for more than 3 models, else 1 (James & Stein, 1961; Efron & Morris, Journal of the American
 * Statistical Association 70, 1975). One model, or equal means: no luck. With one case, or one cluster, the whole lead may
 * be luck.
 */
export function leaderLuck(scores: readonly (readonly number[])[], options: LuckOptions = {}): LeaderLuck {
  if (scores.length === 0) throw new RangeError('scores is empty: at least one model is needed.')
  scores.forEach((row, index) => {
    checkNumbers(row, `scores[${index}]`)
    checkSameLength(scores[0]!, row, `scores[0] and scores[${index}]`)
  })
  const { weights, clusters } = options
  const moments = scores.map((row) => clusteredMoments(row, weights, clusters))
  const means = moments.map(({ mean }) => mean)
  const highest = Math.max(...means)
  const leader = means.findIndex((mean) => mean >= highest - sameScoreTolerance)
  const { mean: centre, stdDev, min, max } = weightedMoments(means)
  if (max - min <= sameScoreTolerance) return { leader, mean: means[leader]!, luck: 0 }

  const models = scores.length
  const isKnown = moments[0]!.clusters > 1
  const factor = models > 3 ? (models - 3) / (models - 1) : 1
  const keep = isKnown ? Math.max(0, 1 - (factor * noiseOf(scores, options)) / stdDev ** 2) : 0
  return { leader, mean: means[leader]!, luck: (1 - keep) * (means[leader]! - centre) }
}
