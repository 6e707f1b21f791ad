import { Hono } from 'hono'
import { z } from 'zod'
import type { ServerContext } from '../../context.ts'
import { checkQuery } from '../../http/read-query.ts'
import { smallestDifferenceSchema } from '../smallest-difference.ts'
import { createRunsComparison } from './compare-view.ts'
import { selectionsOf } from '../selection/selection-cache.ts'

const selectionsSchema = z.object({
  a: z.string().min(1),
  b: z.string().min(1),
  smallestDifference: smallestDifferenceSchema,
})

/** Two runs or series side by side. */
export function compareRoutes(context: ServerContext) {
  const selections = selectionsOf(context)
  return new Hono().get('/compare', checkQuery(selectionsSchema), async (c) => {
    const { a, b, ...options } = c.req.valid('query')
    return c.json(await createRunsComparison(await selections.get(a), await selections.get(b), options))
  })
}

/** For the web app's client. */
export type CompareRoutes = ReturnType<typeof compareRoutes>
