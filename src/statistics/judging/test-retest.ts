import { clopperPearsonInterval } from '../intervals/clopper-pearson.ts'
import { tInterval } from '../intervals/t-interval.ts'
import { checkNumbers } from '../numbers/check-arguments.ts'
import { sameScoreTolerance, weightedMoments } from '../numbers/weighted-moments.ts'
import { gradeStep } from './score-change.ts'

export interface TestRetest {
  /** Answers that were scored at least twice. */
  n: number
  /** The standard deviation of one answer's scores, pooled over the answers, with its 95 % interval. */
  stdDev: number
  low: number
  high: number
  /** Answers whose score changed, and their share with its exact 95 % interval. */
  changed: number
  shareChanged: number
  changedLow: number
  changedHigh: number
}

/**
 * How far a judge's score of the same answer varies when it is asked again.
 *
 * The variance is the mean of the answers' own variances, and its interval is Student's t over the answers: some
 * answers may be much harder to score than others. If most answers kept their score, so may have the few that would
 * have changed; then the interval also allows for a share of answers that was missed (as in `unseenMassInterval`),
 * which change by one grade in one of their scores, or by as much as the worst one seen.
 */
export function measureTestRetest(scores: readonly (readonly number[])[]): TestRetest {
  const repeated = scores.filter((row) => row.length >= 2)
  const n = repeated.length
  if (n < 2) throw new RangeError(`${n} answers were scored more than once: at least 2 are needed.`)
  for (const row of repeated) checkNumbers(row, 'the scores of an answer')
  const moments = repeated.map((row) => weightedMoments(row))
  const variances = moments.map(({ min, max, stdDev }) => (max - min <= sameScoreTolerance ? 0 : stdDev ** 2))
  const { mean, stdErr } = weightedMoments(variances)
  const student = tInterval({ mean, stdErr, degreesOfFreedom: n - 1, bounds: [0, 1] })
  const changed = variances.filter((variance) => variance > 0).length
  const share = clopperPearsonInterval(changed, n)
  const unseen = changed * 2 < n ? boundUnseenVariance(mean, variances, repeated) : 0
  return {
    n,
    stdDev: Math.sqrt(mean),
    low: Math.sqrt(student.low),
    high: Math.sqrt(Math.max(student.high, unseen)),
    changed,
    shareChanged: changed / n,
    changedLow: share.low,
    changedHigh: share.high,
  }
}

function boundUnseenVariance(mean: number, variances: readonly number[], rows: readonly (readonly number[])[]): number {
  const share = -Math.expm1(Math.log(0.05) / variances.length)
  const fewest = Math.min(...rows.map((row) => row.length))
  const worst = Math.max(gradeStep ** 2 / fewest, ...variances)
  return mean * (1 - share) + share * worst
}
