import { checkSameLength } from '../numbers/check-arguments.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { weightedMoments, type WeightedMoments } from '../numbers/weighted-moments.ts'

/** The name of the cluster of each value; a value without one is its own. */
export type Clusters = ArrayLike<string | number | undefined>

export interface ClusteredMoments extends WeightedMoments {
  /** How many clusters there are: what counts as independent. */
  clusters: number
  /** (ΣW)²/ΣW² of the clusters' weights W; with equal weights and no cluster of several values, n. */
  effectiveClusters: number
  /** True if a cluster has several values. */
  isClustered: boolean
  /** The variance of the mean with clusters as units; 0 if the means of all clusters are the same. */
  clusterVariance: number
  /** Of Student's t: the effective number of clusters less 1; never 0, so that t can be asked for. */
  degreesOfFreedom: number
}

/** Below this, one cluster has all the weight and t is infinite. */
const LEAST_FREEDOM = 1e-9

/** The index of each value's cluster, numbered from 0. */
export function indexClusters(length: number, clusters: Clusters | undefined): { indices: Uint32Array; count: number } {
  const indices = new Uint32Array(length)
  if (!clusters) return { indices: indices.map((_, index) => index), count: length }
  checkSameLength(indices, clusters, 'values and clusters')
  const known = new Map<string | number, number>()
  let count = 0
  for (let i = 0; i < length; i++) {
    const name = clusters[i]
    let index = name === undefined ? undefined : known.get(name)
    if (index === undefined) {
      index = count++
      if (name !== undefined) known.set(name, index)
    }
    indices[i] = index
  }
  return { indices, count }
}

/**
 * The moments of values that come in clusters, such as variants of one question: values of one cluster are correlated,
 * so only clusters count as independent (Liang & Zeger, Biometrika 73, 1986; Miller, Adding Error Bars to Evals, 2024).
 * V = G/(G−1) · Σ(Σw(x−m))²/(Σw)² over clusters, with their effective number G = (ΣW)²/ΣW², and Student's t has G − 1
 * degrees of freedom. The standard error is the larger of √V and the one without clusters: naming clusters never narrows
 * an interval. With equal weights and no cluster of several values all of this is as without clusters.
 */
export function clusteredMoments(
  values: ArrayLike<number>,
  weights?: ArrayLike<number>,
  clusters?: Clusters,
): ClusteredMoments {
  const moments = weightedMoments(values, weights)
  const { n, mean, stdErr } = moments
  const relative = relativeWeights(n, weights)
  const { indices, count } = indexClusters(n, clusters)
  const isClustered = count < n
  if (!isClustered && relative.every((weight) => weight === 1))
    return {
      ...moments,
      clusters: n,
      effectiveClusters: n,
      isClustered,
      clusterVariance: stdErr ** 2,
      degreesOfFreedom: Math.max(n - 1, LEAST_FREEDOM),
    }

  const clusterWeights = new Float64Array(count)
  const deviations = new Float64Array(count)
  for (let i = 0; i < n; i++) {
    clusterWeights[indices[i]!]! += relative[i]!
    deviations[indices[i]!]! += relative[i]! * (values[i]! - mean)
  }
  const effectiveClusters = isClustered
    ? weightedMoments(clusterWeights, clusterWeights).effectiveSize
    : moments.effectiveSize
  const total = clusterWeights.reduce((sum, weight) => sum + weight, 0)
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0)
  const degreesOfFreedom = Math.max(effectiveClusters - 1, LEAST_FREEDOM)
  // Rounding leaves a trace of deviations that cancel within every cluster.
  const isSame = Math.sqrt(squares) <= 1e-12 * total
  const clusterVariance = isSame ? 0 : ((effectiveClusters / degreesOfFreedom) * squares) / total ** 2
  return {
    ...moments,
    stdErr: Math.max(stdErr, Math.sqrt(clusterVariance)),
    clusters: count,
    effectiveClusters,
    isClustered,
    clusterVariance,
    degreesOfFreedom,
  }
}
