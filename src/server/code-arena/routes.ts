import type { StartedRun } from '../runs/run-manager.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import {
  codeArenaRequestSchema,
  previewRequestSchema,
  voteRequestSchema,
  type CodeArenaRequest,
} from '../../contract/index.ts'
import { ARENA_CASE_ID, createArenaRequest, listVotes, loadArenaRuns } from '../../services/index.ts'
import { listArena } from './arena-list.ts'
import { openArena } from './arena-pages.ts'
import { previewAnswer } from './preview-page.ts'
import { writeRankingHtml } from '../../report/formats/html/ranking-html.ts'
import { buildArenaRanking, rankArena } from '../../report/model/arena/arena-ranking.ts'
import { shareRanking } from '../../report/sharing/share-ranking.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { castVotes, loadRunVotes, undoVotes } from './run-votes.ts'
import { readSandboxSetting, type SandboxSetting } from '../../settings/index.ts'
import type { ServerContext } from '../context.ts'
import { checkJson } from '../http/read-body.ts'
import { checkPage, checkQuery } from '../http/read-query.ts'
import { notFound } from '../http/refusal.ts'
import { findKeptRuns, findListNaming, hasAskedForNames, listUnnamed } from './keep-names.ts'
import { readModelName } from './naming.ts'

/** GET /api/code-arena/browser: how pages are opened for screenshots, or why they are not. */
interface ArenaBrowser extends SandboxSetting {
  problem?: string
}

const voterSchema = z.object({
  voter: z.string().max(200).default(''),
  /** `shown` asks for the names of the models, which are kept until there is nothing left to vote on. */
  names: z.enum(['shown', 'hidden']).default('hidden'),
})
const rankingSchema = z.object({ votes: z.enum(['all', 'blind']).default('all') })
const yes = z.enum(['yes', 'no']).default('no')
const rankingExportSchema = rankingSchema.extend({ anonymous: yes, withoutTexts: yes })
const artifactSchema = z.object({
  model: z.string().default(''),
  name: z.string().default(''),
  /** In a run of a suite. */
  case: z.string().default(ARENA_CASE_ID),
})

function start(arenaRequest: CodeArenaRequest, { runs, previews }: ServerContext): Promise<StartedRun> {
  // Loaded while models write, so that the first page does not wait for a compiler.
  previews.compiler.warmUp().catch(() => undefined)
  return runs.startSuite(createArenaRequest(arenaRequest))
}

export function codeArenaRoutes(context: ServerContext) {
  const { storage } = context

  return new Hono()
    .post('/code-arena', checkJson(codeArenaRequestSchema), async (c) =>
      c.json(await start(c.req.valid('json'), context), 201),
    )
    .get('/code-arena', checkPage(), async (c) =>
      c.json(
        await listArena(context, c.req.valid('query'), (run) => findListNaming(c, { ...run, kind: 'page' }, storage)),
      ),
    )
    .post('/code-arena/preview', checkJson(previewRequestSchema), async (c) =>
      c.json(await previewAnswer(c.req.valid('json'), context)),
    )
    .get('/code-arena/ranking', checkQuery(rankingSchema), async (c) => {
      const { votes: counted } = c.req.valid('query')
      return c.json(rankArena(await listVotes(storage), await loadArenaRuns(storage), { counted }))
    })
    .get('/code-arena/ranking/export', checkQuery(rankingExportSchema), async (c) => {
      const { votes, anonymous, withoutTexts } = c.req.valid('query')
      const sharing = { isAnonymous: anonymous === 'yes', isWithoutTexts: withoutTexts === 'yes' }
      const ranking = buildArenaRanking(await listVotes(storage), await loadArenaRuns(storage), votes)
      const isKnown = (runId: string) => hasAskedForNames(c, runId)
      const kept = new Set(
        await findKeptRuns(
          ranking.runs.map(({ id }) => id),
          { isKnown, storage },
        ),
      )
      const runs = ranking.runs.map((run) => (kept.has(run.id) ? { ...run, models: listUnnamed(run.models) } : run))
      const page = writeRankingHtml(shareRanking({ ...ranking, runs }, sharing))
      return c.body(page, 200, attachmentHeaders('Code Arena ranking.html', 'text/html; charset=utf-8'))
    })
    .get('/code-arena/browser', async (c) => {
      const problem = await context.findBrowserProblem()
      const state: ArenaBrowser = {
        ...readSandboxSetting(context.dataFolder, context.environment),
        ...(problem !== undefined && { problem }),
      }
      return c.json(state)
    })
    .get('/code-arena/:runId', async (c) => {
      const runId = c.req.param('runId')
      const areNamesShown = hasAskedForNames(c, runId)
      return c.json((await openArena(runId, context, { areNamesShown })).snapshot())
    })
    .get('/code-arena/:runId/votes', checkQuery(voterSchema), async (c) =>
      c.json(await loadRunVotes(c.req.param('runId'), c.req.valid('query'), context)),
    )
    .post('/code-arena/:runId/votes', checkJson(voteRequestSchema), async (c) =>
      c.json(await castVotes(c.req.param('runId'), c.req.valid('json'), context), 201),
    )
    .delete('/code-arena/:runId/votes/:castAt', checkQuery(voterSchema), async (c) => {
      const { runId, castAt } = c.req.param()
      return c.json(await undoVotes(runId, { ...c.req.valid('query'), castAt: Number(castAt) }, context))
    })
    .get('/code-arena/:runId/artifacts', checkQuery(artifactSchema), async (c) => {
      const { model, name, case: testCaseId } = c.req.valid('query')
      const runId = c.req.param('runId')
      const cell = { runId, testCaseId, modelId: await readModelName(storage, runId, model) }
      const artifact = await storage.loadArtifact(cell, name)
      // Only our own screenshots: nothing that a model wrote is served from this origin.
      if (artifact?.mediaType !== 'image/png') throw notFound('The picture')
      return c.body(new Uint8Array(artifact.content), 200, { 'content-type': 'image/png' })
    })
}

/** For the web app's client. */
export type CodeArenaRoutes = ReturnType<typeof codeArenaRoutes>
