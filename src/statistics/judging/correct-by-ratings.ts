import { clamp } from '../../contract/index.ts'
import { checkSameLength, checkScores } from '../numbers/check-arguments.ts'
import { normalQuantile } from '../numbers/distributions.ts'
import { findMajorityValue } from '../numbers/weighted-moments.ts'
import { caseInterval } from '../intervals/case-interval.ts'
import { clopperPearsonInterval } from '../intervals/clopper-pearson.ts'
import { FEW_HIDE_SKEWNESS, skewedInterval } from '../intervals/skewed-interval.ts'
import { FEWEST_RATINGS, findLambda, RatingSample } from './rating-sample.ts'

export interface RatedAnswer {
  /** The score that a person gave. */
  human: number
  /** The score that the judge gave to the same answer. */
  judge: number
  /** The weight of its case; default 1. */
  weight?: number
}

export interface CorrectedMean {
  /** The estimate of what people would have given on average. */
  mean: number
  /** 95 % interval. */
  low: number
  high: number
  /** How far the judge's scores are used: 0 not at all, 1 fully. */
  lambda: number
  /** The judge's own mean over all answers. */
  rawMean: number
  /**
   * `ppi++` has the published interval, `ppi++-careful` the wider one. `rated-only` and `exact` use the rated answers
   * alone: too few were rated for the judge's scores to be corrected, or all got the same rating.
   */
  method: 'ppi++' | 'ppi++-careful' | 'rated-only' | 'exact'
}

export interface CorrectByRatingsInput {
  /** Answers that a person and the judge have scored, drawn at random. Scores are 0 to 1. */
  rated: readonly RatedAnswer[]
  /** The judge's scores of the other answers. */
  unrated: readonly number[]
  /** The weights of their cases; default 1 each. */
  unratedWeights?: readonly number[]
  /**
   * `normal` as published. `careful` is wider if few or skewed ratings make the normal one too narrow: Student's t,
   * variances by n − 1, Hall's correction for skewness, and the bound of unseen ratings if most are the same graded score.
   */
  interval?: 'normal' | 'careful'
}

/** With fewer ratings of 0 or of 1, too. */
const FEWEST_OF_A_CLASS = 5

function useRatedOnly({ values, weights, mean, size }: RatingSample, rawMean: number): CorrectedMean | undefined {
  const isPassOrFail = values.every((rating) => rating === 0 || rating === 1)
  const ones = values.filter((rating) => rating === 1).length
  if (isPassOrFail && Math.min(ones, values.length - ones) < FEWEST_OF_A_CLASS) {
    const { low, high } = clopperPearsonInterval(mean * size, size)
    return { mean, low, high, lambda: 0, rawMean, method: 'exact' }
  }
  if (size >= FEWEST_RATINGS - 1e-9) return undefined
  const { low, high } = caseInterval(values, weights)
  return { mean, low, high, lambda: 0, rawMean, method: 'rated-only' }
}

/** If most ratings are the same graded score, the spread of so few others says too little. */
function boundUnseen({ values, weights }: RatingSample): { low: number; high: number } {
  const isGraded = values.some((rating) => rating !== 0 && rating !== 1)
  const hasMajority = findMajorityValue(values, weights) !== undefined
  return isGraded && hasMajority ? caseInterval(values, weights) : { low: Infinity, high: -Infinity }
}

/** The judge's scores of the unrated answers, and how far they are used. */
type Judged = { sample: RatingSample; lambda: number } | undefined

function normalInterval(mean: number, left: RatingSample, judged: Judged): { low: number; high: number } {
  const ofJudge = judged ? (judged.lambda ** 2 * judged.sample.variance) / judged.sample.size : 0
  const width = normalQuantile(0.975) * Math.sqrt(ofJudge + left.variance / left.size)
  return { low: mean - width, high: mean + width }
}

function carefulInterval(mean: number, left: RatingSample, judged: Judged): { low: number; high: number } {
  const ofJudge = judged ? (judged.lambda ** 2 * judged.sample.variance) / (judged.sample.size - 1) : 0
  // The ratings give the mean and, with a judge, lambda too.
  const fitted = judged ? 2 : 1
  const variance = ofJudge + left.variance / (left.size - fitted)
  const cubed = left.thirdMoment + (judged ? judged.lambda ** 3 * judged.sample.thirdMoment : 0)
  return skewedInterval({
    mean,
    stdErr: Math.sqrt(variance),
    skewness: variance === 0 ? 0 : (FEW_HIDE_SKEWNESS * cubed) / variance ** 1.5,
    degreesOfFreedom: left.size - fitted,
  })
}

/** The interval of the mean of people's ratings alone, weighted by case, as careful as the one after correction. */
export function intervalOfRatings(
  ratings: readonly number[],
  weights: readonly number[],
): { mean: number; low: number; high: number } {
  const sample = new RatingSample(ratings, weights)
  const byCase = caseInterval(ratings, weights)
  // Exact for 0 and 1, unless heavy cases tend to fail.
  const isExact = ratings.every((rating) => rating === 0 || rating === 1) && new Set(weights).size === 1
  if (isExact || sample.size < 2 || sample.variance === 0)
    return { mean: sample.mean, low: byCase.low, high: byCase.high }
  const careful = carefulInterval(sample.mean, sample, undefined)
  return {
    mean: sample.mean,
    low: clamp(Math.min(byCase.low, careful.low)),
    high: clamp(Math.max(byCase.high, careful.high)),
  }
}

/**
 * The mean score that people would give, from answers that both a person and the judge have scored, drawn at random,
 * and answers that only the judge has: PPI++ for the mean (Angelopoulos, Duchi & Zrnic, arXiv 2311.01453). Whatever the
 * judge does, the estimate is unbiased; the better it agrees with people, the narrower the interval. Means of weighted
 * cases are weighted means, with the variance of a ratio of sums.
 */
export function correctByRatings({
  rated,
  unrated,
  unratedWeights,
  interval = 'normal',
}: CorrectByRatingsInput): CorrectedMean {
  const ratings = rated.map((answer) => answer.human)
  const scores = rated.map((answer) => answer.judge)
  checkScores(ratings, 'ratings')
  checkScores(scores, 'scores of rated answers')
  if (unrated.length > 0) checkScores(unrated, 'unrated')
  if (unratedWeights) checkSameLength(unrated, unratedWeights, 'unrated and unratedWeights')
  const weights = rated.map(({ weight = 1 }) => weight)
  const weightsOfAll = [...weights, ...(unratedWeights ?? unrated.map(() => 1))]
  const human = new RatingSample(ratings, weights)
  const judge = new RatingSample(scores, weights)
  const all = new RatingSample([...scores, ...unrated], weightsOfAll)
  const alone = useRatedOnly(human, all.mean)
  if (alone) return alone

  const others = unrated.length === 0 ? undefined : new RatingSample(unrated, unratedWeights)
  const lambda = findLambda({ human, judge, all, others })
  const left = new RatingSample(
    ratings.map((rating, index) => rating - lambda * scores[index]!),
    weights,
  )
  const mean = (others && lambda > 0 ? lambda * others.mean : 0) + left.mean
  const judged = others && lambda > 0 ? { sample: others, lambda } : undefined
  const { low, high } = interval === 'normal' ? normalInterval(mean, left, judged) : carefulInterval(mean, left, judged)
  const corrected = interval === 'careful' ? 'ppi++-careful' : human.isConstant ? 'rated-only' : 'ppi++'
  const method = others ? corrected : 'rated-only'
  const unseen = method === 'ppi++' ? { low, high } : boundUnseen(human)
  return {
    mean: clamp(mean),
    low: clamp(Math.min(low, unseen.low)),
    high: clamp(Math.max(high, unseen.high)),
    lambda,
    rawMean: all.mean,
    method,
  }
}
