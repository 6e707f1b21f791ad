import { caseInterval } from './case-interval.ts'
import type { Interval } from './interval.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

/**
 * The mean of the cluster means, with their 95 % interval. Values within a cluster are correlated, so only clusters
 * count as independent (Miller, Adding Error Bars to Evals, 2024).
 */
export function clusterMeanInterval(valuesByCluster: number[][]): Interval & { mean: number } {
  const means = valuesByCluster.map((values) => weightedMoments(values).mean)
  return { ...caseInterval(means), mean: weightedMoments(means).mean }
}
