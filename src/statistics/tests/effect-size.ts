import { logGamma } from '../numbers/distributions.ts'

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

export type EffectSizeWord = 'negligible' | 'small' | 'medium' | 'large'

/**
 * The word for a standardised difference, by Cohen's thresholds of 0.2, 0.5 and 0.8 (Statistical Power Analysis, 1988,
 * § 2.2.3). Undefined for NaN, for which "negligible" would be a claim without data.
 */
export function describeEffectSize(effectSize: number): EffectSizeWord | undefined {
  if (Number.isNaN(effectSize)) return undefined
  const size = Math.abs(effectSize)
  if (size < 0.2) return 'negligible'
  if (size < 0.5) return 'small'
  return size <= 0.8 ? 'medium' : 'large'
}
