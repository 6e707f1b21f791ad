import { checkWhole } from './numbers/check-arguments.ts'

/**
 * The probability that at least one of k trials drawn without replacement succeeds: 1 − C(n−c, k)/C(n, k) (Chen et al.,
 * Evaluating Large Language Models Trained on Code, 2021, eq. 1), as a product, because the binomials overflow.
 */
export function passAtK(trials: number, successes: number, k: number): number {
  checkCounts(trials, successes, k)
  if (trials - successes < k) return 1
  let noneSucceeds = 1
  for (let i = 0; i < k; i++) noneSucceeds *= (trials - successes - i) / (trials - i)
  return 1 - noneSucceeds
}

/** The probability that all of k trials drawn without replacement succeed: C(c, k)/C(n, k) (Yao et al., 2024). */
export function passHatK(trials: number, successes: number, k: number): number {
  checkCounts(trials, successes, k)
  if (successes < k) return 0
  let allSucceed = 1
  for (let i = 0; i < k; i++) allSucceed *= (successes - i) / (trials - i)
  return allSucceed
}

function checkCounts(trials: number, successes: number, k: number): void {
  checkWhole(trials, 1, 'trials')
  checkWhole(successes, 0, 'successes')
  checkWhole(k, 1, 'k')
  if (successes > trials) throw new RangeError(`successes is ${successes}, more than the ${trials} trials.`)
  if (k > trials) throw new RangeError(`k is ${k}, more than the ${trials} trials.`)
}
