import { checkAtLeast, checkFraction } from '../numbers/check-arguments.ts'
import { normalQuantile } from '../numbers/distributions.ts'

/**
 * The factor by which a sample standard deviation must be multiplied to be an upper bound of the true one:
 * √(df/χ²(1−level; df)) for normal data, with the quantile by Wilson & Hilferty (PNAS 17, 1931), whose error is below 1 %
 * from 3 degrees of freedom on.
 */
export function boundSpread(degreesOfFreedom: number, level = 0.8): number {
  checkAtLeast(degreesOfFreedom, 1, 'degreesOfFreedom')
  checkFraction(level, 'level')
  const variance = 2 / (9 * degreesOfFreedom)
  return (1 - variance + normalQuantile(1 - level) * Math.sqrt(variance)) ** -1.5
}
