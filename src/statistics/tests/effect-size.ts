export type EffectSizeWord = 'negligible' | 'small' | 'medium' | 'large'

/**
 * The word for a standardised difference, by the marks 0.2, 0.5 and 0.8 of Cohen (Statistical Power Analysis, 1988,
 * § 2.2.3); undefined for NaN, because "negligible" would then be a claim without data.
 */
export function describeEffectSize(effectSize: number): EffectSizeWord | undefined {
  if (Number.isNaN(effectSize)) return undefined
  const size = Math.abs(effectSize)
  if (size < 0.2) return 'negligible'
  if (size < 0.5) return 'small'
  return size <= 0.8 ? 'medium' : 'large'
}
