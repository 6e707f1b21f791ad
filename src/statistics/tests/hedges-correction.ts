import { logGamma } from '../numbers/log-gamma.ts'

/**
 * Hedges' small-sample factor J(df) = Γ(df/2) / (√(df/2)·Γ((df−1)/2)) (Hedges, Journal of Educational Statistics 6,
 * 1981). NaN at one degree of freedom or less, where Cohen's d has no mean and so cannot be corrected.
 */
export function hedgesCorrection(degreesOfFreedom: number): number {
  if (!(degreesOfFreedom > 0)) throw new RangeError(`degreesOfFreedom is ${degreesOfFreedom}: it must be above 0.`)
  if (degreesOfFreedom <= 1) return Number.NaN
  if (degreesOfFreedom > 200) {
    // Two log-gammas in the millions would cancel to nine digits; Stirling's series of the ratio keeps them all.
    const x = 1 / degreesOfFreedom
    return 1 + x * (-3 / 4 + x * (-7 / 32 + x * (-9 / 128 + x * (59 / 2048 + (x * 483) / 8192))))
  }
  const half = degreesOfFreedom / 2
  return Math.exp(logGamma(half) - logGamma(half - 0.5) - Math.log(half) / 2)
}
