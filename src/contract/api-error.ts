import { z } from 'zod'

/** What is wrong with one field, for forms. */
const problemSchema = z.object({
  /** `testCases[2].weight` as a list: ['testCases', 2, 'weight']. */
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
})

/** What the server replies when it refuses a request. */
export const apiErrorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), problems: z.array(problemSchema).optional() }),
})

export type Problem = z.infer<typeof problemSchema>
export type ApiError = z.infer<typeof apiErrorSchema>
