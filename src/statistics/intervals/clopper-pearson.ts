import { checkAtLeast, checkFraction } from '../numbers/check-arguments.ts'
import { betaQuantile } from '../numbers/distributions.ts'
import type { Interval } from './interval.ts'

/** Success counts within this share of the trials from none or all are treated as none or all. */
const roundingShare = 1e-9

/**
 * The exact interval of a success rate: low = Beta⁻¹(α/2; k, n−k+1), high = Beta⁻¹(1−α/2; k+1, n−k)
 * (Clopper & Pearson, Biometrika 26, 1934). Counts may be fractional, so that a weighted rate can use its effective
 * sample size (Korn & Graubard, Survey Methodology 24, 1998).
 */
export function clopperPearsonInterval(successes: number, trials: number, level = 0.95): Interval {
  checkFraction(level, 'level')
  if (!(Number.isFinite(trials) && trials > 0)) {
    throw new RangeError(`trials is ${trials}: it must be a finite number above 0.`)
  }
  const slack = trials * roundingShare
  checkAtLeast(successes, -slack, 'successes')
  if (successes > trials + slack) {
    throw new RangeError(`successes is ${successes}, more than the ${trials} trials.`)
  }
  const none = successes <= slack
  const all = successes >= trials - slack
  const tail = (1 - level) / 2
  return {
    low: none ? 0 : betaQuantile(tail, all ? trials : successes, all ? 1 : trials - successes + 1),
    high: all ? 1 : betaQuantile(1 - tail, none ? 1 : successes + 1, none ? trials : trials - successes),
    method: 'clopper-pearson',
  }
}
