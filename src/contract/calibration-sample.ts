import { z } from 'zod'

/** How far a grade may be from the expected score, unless the sample sets its own tolerance. */
export const defaultTolerance = 0.1

/** Each sample is a paid request. */
export const maxCalibrationSamples = 500

/** A user's own sample for calibrating a judge, as in files and requests. Scores are 0 to 1. */
export const calibrationSampleSchema = z.object({
  id: z.string().min(1).max(300),
  prompt: z.string(),
  response: z.string(),
  expectedOutput: z.string().optional(),
  expectedScore: z.number().min(0).max(1),
  tolerance: z.number().min(0).max(1).default(defaultTolerance),
})
