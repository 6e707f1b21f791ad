import type { AgainstReference, Reference } from '../../../model/verdict/reference.ts'
import { describeInterval, formatMargin } from '../../numbers.ts'

/** `b is not worse than a by 2 points or more: the difference is −1.4 to 3.8 points (95 % CI)` */
export function describeAgainstReference(
  { modelId, interval, isNotWorse }: AgainstReference,
  { model, margin }: Reference,
): string {
  if (!interval) return `${modelId} shares no scored case with ${model}`
  const may = isNotWorse ? 'is not' : 'may be'
  return `${modelId} ${may} worse than ${model} by ${formatMargin(margin)} or more: the difference is ${describeInterval(interval)} points (95 % CI)`
}
