import { caseInterval } from './case-interval.ts'
import type { Interval } from './interval.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

/**
 * The mean over clusters of the cluster means, with the 95 % interval over those means: values in one cluster go
 * together, so that it is the clusters that count as independent (Miller, Adding Error Bars to Evals, 2024).
 */
export function clusterMeanInterval(valuesByCluster: number[][]): Interval & { mean: number } {
  const means = valuesByCluster.map((values) => weightedMoments(values).mean)
  return { ...caseInterval(means), mean: weightedMoments(means).mean }
}
