import { Hono } from 'hono'
import { z } from 'zod'
import { checkQuery } from '../http/read-query.ts'
import type { ServerContext } from '../context.ts'

/** `refresh=1` asks the providers again. */
const refreshSchema = z.object({ refresh: z.string().optional() })

export function modelRoutes(context: ServerContext) {
  return new Hono().get('/models', checkQuery(refreshSchema), async (c) =>
    c.json(await context.models.list({ refresh: c.req.valid('query').refresh === '1' })),
  )
}

/** For the web app's client. */
export type ModelRoutes = ReturnType<typeof modelRoutes>
