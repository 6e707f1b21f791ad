import { clopperPearsonInterval } from './intervals/clopper-pearson.ts'
import { checkSameLength } from './numbers/check-arguments.ts'

export interface FlipCount {
  count: number
  /** The share of all cases. */
  rate: number
  /** Its exact 95 % interval. */
  interval: [low: number, high: number]
}

export interface Flips {
  /** Passed before, failed after. */
  harmful: FlipCount
  /** Failed before, passed after. */
  helpful: FlipCount
  /** Both together: what the change moved, even where the mean stays. */
  churn: FlipCount
}

/** The cases whose outcome changed, in either direction, with Clopper-Pearson intervals of their shares. */
export function countFlips(before: readonly boolean[], after: readonly boolean[]): Flips {
  checkSameLength(before, after, 'before and after')
  if (before.length === 0) throw new RangeError('before is empty: at least one case is needed.')
  const countOf = (isCounted: (passedBefore: boolean, passedAfter: boolean) => boolean): FlipCount => {
    const count = before.filter((passed, index) => isCounted(passed, after[index]!)).length
    const { low, high } = clopperPearsonInterval(count, before.length)
    return { count, rate: count / before.length, interval: [low, high] }
  }
  return {
    harmful: countOf((passedBefore, passedAfter) => passedBefore && !passedAfter),
    helpful: countOf((passedBefore, passedAfter) => !passedBefore && passedAfter),
    churn: countOf((passedBefore, passedAfter) => passedBefore !== passedAfter),
  }
}
