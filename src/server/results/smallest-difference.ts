import { z } from 'zod'

/** `?smallestDifference=5`: the difference that does not matter, in points; 0 to 1 internally. Empty means that of the runs. */
export const smallestDifferenceSchema = z
  .string()
  .optional()
  .transform((text, context): number | undefined => {
    if (text === undefined || text.trim() === '') return undefined
    const points = Number(text)
    if (points >= 0.1 && points <= 100) return points / 100
    context.addIssue('must be 0.1 to 100 points')
    return z.NEVER
  })
