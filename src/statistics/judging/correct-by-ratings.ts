import { checkNumbers } from '../numbers/check-arguments.ts'
import { normalQuantile } from '../numbers/distributions.ts'
import { findMajorityValue } from '../numbers/majority-value.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { caseInterval } from '../intervals/case-interval.ts'
import { clopperPearsonInterval } from '../intervals/clopper-pearson.ts'

export interface RatedAnswer {
  /** The score that a person gave. */
  human: number
  /** The score that the judge gave to the same answer. */
  judge: number
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
  /** `rated-only` and `exact` use the rated answers alone: too few were rated for the judge's scores to be corrected. */
  method: 'ppi++' | 'rated-only' | 'exact'
}

/** With fewer ratings, the normal approximation is too narrow. */
const FEWEST_RATINGS = 30
/** With fewer ratings of 0 or of 1, too. */
const FEWEST_OF_A_CLASS = 5

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** The mean of the products of deviations. */
function covariance(a: readonly number[], b: readonly number[]): number {
  const meanA = meanOf(a)
  const meanB = meanOf(b)
  return meanOf(a.map((value, index) => (value - meanA) * (b[index]! - meanB)))
}

const variance = (values: readonly number[]) => covariance(values, values)

const clip = (value: number) => Math.min(1, Math.max(0, value))

function useRatedOnly(human: readonly number[], rawMean: number): CorrectedMean | undefined {
  const mean = meanOf(human)
  const isPassOrFail = human.every((rating) => rating === 0 || rating === 1)
  const ones = human.filter((rating) => rating === 1).length
  if (isPassOrFail && Math.min(ones, human.length - ones) < FEWEST_OF_A_CLASS) {
    const { low, high } = clopperPearsonInterval(ones, human.length)
    return { mean, low, high, lambda: 0, rawMean, method: 'exact' }
  }
  if (human.length >= FEWEST_RATINGS) return undefined
  const { low, high } = caseInterval(human)
  return { mean, low, high, lambda: 0, rawMean, method: 'rated-only' }
}

/** If most ratings are the same graded score, the spread of so few others says too little. */
function boundUnseen(human: readonly number[]): { low: number; high: number } {
  const isGraded = human.some((rating) => rating !== 0 && rating !== 1)
  const hasMajority = findMajorityValue(human, relativeWeights(human.length)) !== undefined
  return isGraded && hasMajority ? caseInterval(human) : { low: Infinity, high: -Infinity }
}

/**
 * The mean score that people would give, from answers that both a person and the judge have scored, drawn at random,
 * and answers that only the judge has: PPI++ for the mean (Angelopoulos, Duchi & Zrnic, arXiv 2311.01453). Whatever the
 * judge does, the estimate is unbiased; the better it agrees with people, the narrower the interval. Scores are 0 to 1.
 */
export function correctByRatings({
  rated,
  unrated,
}: {
  rated: readonly RatedAnswer[]
  unrated: readonly number[]
}): CorrectedMean {
  const human = rated.map((answer) => answer.human)
  const judged = rated.map((answer) => answer.judge)
  checkScores(human, 'ratings')
  checkScores(judged, 'scores of rated answers')
  if (unrated.length > 0) checkScores(unrated, 'unrated')
  const all = [...judged, ...unrated]
  const rawMean = meanOf(all)
  const alone = useRatedOnly(human, rawMean)
  if (alone) return alone

  const n = human.length
  const N = unrated.length
  const z = normalQuantile(0.975)
  const spread = (variance(all) * all.length) / (all.length - 1)
  const lambda = N === 0 || spread === 0 ? 0 : clip(covariance(human, judged) / ((1 + n / N) * spread))
  const left = human.map((rating, index) => rating - lambda * judged[index]!)
  const mean = (lambda === 0 ? 0 : lambda * meanOf(unrated)) + meanOf(left)
  const standardError = Math.sqrt((lambda === 0 ? 0 : (lambda ** 2 * variance(unrated)) / N) + variance(left) / n)
  const unseen = boundUnseen(human)
  return {
    mean: clip(mean),
    low: clip(Math.min(mean - z * standardError, unseen.low)),
    high: clip(Math.max(mean + z * standardError, unseen.high)),
    lambda,
    rawMean,
    method: N === 0 ? 'rated-only' : 'ppi++',
  }
}

function checkScores(scores: readonly number[], name: string): void {
  checkNumbers(scores, name)
  const wrong = scores.findIndex((score) => score < 0 || score > 1)
  if (wrong >= 0) throw new RangeError(`${name}[${wrong}] is ${scores[wrong]}: scores are from 0 to 1.`)
}
