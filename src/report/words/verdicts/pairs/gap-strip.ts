import type { VerdictGap } from '../../../model/verdict/verdict-gap.ts'
import { describeInterval, formatCount, formatDifference, formatMargin, formatScore } from '../../numbers.ts'

/** The band around 0. */
export const SAME_BAND = 'practically the same'

/** `+1.3 to +9.9` */
export function formatGapInterval({ low, high }: Pick<VerdictGap, 'low' | 'high'>): string {
  return `${formatDifference(low)} to ${formatDifference(high)}`
}

/** Beside the first line of a forecast. */
export function nameForecast(cases: number, isNow: boolean): string {
  return `${isNow ? 'Now: ' : ''}${formatCount(cases, 'case')}`
}

/** The drawing in words, for those who do not see it. */
export function describeGapStrip({ ahead, behind, mean, low, high, margin }: VerdictGap): string {
  const band = margin === undefined ? '' : `; practically the same within ${formatMargin(margin)}`
  return `${ahead} minus ${behind}: ${formatScore(mean)} points, 95 % CI ${describeInterval({ low, high })}${band}`
}

/** Under the verdict, what its drawing shows. */
export function explainForecast({ margin }: VerdictGap): string {
  const band = margin === undefined ? '' : ` Band: ${SAME_BAND} (±${formatMargin(margin).replace(/ points?$/, '')}).`
  return `Lines: 95 % CI.${band}`
}
