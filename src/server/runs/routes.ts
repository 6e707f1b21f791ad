import { Hono } from 'hono'
import { z } from 'zod'
import {
  whereRunning,
  labelChangeSchema,
  rateCellRequestSchema,
  resumeChangeSchema,
  runLabelSchema,
  runKindSchema,
  runRequestSchema,
  type RunKind,
  type RunLabel,
} from '../../contract/index.ts'
import { loadConversation } from './conversation.ts'
import { loadExchange } from './exchange.ts'
import { estimateRequest } from './estimate.ts'
import { findListNaming, listUnnamed } from '../code-arena/keep-names.ts'
import { PageMessages } from '../code-arena/arena-events.ts'
import { createEventStream } from '../http/event-stream.ts'
import { createRunLister, type ListedRun } from './listed-runs.ts'
import { deleteRun, labelRun, searchRuns } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { checkJson } from '../http/read-body.ts'
import { checkQuery, pageFields, refusePage } from '../http/read-query.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { noteRunChange } from '../results/selection/run-changes.ts'
import { findActivityOf } from './run-activity.ts'
import { openLiveRun } from './open-live-run.ts'

/** GET /api/runs?offset=&limit=&search=&tag=&suite=&kind= : the runs that match, and the others of their series. */
export interface RunList {
  runs: ListedRun[]
  /** On all pages. */
  total: number
}

/** GET and PUT /api/runs/:id/label: of the run, or of its series. */
export interface StoredLabel {
  label: RunLabel | null
}

/** Of the Code Arena: the names of the models, which it keeps until the vote. */
const namesSchema = z.object({ names: z.enum(['shown', 'hidden']).default('hidden') })

const describeLabel = (label: RunLabel | undefined): StoredLabel => ({ label: label ?? null })

/**
 * `tag`: several are separated by commas, and a run must have them all. `suite`: the id of a stored suite, or the name of
 * one that is not stored.
 */
const listSchema = z.object({
  ...pageFields,
  search: z.string().default(''),
  tag: z.string().default(''),
  suite: z.string().default(''),
  kind: z.string().default(''),
})

/** A label is not part of the stored request. */
const startRequestSchema = runRequestSchema.extend({ label: runLabelSchema.optional() })

/** Taking over is not part of the stored request. */
const resumeRequestSchema = resumeChangeSchema.extend({ takeOver: z.boolean().optional() })

/** Of no kind that is known, there is no run. */
function readKinds(text: string): RunKind[] {
  const kind = runKindSchema.safeParse(text)
  return kind.success ? [kind.data] : []
}

const cellSchema = z.object({ case: z.string().default(''), model: z.string().default('') })

export function runRoutes(context: ServerContext) {
  const { storage } = context
  const lister = createRunLister(context)

  return new Hono()
    .post('/estimate', checkJson(runRequestSchema), async (c) =>
      c.json(await estimateRequest(c.req.valid('json'), context)),
    )
    .get('/runs', checkQuery(listSchema, refusePage), async (c) => {
      const { tag, suite, kind, ...query } = c.req.valid('query')
      const tags = tag.split(',').filter((text) => text.trim() !== '')
      const found = await searchRuns(
        {
          ...query,
          tags,
          ...(suite !== '' && { suite: { id: suite, name: suite } }),
          ...(kind !== '' && { kinds: readKinds(kind) }),
          wholeSeries: true,
        },
        { storage, now: context.now() },
      )
      const runs: ListedRun[] = []
      for (const run of await lister.describe(found.runs))
        runs.push(
          (await findListNaming(c, run, storage)) ? { ...run, models: listUnnamed(run.models), means: {} } : run,
        )
      const list: RunList = { runs, total: found.total }
      return c.json(list)
    })
    .post('/runs', checkJson(startRequestSchema), async (c) => {
      const { label, ...request } = c.req.valid('json')
      return c.json(await context.runs.start(request, { label }), 201)
    })
    .get('/runs/:id/label', async (c) => {
      const [run] = await storage.describeRuns({ ids: [c.req.param('id')] })
      if (!run) throw notFound('The run')
      return c.json(describeLabel(run.label))
    })
    .put('/runs/:id/label', checkJson(labelChangeSchema), async (c) => {
      const id = c.req.param('id')
      if ((await storage.describeRuns({ ids: [id] })).length === 0) throw notFound('The run')
      const label = await labelRun(storage, id, c.req.valid('json'))
      noteRunChange(storage, id)
      return c.json(describeLabel(label))
    })
    .post('/runs/:id/stop', async (c) => {
      if (!(await context.runs.stop(c.req.param('id'))))
        throw new Refusal(409, 'not-live', 'The run is not in progress here, so there is nothing to stop.')
      return c.json({})
    })
    .post('/runs/:id/resume', checkJson(resumeRequestSchema), async (c) => {
      const { takeOver, ...change } = c.req.valid('json')
      return c.json(await context.runs.resume(c.req.param('id'), change, { takeOver }))
    })
    .post('/runs/:id/rescore', async (c) => c.json(await context.runs.rescore(c.req.param('id'))))
    .delete('/runs/:id', async (c) => {
      const id = c.req.param('id')
      if (context.runs.isLive(id))
        throw new Refusal(409, 'live', 'The run is in progress; stop it before you delete it.')
      await refuseWorkedOn(id, context)
      if (!(await deleteRun(storage, id))) throw notFound('The run')
      return c.json({})
    })
    .put('/runs/:id/rating', checkJson(rateCellRequestSchema), async (c) => {
      const { testCaseId, modelId, rating, note } = c.req.valid('json')
      const cell = { runId: c.req.param('id'), testCaseId, modelId }
      if (!(await storage.loadCell(cell))) throw notFound('The cell')
      await storage.changeRating(cell, { rating, note })
      noteRunChange(storage, cell.runId)
      return c.json({})
    })
    .get('/runs/:id/exchange', checkQuery(cellSchema), async (c) => {
      const { case: testCaseId, model: modelId } = c.req.valid('query')
      return c.json(await loadExchange(c.req.param('id'), { testCaseId, modelId }, context))
    })
    .get('/runs/:id/conversation', checkQuery(cellSchema), async (c) => {
      const { case: testCaseId, model: modelId } = c.req.valid('query')
      const held = await loadConversation(c.req.param('id'), { testCaseId, modelId }, context)
      // Its type is too deep for the client's types: the screen names it.
      return c.body(JSON.stringify(held), 200, { 'content-type': 'application/json' })
    })
    .get('/runs/:id/events', checkQuery(namesSchema), async (c) => {
      const id = c.req.param('id')
      const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
      // A stream without a reader would never end.
      if (c.req.method === 'HEAD') return c.body(null, 200, headers)
      const [described] = await storage.describeRuns({ ids: [id] })
      if (!described) throw notFound('The run')
      const pending =
        described.kind === 'page'
          ? new PageMessages(context, { areNamesShown: c.req.valid('query').names === 'shown' })
          : undefined
      if (context.runs.isLive(id)) {
        const stream = createEventStream((listener) => context.runs.watch(id, listener) ?? endAtOnce(listener), pending)
        return c.body(stream, 200, headers)
      }
      const snapshot = (await openLiveRun(id, context)).snapshot()
      const stream = createEventStream((listener) => {
        listener({ type: 'snapshot', snapshot })
        return endAtOnce(listener)
      }, pending)
      return c.body(stream, 200, headers)
    })
}

/** Another process would fail in the middle of a run that is deleted under it. */
async function refuseWorkedOn(id: string, context: ServerContext): Promise<void> {
  const [run] = await context.storage.describeRuns({ ids: [id] })
  const { workedOnBy } = run ? await findActivityOf(run, context) : {}
  if (workedOnBy)
    throw new Refusal(
      409,
      'worked-on',
      `The run is running ${whereRunning(workedOnBy)}; wait for it, or stop that process first.`,
    )
}

/** For the web app's client. */
export type RunRoutes = ReturnType<typeof runRoutes>

function endAtOnce(listener: (message: { type: 'finished' }) => void): () => void {
  listener({ type: 'finished' })
  return () => undefined
}
