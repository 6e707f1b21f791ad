import { tQuantile } from '../numbers/distributions.ts'

export interface SkewedIntervalInput {
  mean: number
  stdErr: number
  /** The skewness of the mean: of the values, divided by the root of their number. */
  skewness: number
  degreesOfFreedom: number
  level?: number
}

/** Few values show less skewness than there is: what makes it is rare. With this factor the simulated coverage is 95 %. */
export const FEW_HIDE_SKEWNESS = 1.25

/** Near 0.48 the transformation has a pole: from here on, few values decide everything. */
const MOST_SKEWNESS = 0.4

/**
 * The interval (by default 95 %) of a mean of skewed values: the hull of Student's t and of Hall's transformation of it
 * (Journal of the Royal Statistical Society B 54, 1992), which moves both ends towards the longer tail. Student's t alone
 * covers 91 % where a fifth of 50 answers are bad in all degrees.
 */
export function skewedInterval({ mean, stdErr, skewness, degreesOfFreedom, level = 0.95 }: SkewedIntervalInput): {
  low: number
  high: number
} {
  const t = -tQuantile((1 - level) / 2, degreesOfFreedom)
  const used = Math.min(MOST_SKEWNESS, Math.max(-MOST_SKEWNESS, skewness))
  const transform = (x: number) => (Math.abs(used) < 1e-6 ? x : (3 / used) * (Math.cbrt(1 + used * (x - used / 6)) - 1))
  return {
    low: mean - stdErr * Math.max(t, transform(t)),
    high: mean - stdErr * Math.min(-t, transform(-t)),
  }
}
