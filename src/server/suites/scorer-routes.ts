import { Hono } from 'hono'
import { scorerList } from './scorer-list.ts'

export function scorerRoutes() {
  return new Hono().get('/scorers', (c) => c.json(scorerList))
}

/** For the web app's client. */
export type ScorerRoutes = ReturnType<typeof scorerRoutes>
