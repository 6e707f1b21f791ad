import { indexClusters } from '../clusters/clustered-moments.ts'
import { FEW_HIDE_SKEWNESS, skewedInterval } from '../intervals/skewed-interval.ts'
import { checkWhole } from '../numbers/check-arguments.ts'
import { normalQuantile, tQuantile } from '../numbers/distributions.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { sameScoreTolerance } from '../numbers/weighted-moments.ts'
import {
  boundUnseenDifferences,
  differenceInterval,
  fitToVerdict,
  measureDifferences,
  type DifferenceMoments,
  type DifferenceSample,
} from './difference-interval.ts'
import { findVerdictP, FEWEST_UNITS } from './verdict-p.ts'

/** What can be said about A and B, given a difference that does not matter; the first that fits. */
export type EquivalenceVerdict =
  | 'better by more than the margin'
  | 'better, by less than the margin'
  | 'better'
  | 'worse by more than the margin'
  | 'worse, by less than the margin'
  | 'worse'
  | 'practically the same'
  | 'not worse'
  | 'not better'
  | 'too close to call'

export interface Equivalence {
  /** The careful interval of A − B. */
  low: number
  high: number
  verdict: EquivalenceVerdict
}

const OTHER_SIDE: Partial<Record<EquivalenceVerdict, EquivalenceVerdict>> = {
  'better by more than the margin': 'worse by more than the margin',
  'better, by less than the margin': 'worse, by less than the margin',
  better: 'worse',
  'worse by more than the margin': 'better by more than the margin',
  'worse, by less than the margin': 'better, by less than the margin',
  worse: 'better',
  'not worse': 'not better',
  'not better': 'not worse',
}

/** The same of B and A. */
export function flipEquivalence<Own extends Equivalence>({ low, high, verdict, ...rest }: Own) {
  return { ...rest, low: 0 - high, high: 0 - low, verdict: OTHER_SIDE[verdict] ?? verdict }
}

/** The skewness of the mean, with the small-sample factor √(G(G−1))/(G−2) of the usual estimate; by clusters. */
export function skewnessOfMean(
  { differences, weights, clusters }: DifferenceSample,
  moments: Pick<DifferenceMoments, 'n' | 'mean' | 'effectiveClusters'>,
): number {
  const relative = relativeWeights(moments.n, weights)
  const { indices, count } = indexClusters(moments.n, clusters)
  const sums = new Float64Array(count)
  for (const [i, weight] of relative.entries()) sums[indices[i]!]! += weight * (differences[i]! - moments.mean)
  const squares = sums.reduce((sum, value) => sum + value ** 2, 0)
  const cubes = sums.reduce((sum, value) => sum + value ** 3, 0)
  const size = moments.effectiveClusters
  // Of two clusters the deviations are opposite: what is left of their cubes is rounding.
  if (Math.abs(cubes) <= sameScoreTolerance * squares ** 1.5) return 0
  const factor = size > 2 ? Math.sqrt(size * (size - 1)) / (size - 2) : Infinity
  return (factor * cubes) / squares ** 1.5
}

/** Half a case is added to each of the four cells (Agresti & Min, Statistics in Medicine 24, 2005), with Student's t. */
function agrestiMinInterval(
  { differences, weights }: DifferenceSample,
  { n, effectiveClusters, degreesOfFreedom }: DifferenceMoments,
  level: number,
): [number, number] {
  const relative = relativeWeights(n, weights)
  const total = relative.reduce((sum, weight) => sum + weight, 0)
  const shareOf = (isOne: (difference: number) => boolean) =>
    (relative.reduce((sum, weight, i) => sum + (isOne(differences[i]!) ? weight : 0), 0) / total) * effectiveClusters
  const size = effectiveClusters + 2
  const won = (shareOf((difference) => difference > sameScoreTolerance) + 0.5) / size
  const lost = (shareOf((difference) => difference < -sameScoreTolerance) + 0.5) / size
  const reach = -tQuantile((1 - level) / 2, degreesOfFreedom) * Math.sqrt((won + lost - (won - lost) ** 2) / size)
  return [won - lost - reach, won - lost + reach]
}

/**
 * The interval by which two models may be called practically the same. A plain interval of 90 % calls models the same up
 * to 16 % of the time when they differ by just the margin, because rare large differences are missing from the sample.
 * So this is the hull of the interval that is shown, of the unseen-mass bound if most differences are the same (0
 * included), of Hall's interval for a skewed mean, and for 0/1 scores of Agresti & Min's.
 */
export function carefulInterval(
  sample: DifferenceSample,
  moments: DifferenceMoments,
  { level, shown }: { level: number; shown: [number, number] },
): [number, number] {
  const { mean, stdErr, degreesOfFreedom, effectiveClusters, isBounded, isConstant, hasMajority } = moments
  const intervals = [shown]
  if (isBounded && hasMajority) intervals.push(boundUnseenDifferences(mean, effectiveClusters, level))
  if (!isConstant) {
    const skewness = FEW_HIDE_SKEWNESS * skewnessOfMean(sample, moments)
    const { low, high } = skewedInterval({ mean, stdErr, skewness, degreesOfFreedom, level })
    intervals.push([low, high])
  }
  if (sample.isPassFail) intervals.push(agrestiMinInterval(sample, moments, level))
  const [least, most] = isBounded ? [-1, 1] : [-Infinity, Infinity]
  return [
    Math.max(least, Math.min(...intervals.map(([low]) => low))),
    Math.min(most, Math.max(...intervals.map(([, high]) => high))),
  ]
}

/** The words for an interval of A − B: `isDecided` if one is better. */
export function judgeEquivalence(
  [low, high]: readonly [number, number],
  { mean, margin, isDecided }: { mean: number; margin: number; isDecided: boolean },
): EquivalenceVerdict {
  if (isDecided) {
    const word = mean > 0 ? 'better' : 'worse'
    const [near, far] = mean > 0 ? [low, high] : [-high, -low]
    if (near > margin) return `${word} by more than the margin`
    return far < margin ? `${word}, by less than the margin` : word
  }
  if (low > -margin && high < margin) return 'practically the same'
  if (low > -margin) return 'not worse'
  return high < margin ? 'not better' : 'too close to call'
}

/**
 * Whether two models are practically the same, from the differences A − B of their scores: within `margin` of each
 * other, by an interval that holds for all `pairs` compared together.
 */
export function testEquivalence(
  differences: readonly number[],
  {
    margin,
    pairs = 1,
    weights,
    clusters,
    isPassFail = false,
  }: { margin: number; pairs?: number } & Omit<DifferenceSample, 'differences'>,
): Equivalence {
  if (!(margin > 0 && Number.isFinite(margin)))
    throw new RangeError(`margin is ${margin}: it must be a number above 0 (5 points are 0.05).`)
  checkWhole(pairs, 1, 'pairs')
  const sample = { differences, weights, clusters, isPassFail }
  const moments = measureDifferences(differences, weights, clusters)
  if (moments.isBounded && margin > 1)
    throw new RangeError(`margin is ${margin}: scores are 0 to 1, so it must be at most 1 (5 points are 0.05).`)
  const alpha = 0.05 / pairs
  const isDecided = moments.clusters >= FEWEST_UNITS && findVerdictP(sample, moments).verdictP < alpha
  const { mean } = moments
  const shown = fitToVerdict(differenceInterval(moments, 1 - alpha), { mean, isDecided })
  const [low, high] = carefulInterval(sample, moments, { level: 1 - alpha, shown })
  return { low, high, verdict: judgeEquivalence([low, high], { mean, margin, isDecided }) }
}

/** The cases with which models that are the same are called so, 9 times in 10. */
export function casesForEquivalence({
  margin,
  stdDev,
  alpha = 0.05,
}: {
  margin: number
  stdDev: number
  alpha?: number
}): number {
  const critical = -normalQuantile(alpha / 2)
  return Math.ceil((((critical + normalQuantile(0.9)) * stdDev) / margin) ** 2 + critical ** 2 / 2)
}
