import { createRandom, drawCalibrations, type CalibrationFigures, type GradedSample } from '../../statistics/index.ts'

/** How good a judge is, best first. */
export const calibrationRatings = ['excellent', 'good', 'fair', 'poor'] as const

export type CalibrationRating = (typeof calibrationRatings)[number]

/** How sure the rating is, given how few samples there were. */
export interface CalibrationCertainty {
  /** The probability of each rating over all samples of the kind; together 1. */
  probabilities: Record<CalibrationRating, number>
  /** The other ratings that are not unlikely, best first. */
  couldBe: CalibrationRating[]
  /** True if no other rating is likely. */
  isSure: boolean
}

/** In floating point 1 − 0.85 is slightly more than 0.15, yet must be within a tolerance of 0.15. */
export const ROUNDING_ALLOWANCE = 1e-9

/** What each rating demands; a judge that meets no row in full is `poor`. */
export const calibrationLimits = [
  { rating: 'excellent', passRate: 0.9, meanAbsoluteError: 0.1, correlation: 0.9 },
  { rating: 'good', passRate: 0.75, meanAbsoluteError: 0.15, correlation: 0.8 },
  { rating: 'fair', passRate: 0.5, meanAbsoluteError: 0.25, correlation: 0.6 },
] as const

const DRAWS = 2000
/** Ratings below this probability are not mentioned. */
const UNLIKELY = 0.05

/** The first row of the table that the judge meets in full, else `poor`. */
export function rateFigures({ passRate, meanAbsoluteError, correlation }: CalibrationFigures): CalibrationRating {
  const row = calibrationLimits.find(
    (limits) =>
      passRate >= limits.passRate - ROUNDING_ALLOWANCE &&
      meanAbsoluteError <= limits.meanAbsoluteError + ROUNDING_ALLOWANCE &&
      correlation >= limits.correlation - ROUNDING_ALLOWANCE,
  )
  return row?.rating ?? 'poor'
}

/** How sure a rating is: the share of draws from the Bayesian bootstrap that get each rating. */
export function measureCertainty(rating: CalibrationRating, samples: readonly GradedSample[]): CalibrationCertainty {
  const probabilities = { excellent: 0, good: 0, fair: 0, poor: 0 }
  const draws = drawCalibrations(samples, { draws: DRAWS, random: createRandom('calibration') })
  for (const figures of draws) probabilities[rateFigures(figures)] += 1 / DRAWS
  const couldBe = calibrationRatings.filter((other) => other !== rating && probabilities[other] >= UNLIKELY)
  return { probabilities, couldBe, isSure: couldBe.length === 0 }
}
