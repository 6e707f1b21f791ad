type Coefficient = 'alpha' | 'icc' | 'kappa'

/** From which value on each word applies; below the last, `otherwise`. */
const scales: Record<Coefficient, { steps: readonly [from: number, word: string][]; otherwise: string }> = {
  // Krippendorff, Content Analysis (2004), p. 241.
  alpha: {
    steps: [
      [0.8, 'reliable'],
      [0.667, 'tentative'],
    ],
    otherwise: 'unreliable',
  },
  // Koo and Li, A guideline of selecting and reporting ICC (2016).
  icc: {
    steps: [
      [0.9, 'excellent'],
      [0.75, 'good'],
      [0.5, 'moderate'],
    ],
    otherwise: 'poor',
  },
  // Landis and Koch, The measurement of observer agreement (1977).
  kappa: {
    steps: [
      [0.81, 'almost perfect'],
      [0.61, 'substantial'],
      [0.41, 'moderate'],
      [0.21, 'fair'],
      [0, 'slight'],
    ],
    otherwise: 'poor',
  },
}

/** The word that the literature has for an agreement coefficient; undefined if it could not be computed. */
export function wordAgreement(coefficient: Coefficient, value: number | null | undefined): string | undefined {
  // NaN is null in JSON.
  if (value === null || value === undefined || Number.isNaN(value)) return undefined
  const { steps, otherwise } = scales[coefficient]
  return steps.find(([from]) => value >= from)?.[1] ?? otherwise
}
