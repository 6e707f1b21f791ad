import { Hono } from 'hono'
import { z } from 'zod'
import { ratingScaleSchema, type RatingItem, type RatingQueue, type RatingScale } from '../../contract/index.ts'
import {
  createBlindEstimates,
  createQueue,
  DEFAULT_PER_MODEL,
  extendQueue,
  findItem,
  findQueues,
  listQueues,
  loadQueue,
  loadQueueRatings,
  openItem,
  rateItem,
  readRater,
  undoLast,
  type BlindItem,
} from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { checkJson } from '../http/read-body.ts'
import { checkQuery } from '../http/read-query.ts'
import { notFound } from '../http/refusal.ts'
import { resolveSelection } from '../results/selection/resolve-selection.ts'
import { loadSummaries } from '../results/selection/run-summaries.ts'
import { noteRunChange } from '../results/selection/run-changes.ts'
import { createQueueView, selectionOf, type QueueView } from './queue-view.ts'

/** GET /api/ratings?selection= */
export interface ListedQueue {
  id: string
  selection: string
  title: string
  scale: RatingScale
  drawnAt: number
  items: number
  /** Items that at least one person rated. */
  rated: number
  raters: string[]
}

const MAX_PER_MODEL = 10_000
const perModel = z.number().int().min(1).max(MAX_PER_MODEL)

const listSchema = z.object({ selection: z.string().optional() })
const createSchema = z.object({
  selection: z.string().min(1),
  scale: ratingScaleSchema.default('points'),
  perModel: perModel.default(DEFAULT_PER_MODEL),
  shared: z.number().int().min(0).optional(),
  sameCases: z.boolean().optional(),
  seed: z.string().min(1).max(100).optional(),
})
const raterSchema = z.object({ rater: z.string().optional() })
const ratingSchema = z.object({
  rater: z.string(),
  /** 0 to 1; absent: skipped. */
  rating: z.number().min(0).max(1).optional(),
  note: z.string().max(10_000).optional(),
})

/** Rating queues: people rate answers that were drawn at random, without knowing the model or the score. */
export function ratingRoutes(context: ServerContext) {
  const { storage } = context
  const estimate = createBlindEstimates(context)

  /** Throws if one of them is gone. */
  const findRuns = async (selection: string): Promise<string[]> => {
    const summaries = await loadSummaries(storage, await resolveSelection(storage, selection))
    return summaries.map(({ id }) => id)
  }

  const find = async (id: string): Promise<RatingQueue> => {
    const queue = await loadQueue(storage, id)
    if (!queue) throw notFound('The rating queue')
    return queue
  }

  const view = async (
    queue: RatingQueue,
    name: string | undefined,
    item?: { item: RatingItem; own?: BlindItem['own'] },
  ): Promise<QueueView> => {
    const ratings = await loadQueueRatings(storage, queue)
    const rater = name === undefined || name.trim() === '' ? undefined : readRater(name, ratings)
    return createQueueView(queue, { storage, rater, ratings, estimates: await estimate(queue, ratings), item })
  }

  const describeListed = async (queue: RatingQueue): Promise<ListedQueue | undefined> => {
    const [run] = await storage.describeRuns({ ids: queue.runIds })
    if (!run) return undefined
    const ratings = await loadQueueRatings(storage, queue)
    const rated = [...ratings.values()].filter((given) => given.some(({ rating }) => rating !== undefined))
    return {
      id: queue.id,
      selection: await selectionOf(storage, queue),
      title: run.label?.name ?? run.testSuiteName ?? `Run ${run.id}`,
      scale: queue.scale,
      drawnAt: queue.drawnAt,
      items: queue.items.length,
      rated: rated.length,
      raters: [...new Set([...ratings.values()].flat().map(({ rater }) => rater))].sort(),
    }
  }

  return new Hono()
    .get('/ratings', checkQuery(listSchema), async (c) => {
      const { selection } = c.req.valid('query')
      const queues =
        selection === undefined ? await listQueues(storage) : await findQueues(storage, await findRuns(selection))
      const listed = await Promise.all(queues.map(describeListed))
      return c.json(listed.filter((queue) => queue !== undefined))
    })
    .post('/ratings', checkJson(createSchema), async (c) => {
      const { selection, ...wanted } = c.req.valid('json')
      const runIds = await findRuns(selection)
      const { id } = await createQueue(
        { ...wanted, runIds },
        { storage, now: context.now(), createId: context.createId },
      )
      for (const runId of runIds) noteRunChange(storage, runId)
      return c.json({ id }, 201)
    })
    .get('/ratings/:id', checkQuery(raterSchema), async (c) =>
      c.json(await view(await find(c.req.param('id')), c.req.valid('query').rater)),
    )
    .put('/ratings/:id/items/:position', checkJson(ratingSchema), async (c) => {
      const queue = await find(c.req.param('id'))
      const { rater: name, ...given } = c.req.valid('json')
      const rater = readRater(name, await loadQueueRatings(storage, queue))
      const { runId } = await rateItem(storage, queue, { position: Number(c.req.param('position')), rater, ...given })
      noteRunChange(storage, runId)
      return c.json(await view(queue, rater))
    })
    .get('/ratings/:id/items/:position/answer', async (c) => {
      const item = findItem(await find(c.req.param('id')), Number(c.req.param('position')))
      const blind = await openItem(storage, item)
      if (!blind) throw notFound('The answer')
      return c.body(blind.response, 200, {
        ...attachmentHeaders(`answer ${item.position}.txt`, 'text/plain; charset=utf-8'),
        'x-content-type-options': 'nosniff',
      })
    })
    .post('/ratings/:id/undo', checkJson(z.object({ rater: z.string() })), async (c) => {
      const queue = await find(c.req.param('id'))
      const ratings = await loadQueueRatings(storage, queue)
      const rater = readRater(c.req.valid('json').rater, ratings)
      const undone = await undoLast(storage, queue, rater, ratings)
      if (undone) noteRunChange(storage, undone.item.runId)
      return c.json(await view(queue, rater, undone && { item: undone.item, own: undone.given }))
    })
    .post('/ratings/:id/more', checkJson(z.object({ perModel, rater: z.string().optional() })), async (c) => {
      const { perModel: more, rater } = c.req.valid('json')
      const queue = await extendQueue(await find(c.req.param('id')), more, { storage })
      for (const runId of queue.runIds) noteRunChange(storage, runId)
      return c.json(await view(queue, rater))
    })
}

/** For the web app's client. */
export type RatingRoutes = ReturnType<typeof ratingRoutes>
