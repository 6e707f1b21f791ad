import { checkAtLeast, checkFraction, checkNumbers } from '../numbers/check-arguments.ts'
import { normalCdf, normalQuantile, tQuantile } from '../numbers/distributions.ts'
import { halfWidth, type JudgeSpread } from '../tests/difference-interval.ts'
import { noncentralTCdf } from './noncentral-t.ts'

export interface PowerInput {
  difference: number
  stdDev: number
  n: number
  alpha?: number
  /** Judges who are drawn at random as cases are: no number of cases removes what they differ by. */
  panel?: JudgeSpread | undefined
}

export interface PairsNeededInput {
  difference: number
  stdDev: number
  power?: number
  alpha?: number
  panel?: JudgeSpread | undefined
}

/**
 * The probability that a two-sided paired t test at `alpha` detects a true mean difference: P(|T| > t(1−α/2)) for
 * noncentral T with n − 1 degrees of freedom and δ = √n·difference/stdDev (Cohen, Statistical Power Analysis, 1988,
 * ch. 2).
 */
export function powerOfPairedTest({ difference, stdDev, n, alpha = 0.05, panel }: PowerInput): number {
  checkNumbers([difference], 'difference')
  checkAtLeast(stdDev, 0, 'stdDev')
  checkAtLeast(n, 2, 'n')
  checkFraction(alpha, 'alpha')
  if (difference === 0) return alpha
  if (panel && panel.variance > 0) return powerOfPanel({ difference, stdDev, n, alpha, panel })
  if (stdDev === 0) return 1
  const { right, findLeft } = splitPower({ difference, stdDev, n, alpha })
  return Math.min(1, right + findLeft())
}

/** How often a normal mean with the variance of cases and judges is beyond the half-width of the panel's interval. */
function powerOfPanel({ difference, stdDev, n, alpha, panel }: Required<PowerInput> & { panel: JudgeSpread }): number {
  const stdErr = stdDev / Math.sqrt(n)
  const reach = halfWidth({ stdErr, degreesOfFreedom: n - 1 }, 1 - alpha, panel)
  const spread = Math.hypot(stdErr, Math.sqrt(panel.variance))
  const distance = Math.abs(difference)
  return normalCdf((distance - reach) / spread) + normalCdf((-distance - reach) / spread)
}

/** More cases than this are as good as infinitely many. */
const ENDLESS = 1e12

/** Infinity if the judges differ by too much for any number of cases. */
function pairsNeededByPanel(input: Required<PairsNeededInput> & { panel: JudgeSpread }): number {
  const { panel: _panel, ...withoutJudges } = input
  const reaches = (n: number) => powerOfPairedTest({ ...input, n }) >= input.power
  let tooFew = pairsNeeded(withoutJudges) - 1
  if (tooFew >= ENDLESS || !reaches(ENDLESS)) return Infinity
  let enough = tooFew + 1
  while (!reaches(enough)) {
    tooFew = enough
    enough *= 2
  }
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2)
    if (reaches(middle)) enough = middle
    else tooFew = middle
  }
  return enough
}

/** The two tails of the test: the one on the side of the true difference, and the other, which is mostly tiny. */
function splitPower({ difference, stdDev, n, alpha }: Required<Omit<PowerInput, 'panel'>>): {
  right: number
  findLeft: () => number
  /** The left tail is no larger: T can only be negative if Z + δ is. */
  mostLeft: number
} {
  const noncentrality = (Math.sqrt(n) * Math.abs(difference)) / stdDev
  const critical = -tQuantile(alpha / 2, n - 1)
  // Far beyond the critical value the power is 1 and need not be integrated.
  if (noncentrality > 40 && noncentrality > 40 * critical) return { right: 1, findLeft: () => 0, mostLeft: 0 }
  return {
    right: 1 - noncentralTCdf(critical, n - 1, noncentrality),
    findLeft: () => noncentralTCdf(-critical, n - 1, noncentrality),
    mostLeft: normalCdf(-noncentrality),
  }
}

/** `powerOfPairedTest(input) >= power`, without the left tail where it cannot matter: searches ask this very often. */
function reachesPower(input: Required<Omit<PowerInput, 'panel'>>, power: number): boolean {
  const { right, findLeft, mostLeft } = splitPower(input)
  if (right >= power) return true
  // The bound is rounded, too.
  return right + mostLeft * 1.000001 >= power - 1e-12 && right + findLeft() >= power
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
export function pairsNeeded({ difference, stdDev, power = 0.8, alpha = 0.05, panel }: PairsNeededInput): number {
  checkFraction(power, 'power')
  checkFraction(alpha, 'alpha')
  checkNumbers([difference], 'difference')
  checkAtLeast(stdDev, 0, 'stdDev')
  if (difference === 0) return alpha >= power ? 2 : Infinity
  if (panel && panel.variance > 0) return pairsNeededByPanel({ difference, stdDev, power, alpha, panel })
  if (stdDev === 0) return 2
  const reaches = (n: number) => reachesPower({ difference, stdDev, n, alpha }, power)
  // The approximation is mostly exact, so the search starts there, in either direction, and doubles its stride.
  const approximate = approximatePairsNeeded({ difference, stdDev, power, alpha })
  if (approximate > Number.MAX_SAFE_INTEGER) return Infinity
  let enough = Math.max(2, approximate)
  let tooFew = 1
  if (reaches(enough)) {
    for (let stride = 1; enough > 2; stride *= 2) {
      const fewer = Math.max(2, enough - stride)
      if (!reaches(fewer)) {
        tooFew = fewer
        break
      }
      enough = fewer
    }
  } else
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
