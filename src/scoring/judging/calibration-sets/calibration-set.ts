import type { CalibrationSample } from '../calibration-samples.ts'

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
