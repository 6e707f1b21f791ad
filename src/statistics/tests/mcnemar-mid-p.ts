import { checkWhole } from '../numbers/check-arguments.ts'
import { logGamma } from '../numbers/distributions.ts'

/**
 * The two-sided mid-p of McNemar's exact test: of the cases on which two models differ, `wins` went one way and `losses`
 * the other. Twice the binomial tail below the smaller count plus the probability of that count itself (Fagerland,
 * Lydersen & Laake, BMC Medical Research Methodology 13, 2013). 1 if no case differs.
 */
export function mcnemarMidP(wins: number, losses: number): number {
  checkWhole(wins, 0, 'wins')
  checkWhole(losses, 0, 'losses')
  const trials = wins + losses
  if (trials === 0) return 1
  const smaller = Math.min(wins, losses)
  const logHalves = trials * Math.LN2
  const chance = (count: number) =>
    Math.exp(logGamma(trials + 1) - logGamma(count + 1) - logGamma(trials - count + 1) - logHalves)
  let below = 0
  for (let count = 0; count < smaller; count++) below += chance(count)
  return Math.min(1, 2 * below + chance(smaller))
}
