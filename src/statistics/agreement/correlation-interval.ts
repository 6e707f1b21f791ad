import { normalQuantile } from '../numbers/distributions.ts'
import { findMajorityValue } from '../numbers/weighted-moments.ts'
import { relativeWeights } from '../numbers/relative-weights.ts'
import { pearsonCorrelation } from './pearson-correlation.ts'

export interface CorrelationInterval {
  low: number
  high: number
  /** `undetermined`: fewer than four pairs, or either side is constant; every correlation is possible. */
  method: 'fisher-z' | 'fisher-z-and-unseen-mass' | 'undetermined'
}

/** Fisher's z has the standard error 1/√(n − 3). */
const FEWEST_PAIRS = 4

/**
 * The 95 % interval of Pearson's r by Fisher's z transformation (Fisher, 1921): tanh(atanh r ± z/√(n − 3)).
 *
 * If more than half of the differences y − x are the same, the sample may have missed the pairs that differ, as in
 * `caseInterval`: if a share u = 1 − 0.05^(1/n) of all pairs were unrelated, the correlation would be r(1 − u), and
 * the interval reaches that far.
 */
export function correlationInterval(x: ArrayLike<number>, y: ArrayLike<number>): CorrelationInterval {
  const r = pearsonCorrelation(x, y)
  const n = x.length
  if (n < FEWEST_PAIRS || Number.isNaN(r)) return { low: -1, high: 1, method: 'undetermined' }
  const reach = normalQuantile(0.975) / Math.sqrt(n - 3)
  const [low, high] = [Math.tanh(Math.atanh(r) - reach), Math.tanh(Math.atanh(r) + reach)]
  const differences = Array.from({ length: n }, (_, index) => y[index]! - x[index]!)
  if (findMajorityValue(differences, relativeWeights(n)) === undefined) return { low, high, method: 'fisher-z' }
  const related = r * 0.05 ** (1 / n)
  return { low: Math.min(low, related), high: Math.max(high, related), method: 'fisher-z-and-unseen-mass' }
}
