export type EffectSizeWord = 'negligible' | 'small' | 'medium' | 'large'

/**
 * The word for a standardised difference, by Cohen's thresholds of 0.2, 0.5 and 0.8 (Statistical Power Analysis, 1988,
 * § 2.2.3). Undefined for NaN, for which "negligible" would be a claim without data.
 */
export function describeEffectSize(effectSize: number): EffectSizeWord | undefined {
  if (Number.isNaN(effectSize)) return undefined
  const size = Math.abs(effectSize)
  if (size < 0.2) return 'negligible'
  if (size < 0.5) return 'small'
  return size <= 0.8 ? 'medium' : 'large'
}
