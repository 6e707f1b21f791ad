import { Hono } from 'hono'
import { z } from 'zod'
import type { ServerContext } from '../../context.ts'
import { checkQuery } from '../../http/read-query.ts'
import { groupSchema } from '../selection/case-groups.ts'
import { selectionsOf } from '../selection/selection-cache.ts'
import { createFailuresView } from './failures-view.ts'
import { createReasonsView } from './reasons-view.ts'

const failuresSchema = z.object({ group: groupSchema })

/** What the overview of results needs beside the verdict and the leaderboard. */
export function overviewRoutes(context: ServerContext) {
  const selections = selectionsOf(context)
  return new Hono()
    .get('/results/:selection/reasons', async (c) =>
      c.json(await createReasonsView(await selections.get(c.req.param('selection')), context.storage)),
    )
    .get('/results/:selection/failures', checkQuery(failuresSchema), async (c) => {
      const selection = await selections.get(c.req.param('selection'))
      return c.json(await createFailuresView(selection, context.storage, c.req.valid('query').group))
    })
}

/** For the web app's client. */
export type OverviewRoutes = ReturnType<typeof overviewRoutes>
