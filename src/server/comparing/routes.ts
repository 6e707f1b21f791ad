import { Hono } from 'hono'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import { checkJson } from '../http/read-body.ts'
import { checkQuery } from '../http/read-query.ts'
import { createAnswerPairs } from './pairs.ts'

const voterSchema = z.object({ voter: z.string().trim().min(1, 'needs your name').max(100) })
const voteSchema = z.strictObject({ pairId: z.string().min(1).max(200), choice: z.enum(['left', 'right', 'tie']) })

/** People compare the answers of a run in pairs, without seeing whose they are. */
export function comparingRoutes(context: ServerContext) {
  const pairs = createAnswerPairs(context)
  return new Hono()
    .get('/pairwise/:runId/pair', checkQuery(voterSchema), async (c) =>
      c.json(await pairs.draw(c.req.param('runId'), c.req.valid('query').voter)),
    )
    .post('/pairwise/votes', checkJson(voteSchema), async (c) => {
      const { pairId, choice } = c.req.valid('json')
      return c.json(await pairs.vote(pairId, choice), 201)
    })
    .delete('/pairwise/votes/:pairId', async (c) => {
      await pairs.undo(c.req.param('pairId'))
      return c.json({})
    })
}

/** For the web app's client. */
export type ComparingRoutes = ReturnType<typeof comparingRoutes>
