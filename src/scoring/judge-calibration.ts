import { InputError, ScoringError, type AskModel } from '../contract/index.ts'
import { pearsonCorrelation } from '../statistics/agreement/pearson-correlation.ts'
import { defaultCalibrationSamples, type CalibrationSample } from './judging/calibration-samples.ts'
import { askJudge } from './llm-judge.ts'

export interface CalibrationSampleResult {
  sampleId: string
  expectedScore: number
  /** Absent if the judge's grade was unreadable. */
  actualScore?: number
  /** actualScore − expectedScore: positive if the judge is too lenient. */
  error?: number
  withinTolerance: boolean
  reasoning?: string
  unscored?: { code: string; message: string }
}

/** How a judge graded samples whose fair score is known. Scores, rates and errors are 0 to 1. */
export interface CalibrationResult {
  judgeModelId: string
  timestamp: number
  samples: CalibrationSampleResult[]
  summary: CalibrationSummary
}

export interface CalibrationSummary {
  totalSamples: number
  passedSamples: number
  passRate: number
  meanAbsoluteError: number
  maxError: number
  /** Positive if the judge scores too high. */
  bias: number
  /** Pearson; 0 for a judge that always gives the same score. */
  correlation: number
}

export interface CalibrationInterpretation {
  rating: 'excellent' | 'good' | 'fair' | 'poor'
  summary: string
  advice: string
}

/** In floating point 1 − 0.85 is slightly more than 0.15, yet must be within a tolerance of 0.15. */
const ROUNDING_ALLOWANCE = 1e-9

const RATINGS = [
  { rating: 'excellent', passRate: 0.9, meanAbsoluteError: 0.1, correlation: 0.9 },
  { rating: 'good', passRate: 0.75, meanAbsoluteError: 0.15, correlation: 0.8 },
  { rating: 'fair', passRate: 0.5, meanAbsoluteError: 0.25, correlation: 0.6 },
] as const

const ADVICE = {
  excellent: 'You can rely on its grades; a single run of judged cases is enough.',
  good: 'Its grades are usable; run judged cases 3 to 5 times and check large differences yourself.',
  fair: 'Use it for large differences only; add a second judge, or cases with deterministic scoring.',
  poor: 'Do not rely on its grades: choose another judge, or extend the judge prompt and calibrate again.',
}

function checkSamples(samples: readonly CalibrationSample[]): void {
  if (samples.length === 0) throw new InputError('calibration needs at least one sample')
  for (const { id, expectedScore, tolerance } of samples) {
    if (!(expectedScore >= 0 && expectedScore <= 1))
      throw new InputError(`calibration sample ${id}: expectedScore is ${expectedScore}; it must be 0 to 1`)
    if (!(tolerance >= 0 && tolerance <= 1))
      throw new InputError(`calibration sample ${id}: tolerance is ${tolerance}; it must be 0 to 1`)
  }
}

export function summariseCalibration(samples: readonly CalibrationSampleResult[]): CalibrationSummary {
  const graded = samples.filter(
    (sample): sample is CalibrationSampleResult & { actualScore: number; error: number } => sample.error !== undefined,
  )
  const errors = graded.map(({ error }) => error)
  const mean = (values: number[]) =>
    values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length
  const correlation =
    graded.length < 2
      ? 0
      : pearsonCorrelation(
          graded.map(({ expectedScore }) => expectedScore),
          graded.map(({ actualScore }) => actualScore),
        )
  const passedSamples = samples.filter(({ withinTolerance }) => withinTolerance).length
  return {
    totalSamples: samples.length,
    passedSamples,
    passRate: passedSamples / samples.length,
    meanAbsoluteError: mean(errors.map(Math.abs)),
    maxError: errors.length === 0 ? Number.NaN : Math.max(...errors.map(Math.abs)),
    bias: mean(errors),
    correlation: Number.isNaN(correlation) ? 0 : correlation,
  }
}

export interface CalibrationTools {
  ask: AskModel
  now: () => number
  random: () => number
}

async function gradeSample(
  sample: CalibrationSample,
  judgeModelId: string,
  tools: CalibrationTools,
): Promise<CalibrationSampleResult> {
  const { id: sampleId, expectedScore, tolerance } = sample
  try {
    const { score: actualScore, reasoning } = await askJudge(sample, judgeModelId, tools)
    const error = actualScore - expectedScore
    return {
      sampleId,
      expectedScore,
      actualScore,
      error,
      withinTolerance: Math.abs(error) <= tolerance + ROUNDING_ALLOWANCE,
      reasoning,
    }
  } catch (error) {
    if (!(error instanceof ScoringError)) throw error
    return { sampleId, expectedScore, withinTolerance: false, unscored: { code: error.code, message: error.message } }
  }
}

/** Has the judge grade every sample, even the empty one, and measures how far off its grades are. */
export async function calibrate(
  judgeModelId: string,
  tools: CalibrationTools,
  samples: readonly CalibrationSample[] = defaultCalibrationSamples,
): Promise<CalibrationResult> {
  checkSamples(samples)
  const results = await Promise.all(samples.map((sample) => gradeSample(sample, judgeModelId, tools)))
  return { judgeModelId, timestamp: tools.now(), samples: results, summary: summariseCalibration(results) }
}

function describeBias(bias: number): string {
  if (Math.abs(bias) < 0.02) return 'no notable bias'
  return `${bias > 0 ? 'too lenient' : 'too strict'} by ${(Math.abs(bias) * 100).toFixed(1)} points on average`
}

/** Rates by the first row of the table that the judge meets in full, else `poor`. */
export function interpretCalibrationResult({
  judgeModelId,
  samples,
  summary,
}: CalibrationResult): CalibrationInterpretation {
  const { passRate, passedSamples, totalSamples, meanAbsoluteError, bias, correlation } = summary
  const row = RATINGS.find(
    (limits) =>
      passRate >= limits.passRate - ROUNDING_ALLOWANCE &&
      meanAbsoluteError <= limits.meanAbsoluteError + ROUNDING_ALLOWANCE &&
      correlation >= limits.correlation - ROUNDING_ALLOWANCE,
  )
  const rating = row?.rating ?? 'poor'
  const unreadable = samples.filter(({ unscored }) => unscored).length
  const errors = Number.isNaN(meanAbsoluteError)
    ? 'no readable grade'
    : `mean error ${(meanAbsoluteError * 100).toFixed(1)} points, ${describeBias(bias)}`
  return {
    rating,
    summary: `${judgeModelId} is ${rating}: ${passedSamples} of ${totalSamples} samples within tolerance, ${errors}, correlation ${correlation.toFixed(2)}${
      unreadable > 0 ? `; ${unreadable} without a readable grade` : ''
    }.`,
    advice: ADVICE[rating],
  }
}
