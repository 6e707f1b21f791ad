import { Hono } from 'hono'
import type { CoreParts } from '../parts.ts'

export function modelRoutes(parts: CoreParts): Hono {
  return new Hono().get('/models', async (c) =>
    c.json(await parts.models.list({ refresh: c.req.query('refresh') === '1' })),
  )
}
