import { clamp } from '../../contract/index.ts'
import { caseInterval } from '../intervals/case-interval.ts'
import { tInterval } from '../intervals/t-interval.ts'
import { checkScores } from '../numbers/check-arguments.ts'
import { sameScoreTolerance, weightedMoments } from '../numbers/weighted-moments.ts'

interface AskedCase {
  /** The model's score, 0 to 1. */
  score: number
  /** The case's mean score over earlier models, 0 to 1. */
  history: number
}

export interface ScoreByHistoryInput {
  /** The cases that the model was asked: a simple random sample of the suite. */
  asked: readonly AskedCase[]
  /** The mean over earlier models, at least 5, of every case of the suite, those asked included. */
  history: readonly number[]
}

export interface ScoreByHistory {
  /** The model's mean over the whole suite. */
  estimate: number
  /** 95 % interval of the mean over exactly these cases: what asking the rest would show. */
  ofSuite: [low: number, high: number]
  /** 95 % interval of the mean over cases like these. */
  overCases: [low: number, high: number]
  /** The mean of the asked cases alone, and its interval over cases. */
  plainMean: number
  plain: [low: number, high: number]
  /** How many cases a plain sample needs for an interval of the suite's mean as narrow as `ofSuite`. */
  plainNeeded: number
  /** True if the sample is too small or too one-sided for the other intervals: show `plainMean` and `plain` instead. */
  isRefused: boolean
}

/** Fewer cases than this say too little about a slope. */
export const FEWEST_ASKED = 30
/** Scores above and below ½. */
const FEWEST_OF_A_SIDE = 5
const STEEPEST_SLOPE = 2

/**
 * The score over a whole suite from n of its N cases, with the earlier models' mean x of each case as covariate: the
 * regression estimator ȳ + b(x̄_N − x̄_n) (Cochran, Sampling Techniques, 3rd ed. 1977, chapter 7), with the slope b clipped
 * to 0 … 2. With rest = the residual variance by n − 2 and lever = 1/n + (x̄_N − x̄_n)²/S_xx, the variance is
 * (1 − n/N)·rest·lever for this suite and rest·lever + b²·var(x)/N over cases; t(n − 2).
 *
 * The intervals are computed from 3 cases on. They hold from 30 on, with at least 5 scores above and 5 below ½; before,
 * `isRefused` says so.
 */
export function scoreByHistory({ asked, history }: ScoreByHistoryInput): ScoreByHistory {
  const scores = asked.map(({ score }) => score)
  const known = asked.map((one) => one.history)
  checkScores(scores, 'scores of asked cases')
  checkScores(known, 'history of asked cases')
  checkScores(history, 'history')
  const n = asked.length
  if (n > history.length)
    throw new RangeError(`${n} cases were asked, but history has ${history.length}: it must have every case.`)

  const { mean: plainMean } = weightedMoments(scores)
  const { low, high } = caseInterval(scores)
  const plain: [number, number] = [low, high]
  const above = scores.filter((score) => score > 0.5).length
  const below = scores.filter((score) => score < 0.5).length
  const isRefused = n < FEWEST_ASKED || Math.min(above, below) < FEWEST_OF_A_SIDE
  const common = { plainMean, plain, isRefused }
  if (n < 3) return { estimate: plainMean, ofSuite: plain, overCases: plain, plainNeeded: n, ...common }

  const ofAsked = weightedMoments(known)
  const ofAll = weightedMoments(history)
  // Cases that were all equally hard for earlier models say nothing about a slope.
  const squares = ofAsked.max - ofAsked.min <= sameScoreTolerance ? 0 : (n - 1) * ofAsked.stdDev ** 2
  const products = scores.reduce((sum, score, i) => sum + (known[i]! - ofAsked.mean) * (score - plainMean), 0)
  const slope = squares === 0 ? 0 : Math.min(STEEPEST_SLOPE, Math.max(0, products / squares))
  const shift = ofAll.mean - ofAsked.mean
  const residuals = scores.map((score, i) => score - plainMean - slope * (known[i]! - ofAsked.mean))
  const rest = residuals.reduce((sum, residual) => sum + residual ** 2, 0) / (n - 2)
  const lever = 1 / n + (squares === 0 ? 0 : shift ** 2 / squares)

  const estimate = clamp(plainMean + slope * shift)
  const intervalOf = (variance: number): [number, number] => {
    const interval = tInterval({
      mean: plainMean + slope * shift,
      stdErr: Math.sqrt(variance),
      degreesOfFreedom: n - 2,
      bounds: [0, 1],
    })
    return [interval.low, interval.high]
  }
  const ofSuite = (1 - n / history.length) * rest * lever
  // A plain sample of m cases has the variance s²(1/m − 1/N).
  const spread = weightedMoments(scores).stdDev ** 2
  const needed = spread === 0 ? n : spread / (ofSuite + spread / history.length)
  return {
    estimate,
    plainNeeded: Math.round(needed),
    ofSuite: intervalOf(ofSuite),
    overCases: intervalOf(rest * lever + (slope ** 2 * ofAll.stdDev ** 2) / history.length),
    ...common,
  }
}
