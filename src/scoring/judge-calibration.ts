import { InputError, ScoringError, type CallModel, writeNumber, writePoints } from '../contract/index.ts'
import { pearsonCorrelation } from '../statistics/agreement/pearson-correlation.ts'
import { calibrationIntervals, meanOf, type CalibrationIntervals, type GradedSample } from '../statistics/index.ts'
import { defaultCalibrationSamples, type CalibrationSample } from './judging/calibration-samples.ts'
import { findPreset } from './judging/judge-presets.ts'
import { promptVersionOf } from './judging/judge-prompts.ts'
import {
  measureCertainty,
  rateFigures,
  ROUNDING_ALLOWANCE,
  type CalibrationCertainty,
  type CalibrationRating,
} from './judging/rate-calibration.ts'
import { gradeByJudge, findPresetProblem } from './llm-judge.ts'

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
  /** The version of the judge's prompt, as runs store it: a rating holds for one prompt. */
  promptVersion?: string
  /** 95 % intervals of the figures. */
  intervals?: CalibrationIntervals
  /** How sure the rating is; absent if the judge is not calibrated. */
  certainty?: CalibrationCertainty
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
  /** `not calibrated`: too many samples have no readable grade. */
  rating: CalibrationRating | typeof NOT_CALIBRATED
  summary: string
  advice: string
  /** How sure the rating is, in a sentence. */
  certainty: string
}

export const NOT_CALIBRATED = 'not calibrated'

/**
 * A judge that graded fewer of the samples is not rated. With this share, failures alone cannot make it worse than
 * good.
 */
const LEAST_GRADED = 0.75

/** With more samples than this, a rating is unsure because the judge is close to a limit. */
const FEW_SAMPLES = 100

const ADVICE = {
  excellent: 'You can rely on its grades; a single run of judged cases is enough.',
  good: 'Its grades are usable; run judged cases 3 to 5 times and check large differences yourself.',
  fair: 'Use it for large differences only; add a second judge, or cases with deterministic scoring.',
  poor: 'Do not rely on its grades: choose another judge, or extend the judge prompt and calibrate again.',
}

const UNSURE_ADVICE = 'Calibrate it on more samples before you rely on its grades.'

function checkSamples(samples: readonly CalibrationSample[], preset: string | undefined): void {
  if (samples.length === 0) throw new InputError('calibration needs at least one sample')
  for (const { id, expectedScore, tolerance, context } of samples) {
    if (!(expectedScore >= 0 && expectedScore <= 1))
      throw new InputError(`calibration sample ${id}: expectedScore is ${expectedScore}; it must be 0 to 1`)
    if (!(tolerance >= 0 && tolerance <= 1))
      throw new InputError(`calibration sample ${id}: tolerance is ${tolerance}; it must be 0 to 1`)
    const problem = findPresetProblem({ preset, context })
    if (problem !== undefined) throw new InputError(`calibration sample ${id}: ${problem}`)
  }
}

export function summariseCalibration(samples: readonly CalibrationSampleResult[]): CalibrationSummary {
  const graded = samples.filter(
    (sample): sample is CalibrationSampleResult & { actualScore: number; error: number } => sample.error !== undefined,
  )
  const errors = graded.map(({ error }) => error)
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
    meanAbsoluteError: meanOf(errors.map(Math.abs)),
    maxError: errors.length === 0 ? Number.NaN : Math.max(...errors.map(Math.abs)),
    bias: meanOf(errors),
    correlation: Number.isNaN(correlation) ? 0 : correlation,
  }
}

function toGraded({ expectedScore, actualScore, withinTolerance }: CalibrationSampleResult): GradedSample {
  return { expected: expectedScore, actual: actualScore, isWithin: withinTolerance }
}

/** True if the judge failed to grade too many samples; one whose samples were not kept was rated when it was made. */
function hasFailed({ samples, summary }: Pick<CalibrationResult, 'samples' | 'summary'>): boolean {
  const graded = samples.filter(({ actualScore }) => actualScore !== undefined).length
  return Number.isNaN(summary.meanAbsoluteError) || graded < LEAST_GRADED * samples.length
}

/** True if all samples expect the same score: then even a perfect judge has no correlation with it. */
function isOneSided({ samples }: Pick<CalibrationResult, 'samples'>): boolean {
  return samples.length > 0 && samples.every(({ expectedScore }) => expectedScore === samples[0]!.expectedScore)
}

/** Adds the figures and how sure they are to the grades; `certainty` if it is known already, because it takes time. */
export function measureCalibration(
  samples: CalibrationSampleResult[],
  certainty?: CalibrationCertainty,
): Pick<CalibrationResult, 'samples' | 'summary' | 'intervals' | 'certainty'> {
  const summary = summariseCalibration(samples)
  const graded = samples.map(toGraded)
  return {
    samples,
    summary,
    intervals: calibrationIntervals(graded),
    ...(!hasFailed({ samples, summary }) &&
      !isOneSided({ samples }) && {
        certainty: certainty ?? measureCertainty(rateFigures(summary), graded),
      }),
  }
}

export interface CalibrationTools {
  callModel: CallModel
  now: () => number
  random: () => number
}

/** What the judge is told. */
export interface CalibrationPrompt {
  /** A judge preset, whose criteria the judge grades by. */
  preset?: string | undefined
}

async function gradeSample(
  { id: sampleId, expectedScore, tolerance, ...sample }: CalibrationSample,
  judgeModelId: string,
  { preset, ...tools }: CalibrationTools & CalibrationPrompt,
): Promise<CalibrationSampleResult> {
  try {
    const { score: actualScore, reasoning } = await gradeByJudge({ ...sample, preset }, judgeModelId, tools)
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
  { preset }: CalibrationPrompt = {},
): Promise<CalibrationResult> {
  checkSamples(samples, preset)
  const results = await Promise.all(samples.map((sample) => gradeSample(sample, judgeModelId, { ...tools, preset })))
  return {
    judgeModelId,
    timestamp: tools.now(),
    promptVersion: promptVersionOf(findPreset(preset)),
    ...measureCalibration(results),
  }
}

function describeBias(bias: number): string {
  if (Math.abs(bias) < 0.02) return 'no notable bias'
  return `${bias > 0 ? 'too lenient' : 'too strict'} by ${writePoints(Math.abs(bias))} on average`
}

function countWithoutGrade(samples: readonly CalibrationSampleResult[]): number {
  return samples.filter(({ unscored }) => unscored).length
}

/** `excellent on these 24 samples; with so few it could be good.` */
function describeCertainty(rating: CalibrationRating, { samples, certainty }: CalibrationResult): string {
  if (!certainty) return ''
  const start = `${rating.charAt(0).toUpperCase()}${rating.slice(1)} on these ${samples.length}`
  if (certainty.isSure) return `${start}; more samples of the kind would hardly change that.`
  const others = certainty.couldBe
  const named = others.length > 1 ? `${others.slice(0, -1).join(', ')} or ${others.at(-1)}` : others[0]
  return samples.length < FEW_SAMPLES
    ? `${start}; with so few it could be ${named}.`
    : `${start}; it is close to the limit and could be ${named}.`
}

/** The advice for the worst rating that is not unlikely. */
function advise(rating: CalibrationRating, { certainty }: CalibrationResult): string {
  const isGood = rating === 'excellent' || rating === 'good'
  const couldBeWorse = certainty?.couldBe.some(
    (other) => other === 'poor' || other === 'fair' || rating === 'excellent',
  )
  return isGood && couldBeWorse ? UNSURE_ADVICE : ADVICE[rating]
}

function interpretFailed({ judgeModelId, samples, summary }: CalibrationResult): CalibrationInterpretation {
  const missing = countWithoutGrade(samples)
  const firstFailure = samples.find(({ unscored }) => unscored)?.unscored?.message
  return {
    rating: NOT_CALIBRATED,
    summary: `${judgeModelId} is not calibrated: ${missing} of ${summary.totalSamples} samples have no readable grade${firstFailure === undefined ? '' : `; the first: ${firstFailure}`}.`,
    advice: 'Find out why it does not answer (key, address, model name, limits), then calibrate again.',
    certainty: 'That says nothing about how well it grades.',
  }
}

function interpretOneSided({ judgeModelId, samples, summary }: CalibrationResult): CalibrationInterpretation {
  const { passedSamples, totalSamples, meanAbsoluteError } = summary
  const cause = samples.length === 1 ? 'there is one sample' : 'all samples expect the same score'
  return {
    rating: 'poor',
    summary: `${judgeModelId} is rated poor because ${cause}: nothing shows whether it tells good answers from bad ones. ${passedSamples} of ${totalSamples} within tolerance, mean error ${writePoints(meanAbsoluteError)}.`,
    advice: 'Calibrate it on samples that expect different scores: good, middling and bad answers.',
    certainty: '',
  }
}

/** Rates by the first row of the table that the judge meets in full, else `poor`; says how sure that is. */
export function interpretCalibrationResult(result: CalibrationResult): CalibrationInterpretation {
  const { judgeModelId, samples, summary } = result
  const { passedSamples, totalSamples, meanAbsoluteError, bias, correlation } = summary
  if (hasFailed(result)) return interpretFailed(result)
  if (isOneSided(result)) return interpretOneSided(result)
  const rating = rateFigures(summary)
  const missing = countWithoutGrade(samples)
  const errors = `mean error ${writePoints(meanAbsoluteError)}, ${describeBias(bias)}`
  return {
    rating,
    summary: `${judgeModelId} is ${rating}: ${passedSamples} of ${totalSamples} samples within tolerance, ${errors}, correlation ${writeNumber(correlation, 2)}${
      missing > 0 ? `; ${missing} without a readable grade` : ''
    }.`,
    advice: advise(rating, result),
    certainty: describeCertainty(rating, result),
  }
}
