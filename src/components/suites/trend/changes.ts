import { describeTrendChange } from '../../../report/words/index.ts'
import type { TrendPoint } from '../../../statistics/index.ts'

/** A point where something changed, with the number that marks it. */
export interface NumberedChange {
  number: number
  /** Index of the point. */
  index: number
  text: string
}

export function numberChanges(points: readonly Pick<TrendPoint, 'changes'>[]): NumberedChange[] {
  return points
    .flatMap(({ changes }, index) => (changes.length === 0 ? [] : [{ index, changes }]))
    .map(({ index, changes }, position) => ({
      number: position + 1,
      index,
      text: changes.map(describeTrendChange).join('; '),
    }))
}
