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

/**
 * An interval of the (weighted) mean difference that holds at every moment at once, so also when the test stopped because of what
 * it saw: all means against which the bets of `sequentialTest` have not reached 1/alpha.
 */
export function confidenceSequence(
  differences: readonly number[],
  { alpha = 0.05, weights }: ConfidenceSequenceOptions = {},
): { low: number; high: number } {
  checkFraction(alpha, 'alpha')
  checkNumbers(differences, 'differences')
  for (const difference of differences) checkDifference(difference)
  const line = -Math.log(alpha)
  const { mean: observed } = weightedMoments(differences, weights)
  /** Halves the distance between a mean that stays and the bound beyond which none can lie. */
  const findEdge = (bound: number) => {
    let inside = observed
    let outside = bound
    for (let step = 0; step < STEPS; step++) {
      const middle = (inside + outside) / 2
      if (logEvidenceAgainst(middle, differences, weights) < line) inside = middle
      else outside = middle
    }
    return outside
  }
  return { low: findEdge(-1), high: findEdge(1) }
}
