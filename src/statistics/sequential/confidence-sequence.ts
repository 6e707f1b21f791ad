import { checkFraction, checkNumbers } from '../numbers/check-arguments.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'
import { checkDifference, logEvidenceAgainst } from './bets.ts'
import type { SequentialTestOptions } from './sequential-test.ts'

interface ConfidenceSequenceOptions extends SequentialTestOptions {
  /** One for each difference, as a share of the largest weight that any case could have: 0 to 1. Default: all 1. */
  weights?: readonly number[] | undefined
}

/** Each halves the error: 2⁻¹⁵ is less than a hundredth of a point. */
const STEPS = 16

interface Edge {
  inside: number
  outside: number
}

/** Returns a function that halves the distance between a mean that stays and a bound beyond which none can lie. */
function createEdgeFinder(
  differences: readonly number[],
  { alpha = 0.05, weights }: ConfidenceSequenceOptions,
): (bound: number) => Edge {
  checkFraction(alpha, 'alpha')
  checkNumbers(differences, 'differences')
  for (const difference of differences) checkDifference(difference)
  const line = -Math.log(alpha)
  const { mean: observed } = weightedMoments(differences, weights)
  return (bound) => {
    const edge: Edge = { inside: observed, outside: bound }
    for (let step = 0; step < STEPS; step++) {
      const middle = (edge.inside + edge.outside) / 2
      if (logEvidenceAgainst(middle, differences, weights) < line) edge.inside = middle
      else edge.outside = middle
    }
    return edge
  }
}

/**
 * An interval of the (weighted) mean difference that holds at every moment at once, so also when the test stopped because of what
 * it saw: all means against which the bets of `sequentialTest` have not reached 1/alpha.
 */
export function confidenceSequence(
  differences: readonly number[],
  options: ConfidenceSequenceOptions = {},
): { low: number; high: number } {
  const findEdge = createEdgeFinder(differences, options)
  return { low: findEdge(-1).outside, high: findEdge(1).outside }
}

/** The end next to 0 of a `confidenceSequence` of differences that are decided at the same alpha. Never 0 itself. */
export function findEdgeNextToZero(differences: readonly number[], options: ConfidenceSequenceOptions): number {
  const { inside, outside } = createEdgeFinder(differences, options)(0)
  return outside === 0 ? inside : outside
}
