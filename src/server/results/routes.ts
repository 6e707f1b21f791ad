import { Hono } from 'hono'
import { z } from 'zod'
import type { ServerContext } from '../context.ts'
import { streamBytes } from './byte-stream.ts'
import { NO_SNIFFING } from './cases/case-routes.ts'
import { checkQuery } from '../http/read-query.ts'
import { exportFields } from './export-query.ts'
import { exportResults } from './export-results.ts'
import { createPairView } from './compare/pair-view.ts'
import { createGroupsView } from './groups-view.ts'
import { createJudgingView } from './judging-view.ts'
import { createReferenceView } from './reference-view.ts'
import { createResultsView } from './results-view.ts'
import { runAgain, runAgainSchema } from './run-again.ts'
import { groupings } from '../../report/words/index.ts'
import { groupSchema } from './selection/case-groups.ts'
import { checkJson } from '../http/read-body.ts'
import { smallestDifferenceSchema } from './smallest-difference.ts'
import { selectionsOf } from './selection/selection-cache.ts'

const id = z.string().min(1)
const viewSchema = z.object({ smallestDifference: smallestDifferenceSchema, group: groupSchema })
const groupsSchema = z.object({ by: z.enum(groupings), smallestDifference: smallestDifferenceSchema })
const referenceSchema = z.object({ model: id, smallestDifference: smallestDifferenceSchema })
const pairSchema = z.object({ a: id, b: id, smallestDifference: smallestDifferenceSchema })
const exportSchema = z.object(exportFields)

/** The results of stored runs. */
export function resultsRoutes(context: ServerContext) {
  const selections = selectionsOf(context)

  return new Hono()
    .get('/results/:selection', checkQuery(viewSchema), async (c) => {
      const options = c.req.valid('query')
      return c.json(await createResultsView(await selections.get(c.req.param('selection')), context, options))
    })
    .post('/results/:selection/again', checkJson(runAgainSchema), async (c) =>
      c.json(await runAgain(c.req.param('selection'), c.req.valid('json'), context), 201),
    )
    .get('/results/:selection/groups', checkQuery(groupsSchema), async (c) => {
      const query = c.req.valid('query')
      return c.json(await createGroupsView(await selections.get(c.req.param('selection')), query))
    })
    .get('/results/:selection/reference', checkQuery(referenceSchema), async (c) =>
      c.json(await createReferenceView(await selections.get(c.req.param('selection')), c.req.valid('query'))),
    )
    .get('/results/:selection/judging', async (c) =>
      c.json(await createJudgingView(await selections.get(c.req.param('selection')))),
    )
    .get('/results/:selection/compare', checkQuery(pairSchema), async (c) => {
      const pair = c.req.valid('query')
      return c.json(await createPairView(await selections.get(c.req.param('selection')), pair))
    })
    .get('/results/:selection/export', checkQuery(exportSchema), async (c) => {
      const { anonymous, withoutTexts, ...options } = c.req.valid('query')
      const { bytes, headers } = await exportResults(await selections.get(c.req.param('selection')), context, {
        ...options,
        isAnonymous: anonymous,
        isWithoutTexts: withoutTexts,
      })
      return c.body(streamBytes(bytes), 200, { 'content-length': String(bytes.length), ...headers, ...NO_SNIFFING })
    })
}

/** For the web app's client. */
export type ResultsRoutes = ReturnType<typeof resultsRoutes>
