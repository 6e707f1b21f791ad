import { z } from 'zod'

/** How far a grade may be from the expected score, unless the sample sets its own tolerance. */
export const defaultTolerance = 0.1

/** Each sample is a paid request. */
export const maxCalibrationSamples = 500

/** A number that is too large was probably meant as points: refused instead of guessed. */
const shareSchema = z
  .number()
  .min(0)
  .max(1, {
    error: ({ input }) =>
      typeof input === 'number' && input <= 100
        ? `is ${input}: here scores are from 0 to 1; write ${Number((input / 100).toFixed(4))} for ${input} of 100`
        : `is ${String(input)}: here scores are from 0 to 1`,
  })

/** A user's own sample for calibrating a judge, as in files and requests. Scores are 0 to 1. */
export const calibrationSampleSchema = z.object({
  id: z.string().min(1).max(300),
  prompt: z.string(),
  response: z.string(),
  expectedOutput: z.string().optional(),
  context: z.string().optional(),
  expectedScore: shareSchema,
  tolerance: shareSchema.default(defaultTolerance),
  reason: z.string().optional(),
})
