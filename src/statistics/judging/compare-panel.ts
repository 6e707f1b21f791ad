import { indexClusters, type Clusters } from '../clusters/clustered-moments.ts'
import { checkNumbers, checkSameLength } from '../numbers/check-arguments.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { meanOf, weightedMoments } from '../numbers/weighted-moments.ts'
import {
  differenceInterval,
  halfWidth,
  measureDifferences,
  unseenMassP,
  type DifferenceMoments,
  type JudgeSpread,
} from '../tests/difference-interval.ts'

/** With fewer judges, how much judges differ cannot be estimated: they count as the only ones there are. */
export const FEWEST_JUDGES = 3

export interface PanelComparison {
  mean: number
  /** 95 % interval over more cases and more judges like these. */
  low: number
  high: number
  p: number
  /** The variance of the mean over the judges; null with fewer than 3 judges, which then count as fixed. */
  judgeVariance: number | null
}

interface PanelOptions {
  weights?: readonly number[] | undefined
  clusters?: Clusters | undefined
  /** How many pairs the intervals hold for together; default 1. */
  pairs?: number
}

/**
 * How much the mean over the judges varies with the judges: the variance of their means over J, less what is noise of
 * case and judge, estimated by clusters from the residuals e of the two-way layout: G/(G−1)·Σ(Σwe)²/(J(J−1)(Σw)²).
 * Without weights and clusters (MS of judges − MS of residuals)/(nJ), as Shrout & Fleiss (Psychological Bulletin 86, 1979).
 */
export function measureJudgeSpread(
  differences: readonly (readonly number[])[],
  { weights, clusters }: PanelOptions = {},
): JudgeSpread {
  const judges = differences[0]?.length ?? 0
  const relative = relativeWeights(differences.length, weights)
  const total = relative.reduce((sum, weight) => sum + weight, 0)
  const caseMeans = differences.map(meanOf)
  const { mean, effectiveClusters, degreesOfFreedom } = measureDifferences(caseMeans, weights, clusters)
  const judgeMeans = Array.from(
    { length: judges },
    (_, judge) =>
      weightedMoments(
        differences.map((row) => row[judge]!),
        relative,
      ).mean,
  )
  const { indices, count } = indexClusters(differences.length, clusters)
  let noise = 0
  for (let judge = 0; judge < judges; judge++) {
    const sums = new Float64Array(count)
    for (const [index, row] of differences.entries())
      sums[indices[index]!]! += relative[index]! * (row[judge]! - caseMeans[index]! - judgeMeans[judge]! + mean)
    noise += sums.reduce((sum, value) => sum + value ** 2, 0)
  }
  const variance =
    weightedMoments(judgeMeans).stdDev ** 2 / judges -
    ((effectiveClusters / degreesOfFreedom) * noise) / (judges * (judges - 1) * total ** 2)
  return { judges, variance: variance > 1e-18 ? variance : 0 }
}

/** The α at which the interval ends at 0: Student's p if judges are fixed. */
export function panelP(moments: DifferenceMoments, panel: JudgeSpread | undefined): number {
  const distance = Math.abs(moments.mean)
  if (distance === 0) return 1
  let [low, high] = [0, 1]
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2
    if (halfWidth(moments, 1 - middle, panel) > distance) low = middle
    else high = middle
  }
  return high
}

/**
 * Two models by a panel: `differences[case][judge]` is A − B. From 3 judges on, judges are drawn at random as cases are,
 * so that a judge who leans towards one model widens the interval: half of its width is √(t²·V of cases + t²·V of judges).
 */
export function comparePanel(differences: readonly (readonly number[])[], options: PanelOptions = {}): PanelComparison {
  const { caseVariance: _variance, ...comparison } = compareLevels(differences, options)
  return comparison
}

/** The same of any factor whose levels are drawn at random, such as wordings; with the variance of the mean over the cases. */
export function compareLevels(
  differences: readonly (readonly number[])[],
  options: PanelOptions = {},
): PanelComparison & { caseVariance: number } {
  const [first] = differences
  if (!first) throw new RangeError('differences is empty: at least one case is needed.')
  for (const [index, row] of differences.entries()) {
    checkSameLength(first, row, `differences[0] and differences[${index}]`)
    checkNumbers(row, `differences[${index}]`)
  }
  const moments = measureDifferences(differences.map(meanOf), options.weights, options.clusters)
  const panel = first.length < FEWEST_JUDGES ? undefined : measureJudgeSpread(differences, options)
  const [low, high] = differenceInterval(moments, 1 - 0.05 / (options.pairs ?? 1), panel)
  return {
    mean: moments.mean,
    low,
    high,
    p: Math.max(panelP(moments, panel), unseenMassP(moments)),
    judgeVariance: panel?.variance ?? null,
    caseVariance: moments.stdErr ** 2,
  }
}
