import { checkFraction, checkNumbers } from '../numbers/check-arguments.ts'
import { createBets } from './bets.ts'
import type { SequentialTestOptions } from './sequential-test.ts'

/** Each halves the error: 2⁻²⁰ is a ten-thousandth of a point. */
const STEPS = 20

function logEvidenceAgainst(mean: number, differences: readonly number[]): number {
  const bets = createBets(mean)
  for (const difference of differences) bets.add(difference)
  return bets.logEvidence()
}

/**
 * An interval of the mean difference that holds at every moment at once, so also when the test stopped because of what
 * it saw: all means against which the bets of `sequentialTest` have not reached 1/alpha.
 */
export function confidenceSequence(
  differences: readonly number[],
  { alpha = 0.05 }: SequentialTestOptions = {},
): { low: number; high: number } {
  checkFraction(alpha, 'alpha')
  checkNumbers(differences, 'differences')
  const line = -Math.log(alpha)
  const observed = differences.reduce((sum, difference) => sum + difference, 0) / differences.length
  /** Halves the distance between a mean that stays and the bound beyond which none can lie. */
  const findEdge = (bound: number) => {
    let inside = observed
    let outside = bound
    for (let step = 0; step < STEPS; step++) {
      const middle = (inside + outside) / 2
      if (logEvidenceAgainst(middle, differences) < line) inside = middle
      else outside = middle
    }
    return outside
  }
  return { low: findEdge(-1), high: findEdge(1) }
}
