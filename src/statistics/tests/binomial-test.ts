import { checkWhole } from '../numbers/check-arguments.ts'
import { logGamma } from '../numbers/distributions.ts'

export interface BinomialTestOptions {
  /** The chance of a success under the hypothesis. Default ½. */
  probability?: number
  /** `greater`: only more successes than expected speak against it. Default `two-sided`. */
  alternative?: 'two-sided' | 'greater'
}

/** Counts that are equally probable in exact arithmetic must count, however their probabilities round. */
const ROUNDING = 1 + 1e-7

/**
 * The p of the exact binomial test. Two-sided, it adds up all counts that are at most as probable as the observed one
 * (Conover, Practical Nonparametric Statistics, 1971, p. 97), like R's `binom.test`. 1 without trials.
 */
export function binomialTest(
  successes: number,
  trials: number,
  { probability = 0.5, alternative = 'two-sided' }: BinomialTestOptions = {},
): number {
  checkWhole(successes, 0, 'successes')
  checkWhole(trials, successes, 'trials')
  if (!(probability > 0 && probability < 1))
    throw new RangeError(`probability is ${probability}: it must be between 0 and 1.`)
  const chance = (count: number) =>
    Math.exp(
      logGamma(trials + 1) -
        logGamma(count + 1) -
        logGamma(trials - count + 1) +
        count * Math.log(probability) +
        (trials - count) * Math.log1p(-probability),
    )
  const observed = chance(successes) * ROUNDING
  let sum = 0
  for (let count = 0; count <= trials; count++) {
    if (alternative === 'greater' ? count >= successes : chance(count) <= observed) sum += chance(count)
  }
  return Math.min(1, sum)
}
