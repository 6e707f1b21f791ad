import stdlibGammaln from '@stdlib/math-base-special-gammaln'

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`x is ${x}: it must be above 0.`)
  return stdlibGammaln(x)
}
