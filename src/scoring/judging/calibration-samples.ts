import defaultSamples from './calibration-sets/default.json' with { type: 'json' }

/** A response whose fair score is known, to test a judge. Scores are 0 to 1. */
export interface CalibrationSample {
  id: string
  prompt: string
  response: string
  expectedOutput?: string
  /** For presets that compare the response with a context. */
  context?: string
  expectedScore: number
  tolerance: number
  /** Why the response deserves that score. */
  reason?: string
  /** What may mislead a judge here: `confident and wrong`, `terse but right`, … */
  trap?: string
}

/** Samples of one domain, with the score that each deserves and why. */
export interface CalibrationSet {
  /** As in `--samples facts`. */
  name: string
  /** Stored with each calibration; any change of a sample needs a new one. */
  version: string
  title: string
  summary: string
  samples: readonly (CalibrationSample & { reason: string })[]
}

/** Eight samples that any fair judge should agree on: factual, empty, irrelevant and explanatory answers. */
export const defaultCalibrationSamples: readonly CalibrationSample[] = defaultSamples
