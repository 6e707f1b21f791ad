import { z } from 'zod'

/** `points`: 0 to 100, stored as 0 to 1. `pass-fail`: 1 or 0. */
export const ratingScaleSchema = z.enum(['points', 'pass-fail'])
export type RatingScale = z.infer<typeof ratingScaleSchema>

/** Answers drawn at random for people to rate, and how they were drawn. */
export const ratingQueueSchema = z.object({
  id: z.string().min(1),
  runIds: z.array(z.string().min(1)).min(1),
  scale: ratingScaleSchema,
  /** The draw can be repeated from it. */
  seed: z.string(),
  /** Milliseconds since 1970. */
  drawnAt: z.number(),
  /** How many of the first items everyone rates; the others are rated by one person each. Absent: everyone rates all. */
  shared: z.number().int().min(0).optional(),
  /** Every drawn case is rated for all models, so that their differences can be corrected too. */
  sameCases: z.literal(true).optional(),
  /** For each model, how many cases it had to draw from, with how many answers, and how many cases were drawn. */
  strata: z.array(
    z.object({ modelId: z.string(), cases: z.number().int(), answers: z.number().int(), drawn: z.number().int() }),
  ),
  /** In the order in which they are rated; `position` counts from 1. */
  items: z.array(
    z.object({ position: z.number().int().min(1), runId: z.string(), testCaseId: z.string(), modelId: z.string() }),
  ),
})

export type RatingQueue = z.infer<typeof ratingQueueSchema>
export type RatingItem = RatingQueue['items'][number]

/** Names are compared without regard to case and outer blanks. */
export const raterSchema = z
  .string()
  .transform((name) => name.normalize('NFC').trim().replaceAll(/\s+/g, ' '))
  .pipe(z.string().min(1, 'needs a name').max(80, 'is longer than 80 characters'))
