import { checkAtLeast, checkNumbers } from '../numbers/check-arguments.ts'
import { normalCdf } from '../numbers/distributions.ts'

/** The positive nodes and weights of 16-point Gauss-Legendre on [−1, 1] (Abramowitz & Stegun, table 25.4). */
const nodes = [
  0.09501250983763744, 0.2816035507792589, 0.45801677765722737, 0.6178762444026438, 0.755404408355003,
  0.8656312023878318, 0.9445750230732326, 0.9894009349916499,
]
const nodeWeights = [
  0.1894506104550685, 0.18260341504492358, 0.16915651939500254, 0.14959598881657674, 0.12462897125553388,
  0.09515851168249279, 0.062253523938647894, 0.027152459411754093,
]
/** Panel edges around a feature, in units of its width. */
const edges = [0, 0.75, 1.5, 2.5, 4, 6, 9, 14, 22, 34, 52]

/**
 * P(T ≤ t) of the noncentral t distribution, T = (Z + δ)/S with S = √(χ²/df): ∫ Φ(ts − δ) f(s) ds (Johnson, Kotz &
 * Balakrishnan, Continuous Univariate Distributions 2, 1995, ch. 31), integrated over x = ln s, where the density of S
 * is smooth for every df ≥ 1. Absolute error below 1e-10.
 */
export function noncentralTCdf(t: number, degreesOfFreedom: number, noncentrality: number): number {
  checkAtLeast(degreesOfFreedom, 1, 'degreesOfFreedom')
  checkNumbers([noncentrality], 'noncentrality')
  if (Number.isNaN(t)) throw new RangeError('t is NaN: it must be a number.')
  if (t === 0) return normalCdf(-noncentrality)
  if (!Number.isFinite(t)) return t > 0 ? 1 : 0

  let mass = 0
  let below = 0
  const breaks = placeBreaks(t, degreesOfFreedom, noncentrality)
  for (let panel = 1; panel < breaks.length; panel++) {
    const middle = (breaks[panel]! + breaks[panel - 1]!) / 2
    const half = (breaks[panel]! - breaks[panel - 1]!) / 2
    for (let node = 0; node < 2 * nodes.length; node++) {
      const side = node % 2 === 0 ? half : -half
      const x = middle + side * nodes[node >> 1]!
      const density = nodeWeights[node >> 1]! * half * Math.exp(degreesOfFreedom * logDensityPerDegree(x))
      mass += density
      below += density * normalCdf(t * Math.exp(x) - noncentrality)
    }
  }
  // Normalised by the integrated mass, not by a gamma function, whose rounding grows with the degrees of freedom.
  return Math.min(1, below / mass)
}

/** ln of the density of ln S, per degree of freedom and up to a constant: x − (e^{2x} − 1)/2. */
function logDensityPerDegree(x: number): number {
  // Near 0 the two terms cancel, and a million degrees of freedom would amplify the rounding error.
  if (Math.abs(x) > 0.01) return x - Math.expm1(2 * x) / 2
  return -x * x * (1 + x * (2 / 3 + x * (1 / 3 + x * (2 / 15 + x * (2 / 45 + (x * 4) / 315)))))
}

/** Fine panels around the peak of the density and the step of Φ, ending where the density vanishes. */
function placeBreaks(t: number, degreesOfFreedom: number, noncentrality: number): number[] {
  const width = 1 / Math.sqrt(2 * degreesOfFreedom)
  const low = -52 * width
  const high = Math.min(14 * width, 2.5)
  const ratio = noncentrality / t
  const step =
    ratio > 0 && Math.abs(noncentrality) > 1
      ? { centre: Math.log(ratio), width: 1 / Math.abs(noncentrality) }
      : { centre: -Math.log(Math.abs(t)), width: 1 }
  const breaks = [low, high]
  for (const edge of edges) {
    const far = edge * step.width
    for (const point of [edge * width, -edge * width, step.centre + far, step.centre - far]) {
      if (point > low && point < high) breaks.push(point)
    }
  }
  return breaks.sort((a, b) => a - b)
}
