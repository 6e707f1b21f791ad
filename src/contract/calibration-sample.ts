import { z } from 'zod'

/** How far a grade may be from what a person or a sample's author expects, unless the sample says otherwise. */
export const defaultTolerance = 0.1

/** A sample of one's own for the calibration of a judge, as files and requests hold it. Scores are 0 to 1. */
export const calibrationSampleSchema = z.object({
  id: z.string().min(1).max(300),
  prompt: z.string(),
  response: z.string(),
  expectedOutput: z.string().optional(),
  expectedScore: z.number().min(0).max(1),
  tolerance: z.number().min(0).max(1).default(defaultTolerance),
})
