import { Hono } from 'hono'
import { z } from 'zod'
import type { ServerParts } from '../parts.ts'
import { readQuery } from './case-query.ts'
import { createRunsComparison } from './compare-view.ts'
import { selectionsOf } from './selection-cache.ts'

const selectionsSchema = z.object({ a: z.string().min(1), b: z.string().min(1) })

/** Two runs or series side by side. */
export function compareRoutes(parts: ServerParts): Hono {
  const selections = selectionsOf(parts)
  return new Hono().get('/compare', async (c) => {
    const { a, b } = readQuery(selectionsSchema, c.req.query())
    return c.json(await createRunsComparison(await selections.get(a), await selections.get(b)))
  })
}
