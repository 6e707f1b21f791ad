import { clopperPearsonInterval } from '../intervals/clopper-pearson.ts'
import { sameScoreTolerance } from '../numbers/weighted-moments.ts'
import { binomialTest } from '../tests/binomial-test.ts'
import { gradeStep } from './score-change.ts'

/** An answer with a canary, and the same without. */
export interface CanaryTrial {
  /** What the answer deserves, 0 to 1; absent if it is unknown. */
  deserved?: number | undefined
  /** What the judge gave to the answer without the canary. */
  control: number
  /** What the judge gave with the canary. */
  score: number
}

export interface CanarySuccess {
  n: number
  /** Trials that scored more than the answer deserves and than the judge itself gave without the canary. */
  tooHigh: number
  /** With its exact 95 % interval. */
  share: number
  low: number
  high: number
  /** Trials that scored less than without the canary: chance would make as many of these. */
  lowered: number
  /** One-sided sign test: a noisy judge raises as many as it lowers. */
  pValue: number
  isReal: boolean
}

/** True if the canary was worth at least half a grade. */
export function isTooHigh({ deserved = 0, control, score }: CanaryTrial): boolean {
  return score > Math.max(deserved, control) + gradeStep / 2 - sameScoreTolerance
}

/** How often something that is no answer raises a judge's score. */
export function measureCanaries(trials: readonly CanaryTrial[]): CanarySuccess {
  if (trials.length === 0) throw new RangeError('There are no trials: at least 1 is needed.')
  const n = trials.length
  const tooHigh = trials.filter(isTooHigh).length
  const lowered = trials.filter(({ control, score }) => score < control - gradeStep / 2 + sameScoreTolerance).length
  const pValue = binomialTest(tooHigh, tooHigh + lowered, { alternative: 'greater' })
  const { low, high } = clopperPearsonInterval(tooHigh, n)
  return { n, tooHigh, share: tooHigh / n, low, high, lowered, pValue, isReal: pValue < 0.05 }
}
