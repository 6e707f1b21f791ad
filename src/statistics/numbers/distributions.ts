import stdlibBetaQuantile from '@stdlib/stats-base-dists-beta-quantile'
import stdlibNormalCdf from '@stdlib/stats-base-dists-normal-cdf'
import stdlibNormalQuantile from '@stdlib/stats-base-dists-normal-quantile'
import stdlibTCdf from '@stdlib/stats-base-dists-t-cdf'
import stdlibTQuantile from '@stdlib/stats-base-dists-t-quantile'
import stdlibGammaln from '@stdlib/math-base-special-gammaln'

/** P(T ≤ x) of Student's t. */
export function tCdf(x: number, degreesOfFreedom: number): number {
  return stdlibTCdf(x, degreesOfFreedom)
}

/** The x with P(T ≤ x) = p of Student's t. */
export function tQuantile(p: number, degreesOfFreedom: number): number {
  return stdlibTQuantile(p, degreesOfFreedom)
}

/** The x with P(X ≤ x) = p of Beta(a, b). */
export function betaQuantile(p: number, a: number, b: number): number {
  return stdlibBetaQuantile(p, a, b)
}

/** P(Z ≤ x) of the standard normal. */
export function normalCdf(x: number): number {
  return stdlibNormalCdf(x, 0, 1)
}

/** The x with P(Z ≤ x) = p of the standard normal. */
export function normalQuantile(p: number): number {
  // The library computes erfinv(2p − 1), which loses the digits of a small p and returns −Infinity below 1e-16.
  if (!(p > 0 && p < 1e-4)) return stdlibNormalQuantile(p, 0, 1)
  let x = -Math.sqrt(-2 * Math.log(p))
  for (let step = 0; step < 20; step++) {
    const cdf = normalCdf(x)
    const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
    const change = ((Math.log(cdf) - Math.log(p)) * cdf) / density
    x -= change
    if (Math.abs(change) < 1e-15 * Math.abs(x)) break
  }
  return x
}

/** Two-sided p of a t statistic. From the lower tail: 1 − cdf would round every p below 1e-16 to 0. */
export function twoSidedTPValue(tStatistic: number, degreesOfFreedom: number): number {
  return Math.min(1, 2 * tCdf(-Math.abs(tStatistic), degreesOfFreedom))
}

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`x is ${x}: it must be above 0.`)
  return stdlibGammaln(x)
}
