import { checkNumbers } from '../numbers/check-arguments.ts'
import { clusteredMoments, type Clusters } from '../clusters/clustered-moments.ts'
import { sameScoreTolerance } from '../numbers/weighted-moments.ts'
import { tInterval } from '../intervals/t-interval.ts'
import { pairedTTest } from '../tests/paired-t-test.ts'

export interface PooledGroup {
  /** The mean of the group's own values. */
  raw: number
  /** The mean drawn towards the other groups, the more the fewer values the group has. */
  estimate: number
  /** 95 % interval of `estimate`. */
  low: number
  high: number
}

/** The spread of the true means of groups: uniform on 0 … 0.5. */
const SPREADS = Array.from({ length: 101 }, (_, index) => index / 200)

/** The values of a group; with clusters or unequal weights it tells as much as fewer values of equal weight. */
export interface GroupSample {
  values: readonly number[]
  weights?: readonly number[] | undefined
  clusters?: Clusters | undefined
}

interface Group extends GroupSample {
  mean: number
  min: number
  max: number
  /** How many independent values of equal weight tell as much. */
  size: number
  /** Of such a value. */
  variance: number
}

function measureGroup(sample: GroupSample): Group {
  const { mean, min, max, stdErr, effectiveClusters } = clusteredMoments(sample.values, sample.weights, sample.clusters)
  return { ...sample, mean, min, max, size: effectiveClusters, variance: stdErr ** 2 * effectiveClusters }
}

/** The groups' means and variances if the true means had the standard deviation `spread`, and how likely that is. */
function poolAt(spread: number, groups: readonly Group[], variance: number) {
  const ofGroups = spread ** 2
  const precisions = groups.map(({ size }) => 1 / (variance / size + ofGroups))
  const precision = precisions.reduce((sum, one) => sum + one, 0)
  const centre = groups.reduce((sum, { mean }, index) => sum + mean * precisions[index]!, 0) / precision
  const logWeight = groups.reduce(
    (sum, { mean }, index) => sum + (Math.log(precisions[index]!) - precisions[index]! * (mean - centre) ** 2) / 2,
    -Math.log(precision) / 2,
  )
  const posteriors = groups.map(({ size, mean }, index) => {
    const ofMean = variance / size
    const drawn = ofMean * precisions[index]!
    return { mean: mean + drawn * (centre - mean), variance: drawn * ofGroups + drawn ** 2 / precision }
  })
  return { logWeight, posteriors }
}

function poolMeans(groups: readonly Group[], variance: number): { mean: number; stdDev: number }[] {
  const pooled = SPREADS.map((spread) => poolAt(spread, groups, variance))
  const largest = Math.max(...pooled.map(({ logWeight }) => logWeight))
  const weights = pooled.map(({ logWeight }) => Math.exp(logWeight - largest))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return groups.map((_, group) => {
    const over = (value: (posterior: { mean: number; variance: number }) => number) =>
      pooled.reduce((sum, { posteriors }, index) => sum + weights[index]! * value(posteriors[group]!), 0) / total
    const mean = over((posterior) => posterior.mean)
    return { mean, stdDev: Math.sqrt(over((posterior) => posterior.variance + (posterior.mean - mean) ** 2)) }
  })
}

/** Without a spread within groups nothing says how far to pool: each group has what its own values say. */
function leaveApart({ values, weights, clusters, mean }: Group): PooledGroup {
  const outside = values.find((value) => Math.abs(value) > 1)
  if (outside !== undefined) throw new RangeError(`a difference is ${outside}: differences of scores are from −1 to 1.`)
  const [low, high] = pairedTTest(values, weights, clusters).confidence95
  return { raw: mean, estimate: mean, low, high }
}

/**
 * Means of groups (such as differences A − B by category), each drawn towards the others as far as the groups' spread
 * allows: normal means with a flat centre, their standard deviation τ uniform on 0 … 0.5, the variance v within groups
 * pooled (Gelman et al., Bayesian Data Analysis, 3rd ed. 2013, section 5.4). With s² = v/n of a group, the weight of τ
 * is (Σ1/(s²+τ²))^−½ · Π(s²+τ²)^−½ · exp(−½Σ(y−μ̂)²/(s²+τ²)); the interval is ± t(0.975; Σ(n−1)) standard deviations
 * of the mixture.
 *
 * Not for a group picked because it stands out: its interval covers less than it says. One group alone has the t interval
 * of its mean. If no group has two different values, v is unknown or 0: the estimates are the raw means, and the intervals
 * the unseen-mass bounds of `pairedTTest`.
 */
export function poolGroups(groups: Record<string, readonly number[]>): Record<string, PooledGroup> {
  const names = Object.keys(groups)
  for (const name of names) checkNumbers(groups[name]!, `groups[${JSON.stringify(name)}]`)
  const pooled = poolSamples(names.map((name) => ({ values: groups[name]! })))
  return Object.fromEntries(names.map((name, index) => [name, pooled[index]!]))
}

/** The same of groups whose values have weights or are in clusters. */
export function poolSamples(samples: readonly GroupSample[]): PooledGroup[] {
  const all = samples.map(measureGroup)
  const degreesOfFreedom = all.reduce((sum, { size }) => sum + size - 1, 0)
  if (all.every(({ min, max }) => max - min <= sameScoreTolerance)) return all.map(leaveApart)

  const variance = all.reduce((sum, group) => sum + (group.size - 1) * group.variance, 0) / degreesOfFreedom
  return poolMeans(all, variance).map(({ mean: estimate, stdDev: stdErr }, index) => {
    const { low, high } = tInterval({ mean: estimate, stdErr, degreesOfFreedom })
    return { raw: all[index]!.mean, estimate, low, high }
  })
}
