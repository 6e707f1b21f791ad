import type { AgainstReference, Reference } from '../../../model/verdict/reference.ts'
import { describeInterval, formatCount, formatMargin } from '../../numbers.ts'

/** Other intervals of a report hold for all of its pairs, of which those with the reference are some. */
function describeTogether(pairs: number, model: string): string {
  if (pairs < 2) return ''
  return ` for ${pairs === 2 ? 'both' : `all ${formatCount(pairs)}`} comparisons with ${model} together`
}

/** `b is not worse than a by 2 points or more: the difference is −1.4 to 3.8 points (95 % CI)` */
export function describeAgainstReference(
  { modelId, interval, pairs, isNotWorse }: AgainstReference,
  { model, margin }: Reference,
): string {
  if (!interval) return `${modelId} shares no scored case with ${model}`
  const may = isNotWorse ? 'is not' : 'may be'
  return `${modelId} ${may} worse than ${model} by ${formatMargin(margin)} or more: the difference is ${describeInterval(interval)} points (95 % CI${describeTogether(pairs, model)})`
}
