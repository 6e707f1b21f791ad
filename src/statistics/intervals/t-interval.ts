import { clamp } from '../../contract/index.ts'
import { checkAtLeast, checkFraction, checkNumbers } from '../numbers/check-arguments.ts'
import { tQuantile } from '../numbers/distributions.ts'
import type { Interval } from './interval.ts'

export interface TIntervalInput {
  mean: number
  stdErr: number
  degreesOfFreedom: number
  level?: number
  bounds?: [number, number]
}

/** Student's interval of a mean: mean ± t(1−α/2; df)·SE (Student, Biometrika 6, 1908), clipped to the bounds. */
export function tInterval({ mean, stdErr, degreesOfFreedom, level = 0.95, bounds }: TIntervalInput): Interval {
  checkNumbers([mean], 'mean')
  checkAtLeast(stdErr, 0, 'stdErr')
  checkFraction(level, 'level')
  if (!(degreesOfFreedom > 0)) throw new RangeError(`degreesOfFreedom is ${degreesOfFreedom}: it must be above 0.`)
  if (bounds && !(bounds[0] <= bounds[1])) {
    throw new RangeError(`bounds are ${bounds[0]} and ${bounds[1]}: the lower must come first.`)
  }
  const [least, most] = bounds ?? [-Infinity, Infinity]
  const reach = -tQuantile((1 - level) / 2, degreesOfFreedom) * stdErr
  return { low: clamp(mean - reach, least, most), high: clamp(mean + reach, least, most), method: 't' }
}
