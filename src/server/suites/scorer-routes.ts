import { Hono } from 'hono'
import { scorerList } from './scorer-list.ts'

export function scorerRoutes(): Hono {
  return new Hono().get('/scorers', (c) => c.json(scorerList))
}
