import { Hono } from 'hono'
import { rateCellRequestSchema, resumeRequestSchema, runRequestSchema } from '../../contract/index.ts'
import { describeExchange } from './describe-exchange.ts'
import { estimateRun } from './estimate-run.ts'
import { createEventStream } from '../http/event-stream.ts'
import { createRunLister, type ListedRun } from './listed-runs.ts'
import type { CoreParts } from '../parts.ts'
import { readJson } from '../http/read-body.ts'
import { readPage } from '../http/read-page.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { noteRunChange } from '../results/run-changes.ts'
import { deletePlan, planIdOf } from './run-plans.ts'
import { snapshotStored } from './stored-snapshot.ts'

/** GET /api/runs?offset=&limit= */
export interface RunList {
  runs: ListedRun[]
  total: number
}

export function runRoutes(parts: CoreParts): Hono {
  const { storage } = parts
  const lister = createRunLister(parts)
  const runs = new Hono()

  runs.post('/estimate', async (c) => c.json(await estimateRun(await readJson(c, runRequestSchema), parts)))

  runs.get('/runs', async (c) => {
    const page = readPage(c)
    const found = page.limit === 0 ? [] : await storage.listRuns(page)
    const list: RunList = { runs: await lister.describe(found), total: await storage.countRuns() }
    return c.json(list)
  })

  runs.post('/runs', async (c) => c.json(await parts.runs.start(await readJson(c, runRequestSchema)), 201))

  runs.post('/runs/:id/stop', async (c) => {
    if (!(await parts.runs.stop(c.req.param('id'))))
      throw new Refusal(409, 'not-live', 'The run is not under way here; there is nothing to stop.')
    return c.json({})
  })

  runs.post('/runs/:id/resume', async (c) =>
    c.json(await parts.runs.resume(c.req.param('id'), await readJson(c, resumeRequestSchema))),
  )

  runs.post('/runs/:id/rescore', async (c) => c.json(await parts.runs.rescore(c.req.param('id'))))

  runs.delete('/runs/:id', async (c) => {
    const id = c.req.param('id')
    if (parts.runs.isLive(id)) throw new Refusal(409, 'live', 'The run is under way; stop it before you delete it.')
    const run = await storage.loadRun(id, { texts: false })
    if (!run || !(await storage.deleteRun(id))) throw notFound('The run')
    const isLast = run.seriesId === undefined || (await storage.runsOfSeries(run.seriesId)).length === 0
    if (isLast) await deletePlan(storage, planIdOf(run))
    return c.json({})
  })

  runs.put('/runs/:id/rating', async (c) => {
    const { testCaseId, modelId, rating, note } = await readJson(c, rateCellRequestSchema)
    const cell = { runId: c.req.param('id'), testCaseId, modelId }
    if (!(await storage.loadCell(cell))) throw notFound('The cell')
    await storage.saveRating(cell, { ...(rating !== undefined && { rating }), ...(note !== undefined && { note }) })
    noteRunChange(storage, cell.runId)
    return c.json({})
  })

  runs.get('/runs/:id/exchange', async (c) =>
    c.json(
      await describeExchange(
        c.req.param('id'),
        { testCaseId: c.req.query('case') ?? '', modelId: c.req.query('model') ?? '' },
        parts,
      ),
    ),
  )

  runs.get('/runs/:id/events', async (c) => {
    const id = c.req.param('id')
    const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
    // A stream that nobody reads would never end.
    if (c.req.method === 'HEAD') return c.body(null, 200, headers)
    if (parts.runs.isLive(id))
      return c.body(
        createEventStream((listener) => parts.runs.watch(id, listener) ?? endAtOnce(listener)),
        200,
        headers,
      )
    const run = await storage.loadRun(id, { texts: false })
    if (!run) throw notFound('The run')
    const snapshot = await snapshotStored(run, parts)
    return c.body(
      createEventStream((listener) => {
        listener({ type: 'snapshot', snapshot })
        return endAtOnce(listener)
      }),
      200,
      headers,
    )
  })

  return runs
}

/** Nothing more will come. */
function endAtOnce(listener: (message: { type: 'finished' }) => void): () => void {
  listener({ type: 'finished' })
  return () => undefined
}
