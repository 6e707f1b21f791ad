import { tInterval } from '../intervals/t-interval.ts'
import { checkNumbers, checkSameLength } from '../numbers/check-arguments.ts'
import { sameScoreTolerance, weightedMoments } from '../numbers/weighted-moments.ts'
import { signFlipTest } from '../tests/sign-flip-test.ts'

/** Judges give whole grades from 0 to 10, so that their scores come in steps of 0.1. */
export const gradeStep = 0.1

export interface ScoreChange {
  n: number
  /** The mean of after − before, with its 95 % interval. */
  change: number
  low: number
  high: number
  /** From the sign-flip permutation test. */
  pValue: number
  raised: number
  lowered: number
  /** True if p is below 0.05 and 0 is outside the interval. */
  isReal: boolean
}

/** Each of two whole grades is rounded by up to half a grade: the least spread that their difference can have. */
const ROUNDING_VARIANCE = gradeStep ** 2 / 6

/**
 * How far a change to the answers moves a judge's scores, answer by answer. The interval is Student's t, with a spread
 * of at least what whole grades are rounded by: if every score moves by exactly one grade, the observed spread is 0.
 */
export function measureScoreChange(before: readonly number[], after: readonly number[]): ScoreChange {
  checkSameLength(before, after, 'the scores before and after')
  checkNumbers(before, 'the scores before')
  checkNumbers(after, 'the scores after')
  const differences = before.map((score, index) => after[index]! - score)
  const n = differences.length
  if (n < 2) throw new RangeError(`There is ${n} pair of scores: at least 2 are needed.`)
  const { mean: change, stdDev } = weightedMoments(differences)
  const stdErr = Math.sqrt(Math.max(stdDev ** 2, ROUNDING_VARIANCE) / n)
  const { low, high } = tInterval({ mean: change, stdErr, degreesOfFreedom: n - 1, bounds: [-1, 1] })
  const { pValue } = signFlipTest(differences)
  return {
    n,
    change,
    low,
    high,
    pValue,
    raised: differences.filter((difference) => difference > sameScoreTolerance).length,
    lowered: differences.filter((difference) => difference < -sameScoreTolerance).length,
    isReal: pValue < 0.05 && (low > 0 || high < 0),
  }
}
