import type { Clusters } from './clusters/clustered-moments.ts'
import { caseInterval } from './intervals/case-interval.ts'
import { checkSameLength } from './numbers/check-arguments.ts'

export interface FlipCount {
  count: number
  /** The share of all cases. */
  rate: number
  /** Its 95 % interval. */
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

/**
 * The cases whose outcome changed, in either direction, with Clopper-Pearson intervals of their shares; with clusters, at
 * the number of independent cases that they are worth.
 */
export function countFlips(before: readonly boolean[], after: readonly boolean[], clusters?: Clusters): Flips {
  checkSameLength(before, after, 'before and after')
  for (const [name, passes] of Object.entries({ before, after })) {
    // What has no score has not failed.
    const odd = passes.findIndex((passed: unknown) => typeof passed !== 'boolean')
    if (odd >= 0) throw new RangeError(`${name}[${odd}] is ${String(passes[odd])}: it must be true or false.`)
  }
  if (before.length === 0) throw new RangeError('before is empty: at least one case is needed.')
  const countOf = (isCounted: (passedBefore: boolean, passedAfter: boolean) => boolean): FlipCount => {
    const counted = before.map((passed, index) => (isCounted(passed, after[index]!) ? 1 : 0))
    const count = counted.filter((one) => one === 1).length
    const { low, high } = caseInterval(counted, undefined, clusters)
    return { count, rate: count / before.length, interval: [low, high] }
  }
  return {
    harmful: countOf((passedBefore, passedAfter) => passedBefore && !passedAfter),
    helpful: countOf((passedBefore, passedAfter) => !passedBefore && passedAfter),
    churn: countOf((passedBefore, passedAfter) => passedBefore !== passedAfter),
  }
}
