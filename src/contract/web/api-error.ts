import { z } from 'zod'

/** A problem with one field, shown next to it in forms. */
const problemSchema = z.object({
  /** `testCases[2].weight` is ['testCases', 2, 'weight']. */
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
})

/** The server's reply when it rejects a request. */
export const apiErrorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), problems: z.array(problemSchema).optional() }),
})

export type Problem = z.infer<typeof problemSchema>
export type ApiError = z.infer<typeof apiErrorSchema>
