import { clusteredMoments, type Clusters } from '../clusters/clustered-moments.ts'
import { checkNumbers, checkSameLength } from '../numbers/check-arguments.ts'
import { FEW_HIDE_SKEWNESS, skewedInterval } from '../intervals/skewed-interval.ts'
import { tQuantile } from '../numbers/distributions.ts'
import { meanOf } from '../numbers/weighted-moments.ts'
import { skewnessOfMean } from '../tests/equivalence.ts'

/** A mean cost, or how many times another it is, with its 95 % interval; without one if there is a single case. */
export interface CostEstimate {
  mean: number
  low?: number
  high?: number
}

/**
 * The interval of a positive mean: the hull of mean · e^(± t·SE/mean), by the delta method on a logarithmic scale, and of
 * Hall's interval for a skewed mean. Costs are skewed, and an interval of a cost must not contain less than nothing.
 */
function costInterval(mean: number, deviations: readonly number[], clusters: Clusters | undefined): CostEstimate {
  if (deviations.length < 2) return { mean }
  const moments = clusteredMoments(deviations, undefined, clusters)
  const { stdErr, degreesOfFreedom } = moments
  // One cluster says nothing about how others differ.
  if (degreesOfFreedom < 0.5) return { mean }
  if (mean === 0 || stdErr === 0) return { mean, low: mean, high: mean }
  const factor = Math.exp(-tQuantile(0.025, degreesOfFreedom) * (stdErr / mean))
  const skewness = FEW_HIDE_SKEWNESS * skewnessOfMean({ differences: deviations, clusters }, moments)
  const hall = skewedInterval({ mean, stdErr, skewness, degreesOfFreedom })
  const low = hall.low > 0 ? Math.min(mean / factor, hall.low) : mean / factor
  return { mean, low, high: Math.max(mean * factor, hall.high) }
}

function checkCosts(costs: readonly number[], name: string): void {
  checkNumbers(costs, name)
  const wrong = costs.findIndex((cost) => cost < 0)
  if (wrong >= 0) throw new RangeError(`${name}[${wrong}] is ${costs[wrong]}: a cost is at least 0.`)
}

/** The mean cost of an answer over more cases like these; with clusters, over more clusters. */
export function meanCost(costs: readonly number[], clusters?: Clusters): CostEstimate {
  checkCosts(costs, 'costs')
  return costInterval(meanOf(costs), costs, clusters)
}

/**
 * How many times as much A costs as B, from what both cost on the same cases: the ratio R of their means, with the
 * variance of the residuals a − R·b over cases or clusters (Cochran, Sampling Techniques, 3rd ed. 1977, chapter 6).
 * Undefined if B costs nothing.
 */
export function costRatio(a: readonly number[], b: readonly number[], clusters?: Clusters): CostEstimate | undefined {
  checkCosts(a, 'costs of A')
  checkCosts(b, 'costs of B')
  checkSameLength(a, b, 'costs of A and costs of B')
  const below = meanOf(b)
  if (below === 0) return undefined
  const ratio = meanOf(a) / below
  const residuals = a.map((cost, i) => (cost - ratio * b[i]!) / below)
  return costInterval(ratio, residuals, clusters)
}
