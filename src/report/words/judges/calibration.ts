import type { CalibrationInterpretation, CalibrationResult } from '../../../scoring/judge-calibration.ts'
import { capitalise } from '../names.ts'
import { calibrationLimits, calibrationRatings } from '../../../scoring/judging/rate-calibration.ts'
import {
  describeInterval,
  formatCount,
  formatDifference,
  formatPercent,
  formatScore,
  formatScoreTick,
  formatStatistic,
} from '../numbers.ts'

/**
 * `Fair: right on 17 of 26 samples, 19.2 points off on average.`; what else was found if a grade could not be read or the
 * samples do not tell good from bad.
 */
export function describeCalibration(
  { summary, samples }: CalibrationResult,
  { rating, summary: found, certainty }: CalibrationInterpretation,
): string {
  if (certainty === '' || samples.some(({ unscored }) => unscored)) return found
  const { passedSamples, totalSamples, meanAbsoluteError } = summary
  return `${capitalise(rating)}: right on ${formatCount(passedSamples)} of ${formatCount(totalSamples, 'sample')}, ${formatScore(meanAbsoluteError)} points off on average.`
}

/** A figure of a calibration with its 95 % CI, which is blank if it has none. */
export interface CalibrationFigure {
  name: string
  value: string
  interval: string
  /** What each rating demands, in the order of `calibrationLimits`. */
  limits?: string[]
  remark?: string
}

function range(low: number, high: number, format: (value: number) => string): string {
  return `${format(low)} to ${format(high)}`
}

/** Every figure of a calibration. Scores and errors are in points of 100. */
export function listCalibrationFigures({ summary, intervals }: CalibrationResult): CalibrationFigure[] {
  const { passRate, meanAbsoluteError, correlation, bias, maxError } = summary
  const toTwo = (value: number) => formatStatistic(value, 2)
  return [
    {
      name: 'Within tolerance',
      value: formatPercent(passRate, 0),
      interval: intervals
        ? range(intervals.passRate.low, intervals.passRate.high, (share) => formatPercent(share, 0))
        : '',
      limits: calibrationLimits.map((limit) => `≥ ${formatPercent(limit.passRate, 0)}`),
    },
    {
      name: 'Mean absolute error',
      value: formatScore(meanAbsoluteError),
      interval: intervals?.meanAbsoluteError ? describeInterval(intervals.meanAbsoluteError) : '',
      limits: calibrationLimits.map((limit) => `≤ ${formatScoreTick(limit.meanAbsoluteError)}`),
    },
    {
      name: 'Correlation',
      value: toTwo(correlation),
      interval: intervals?.correlation ? range(intervals.correlation.low, intervals.correlation.high, toTwo) : '',
      limits: calibrationLimits.map((limit) => `≥ ${formatStatistic(limit.correlation, 1)}`),
    },
    {
      name: 'Bias',
      value: formatDifference(bias),
      interval: intervals?.bias ? range(intervals.bias.low, intervals.bias.high, formatDifference) : '',
      remark: 'above 0: too lenient',
    },
    { name: 'Largest error', value: formatScore(maxError), interval: '' },
  ]
}

/** `excellent 71 %, good 24 %, fair 5 %`; blank for a judge that is not calibrated. */
export function describeCertaintyFigures({ certainty }: CalibrationResult): string {
  if (!certainty) return ''
  const likely = calibrationRatings.filter((rating) => certainty.probabilities[rating] >= 0.005)
  return `Probability of each rating: ${likely.map((rating) => `${rating} ${formatPercent(certainty.probabilities[rating], 0)}`).join(', ')}.`
}

/** `good`, or `good (low confidence: only 8 samples)` if so few samples leave other ratings open. */
export function describeCalibrationRating(rating: string, { certainty, summary }: CalibrationResult): string {
  return (certainty?.couldBe ?? []).length === 0
    ? rating
    : `${rating} (low confidence: only ${formatCount(summary.totalSamples, 'sample')})`
}
