import { checkFraction } from '../numbers/check-arguments.ts'
import type { Interval } from './interval.ts'

/**
 * The interval of a mean in [0, 1] that allows for outcomes that were not drawn yet.
 *
 * If a share u of all cases differs from those seen, n draws miss it with probability (1−u)ⁿ. The largest u for which
 * that is at least 5 % is 1 − 0.05^(1/n), the exact one-sided Clopper-Pearson bound at 0 of n. That share could score
 * anything from 0 to 1, so the mean is in [m(1−u), m(1−u) + u].
 */
export function unseenMassInterval(mean: number, effectiveSize: number, level = 0.95): Interval {
  checkFraction(level, 'level')
  if (!(mean >= 0 && mean <= 1)) throw new RangeError(`mean is ${mean}: it must be between 0 and 1.`)
  if (!(effectiveSize > 0)) throw new RangeError(`effectiveSize is ${effectiveSize}: it must be above 0.`)
  const logSeen = Math.log1p(-level) / effectiveSize
  const low = mean * Math.exp(logSeen)
  return { low, high: Math.min(1, low - Math.expm1(logSeen)), method: 'unseen-mass' }
}
