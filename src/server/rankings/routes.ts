import { Hono } from 'hono'
import { z } from 'zod'
import { loadRankings, type LoadedRankings } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { checkQuery } from '../http/read-query.ts'

const querySchema = z.object({
  /** The name of one suite; all if absent. */
  suite: z.string().min(1).max(1000).optional(),
  weigh: z.enum(['suites', 'cases']).default('suites'),
})

/** Models ranked over the runs of several suites. */
export function rankingRoutes(context: ServerContext) {
  return new Hono().get('/rankings', checkQuery(querySchema), async (c) => {
    const { suite, weigh } = c.req.valid('query')
    const { storage } = context
    const names = suite === undefined ? [] : [suite]
    return c.json(await loadRankings({ names, weigh }, { storage }))
  })
}

export type { LoadedRankings }

export type RankingRoutes = ReturnType<typeof rankingRoutes>
