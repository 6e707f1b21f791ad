import { Hono } from 'hono'
import { z } from 'zod'
import { followUpRequestSchema, forkRequestSchema, type FollowUpRequest, type RunResult } from '../../contract/index.ts'
import { hideNames } from '../../report/model/arena/arena-report.ts'
import { writeArenaHtml } from '../../report/formats/html/arena-html.ts'
import {
  ARENA_CASE_ID,
  createFollowUp,
  listForks,
  loadArenaReport,
  loadFork,
  readArenaTask,
  removeFork,
  saveFork,
} from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { checkJson } from '../http/read-body.ts'
import { checkQuery } from '../http/read-query.ts'
import { notFound } from '../http/refusal.ts'
import type { StartedRun } from '../runs/run-manager.ts'
import { listTurns } from './arena-turns.ts'
import { inspectionOf, loadArenaRun } from './arena-pages.ts'
import { hasAskedForNames } from './keep-names.ts'
import { findModel, findNaming, readModelName } from './naming.ts'
import { loadThumbnail } from './thumbnails.ts'

const modelSchema = z.object({ model: z.string().min(1) })
const cellSchema = z.object({ model: z.string().min(1), case: z.string().min(1) })
const namesSchema = z.object({ names: z.enum(['shown', 'hidden']).default('hidden') })
/** By default, the names of a run that can still be voted on are left out. */
const shareSchema = z.object({ names: z.enum(['shown', 'hidden']).optional() })

async function startFollowUp(
  runId: string,
  followUp: FollowUpRequest,
  { runs, previews, storage, now }: ServerContext,
): Promise<StartedRun> {
  const run = await loadArenaRun(storage, runId)
  const models = followUp.models?.map((name) => findModel(run, name))
  const input = await createFollowUp(runId, { ...followUp, ...(models && { models }) }, { storage, now: now() })
  previews.compiler.warmUp().catch(() => undefined)
  return runs.startSuite(input)
}

async function writeShared(run: RunResult, names: 'shown' | 'hidden', context: ServerContext): Promise<string> {
  const { storage } = context
  const arena = await loadArenaReport([run], { storage, inspectPage: context.inspectPage, takesPictures: true })
  return writeArenaHtml(names === 'hidden' ? hideNames(arena) : arena)
}

function fileNameOf(run: RunResult, names: 'shown' | 'hidden'): string {
  const title = readArenaTask(run)?.prompt.slice(0, 60) ?? 'Code Arena'
  return `${title}${names === 'hidden' ? '' : ` ${run.id}`}.html`
}

/** What people do with the pages of a stored Code Arena run: continue them, edit them and pass them on. */
export function conversationRoutes(context: ServerContext) {
  const { storage } = context

  return new Hono()
    .get('/code-arena/:runId/turns', checkQuery(namesSchema), async (c) => {
      const areNamesShown = c.req.valid('query').names === 'shown'
      return c.json(await listTurns(c.req.param('runId'), context, { areNamesShown }))
    })
    .post('/code-arena/:runId/follow-ups', checkJson(followUpRequestSchema), async (c) =>
      c.json(await startFollowUp(c.req.param('runId'), c.req.valid('json'), context), 201),
    )
    .get('/code-arena/:runId/forks', checkQuery(namesSchema), async (c) => {
      const runId = c.req.param('runId')
      const [forks, run] = [await listForks(storage, runId), await loadArenaRun(storage, runId)]
      const areAskedFor = c.req.valid('query').names === 'shown'
      const { toShown } = await findNaming(run, { areAskedFor, storage })
      return c.json({
        forks: forks.map(({ response: _response, modelId, ...fork }) => ({ ...fork, modelId: toShown(modelId) })),
      })
    })
    .post('/code-arena/:runId/forks', checkJson(forkRequestSchema), async (c) => {
      const run = await loadArenaRun(storage, c.req.param('runId'))
      const fork = c.req.valid('json')
      const modelId = findModel(run, fork.modelId)
      return c.json(await saveFork(storage, run.id, context.createId(), { ...fork, modelId }), 201)
    })
    .get('/code-arena/:runId/forks/:forkId', async (c) => {
      const fork = await loadFork(storage, c.req.param('runId'), c.req.param('forkId'))
      if (!fork) throw notFound('The fork')
      const run = await loadArenaRun(storage, c.req.param('runId'))
      const areAskedFor = hasAskedForNames(c, run.id)
      const { toShown } = await findNaming(run, { areAskedFor, storage })
      return c.json({ ...fork, modelId: toShown(fork.modelId) })
    })
    .put('/code-arena/:runId/forks/:forkId', checkJson(forkRequestSchema), async (c) => {
      const { runId, forkId } = c.req.param()
      if (!(await loadFork(storage, runId, forkId))) throw notFound('The fork')
      const fork = c.req.valid('json')
      const modelId = await readModelName(storage, runId, fork.modelId)
      return c.json(await saveFork(storage, runId, forkId, { ...fork, modelId }))
    })
    .delete('/code-arena/:runId/forks/:forkId', async (c) => {
      const { runId, forkId } = c.req.param()
      if (!(await removeFork(storage, runId, forkId))) throw notFound('The fork')
      return c.json({ id: forkId })
    })
    .get('/code-arena/:runId/share', checkQuery(shareSchema), async (c) => {
      const run = await loadArenaRun(storage, c.req.param('runId'))
      const { isHidden } = await findNaming(run, { areAskedFor: hasAskedForNames(c, run.id), storage })
      const { names = isHidden ? 'hidden' : 'shown' } = c.req.valid('query')
      const text = await writeShared(run, names, context)
      return c.body(text, 200, attachmentHeaders(fileNameOf(run, names), 'text/html; charset=utf-8'))
    })
    .get('/code-arena/:runId/thumbnail', checkQuery(modelSchema), async (c) => {
      const runId = c.req.param('runId')
      const modelId = await readModelName(storage, runId, c.req.valid('query').model)
      const cell = { runId, testCaseId: ARENA_CASE_ID, modelId }
      const thumbnail = await loadThumbnail(storage, cell)
      if (!thumbnail) throw notFound('The picture')
      const headers = { etag: thumbnail.etag, 'cache-control': 'private, no-cache' }
      if (c.req.header('if-none-match') === thumbnail.etag) return c.body(null, 304, headers)
      return c.body(thumbnail.png, 200, { ...headers, 'content-type': 'image/png' })
    })
    .get('/code-arena/:runId/inspection', checkQuery(cellSchema), async (c) => {
      const { model, case: testCaseId } = c.req.valid('query')
      const runId = c.req.param('runId')
      const cell = { runId, testCaseId, modelId: await readModelName(storage, runId, model) }
      return c.json({ inspection: (await inspectionOf(storage, cell)) ?? null })
    })
}

/** For the web app's client. */
export type ConversationRoutes = ReturnType<typeof conversationRoutes>
