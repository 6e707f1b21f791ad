import { checkAtLeast, checkFraction, checkNumbers } from '../numbers/check-arguments.ts'
import { normalQuantile, tQuantile } from '../numbers/distributions.ts'
import { noncentralTCdf } from './noncentral-t.ts'

export interface PowerInput {
  difference: number
  stdDev: number
  n: number
  alpha?: number
}

export interface PairsNeededInput {
  difference: number
  stdDev: number
  power?: number
  alpha?: number
}

/**
 * The probability that a two-sided paired t test at `alpha` detects a true mean difference: P(|T| > t(1−α/2)) for
 * noncentral T with n − 1 degrees of freedom and δ = √n·difference/stdDev (Cohen, Statistical Power Analysis, 1988,
 * ch. 2).
 */
export function powerOfPairedTest({ difference, stdDev, n, alpha = 0.05 }: PowerInput): number {
  checkNumbers([difference], 'difference')
  checkAtLeast(stdDev, 0, 'stdDev')
  checkAtLeast(n, 2, 'n')
  checkFraction(alpha, 'alpha')
  if (difference === 0) return alpha
  if (stdDev === 0) return 1
  const noncentrality = (Math.sqrt(n) * Math.abs(difference)) / stdDev
  const critical = -tQuantile(alpha / 2, n - 1)
  // Far beyond the critical value the power is 1 and need not be integrated.
  if (noncentrality > 40 && noncentrality > 40 * critical) return 1
  const beyond = 1 - noncentralTCdf(critical, n - 1, noncentrality)
  return Math.min(1, beyond + noncentralTCdf(-critical, n - 1, noncentrality))
}

/**
 * About as many pairs as `pairsNeeded` finds, much faster: the normal approximation with Guenther's correction (The
 * American Statistician 35, 1981).
 */
export function approximatePairsNeeded({ difference, stdDev, power = 0.8, alpha = 0.05 }: PairsNeededInput): number {
  checkFraction(power, 'power')
  checkFraction(alpha, 'alpha')
  const critical = -normalQuantile(alpha / 2)
  return Math.ceil((((critical + normalQuantile(power)) * stdDev) / difference) ** 2 + critical ** 2 / 2)
}

/** The smallest number of pairs (at least 2) with which the paired t test reaches the power. */
export function pairsNeeded({ difference, stdDev, power = 0.8, alpha = 0.05 }: PairsNeededInput): number {
  checkFraction(power, 'power')
  const reaches = (n: number) => powerOfPairedTest({ difference, stdDev, n, alpha }) >= power
  if (reaches(2)) return 2
  if (difference === 0) return Infinity
  // The normal approximation is only a few pairs short, so the search starts there and doubles its stride.
  const quantiles = -normalQuantile(alpha / 2) + Math.max(0, normalQuantile(power))
  const approximate = ((quantiles * stdDev) / difference) ** 2
  if (approximate > Number.MAX_SAFE_INTEGER) return Infinity
  let enough = Math.max(3, Math.floor(approximate))
  let tooFew = 2
  for (let stride = 1; !reaches(enough); stride *= 2) {
    tooFew = enough
    enough += stride
    if (enough > Number.MAX_SAFE_INTEGER) return Infinity
  }
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2)
    if (reaches(middle)) enough = middle
    else tooFew = middle
  }
  return enough
}
