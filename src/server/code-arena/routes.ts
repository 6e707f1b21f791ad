import type { StartedRun } from '../runs/run-manager.ts'
import { Hono } from 'hono'
import {
  ARENA_SUITE_ID,
  codeArenaRequestSchema,
  previewRequestSchema,
  voteRequestSchema,
  type CodeArenaRequest,
} from '../../contract/index.ts'
import { ARENA_CASE_ID, arenaDefaults, createArenaSuite } from '../../services/index.ts'
import { createArenaHub } from './arena-hub.ts'
import { createArenaIndex } from './arena-index.ts'
import { listArena } from './arena-list.ts'
import { createArenaPairs } from './arena-pairs.ts'
import { streamArena } from './arena-events.ts'
import { loadArena, loadArenaRun } from './arena-view.ts'
import { previewAnswer } from './preview-page.ts'
import { rankArena } from './ranking.ts'
import { listVotes } from './votes.ts'
import type { CoreParts } from '../parts.ts'
import { readJson } from '../http/read-body.ts'
import { readPage } from '../http/read-page.ts'
import { notFound } from '../http/refusal.ts'

function start(
  { prompt, systemPrompt, isQuickJudge, parameters, ...request }: CodeArenaRequest,
  { runs, previews }: CoreParts,
): Promise<StartedRun> {
  const suite = createArenaSuite({ prompt, systemPrompt, isQuickJudge })
  // While models write: the first page that needs a compiler must not wait for it.
  previews.warmUp().catch(() => undefined)
  return runs.startSuite(suite, {
    ...request,
    suiteId: ARENA_SUITE_ID,
    parameters: { ...arenaDefaults, ...parameters },
  })
}

export function codeArenaRoutes(parts: CoreParts): Hono {
  const { storage } = parts
  const hub = createArenaHub()
  parts.runs.listen(hub.onEvent)
  const index = createArenaIndex(storage)
  const pairs = createArenaPairs(parts, index)
  const arena = new Hono()

  arena.post('/code-arena', async (c) => c.json(await start(await readJson(c, codeArenaRequestSchema), parts), 201))

  arena.get('/code-arena', async (c) => c.json(await listArena(parts, index, readPage(c))))

  arena.post('/code-arena/preview', async (c) =>
    c.json(await previewAnswer(await readJson(c, previewRequestSchema), parts)),
  )

  arena.get('/code-arena/pair', async (c) => c.json(await pairs.draw(c.req.query('runId') || undefined)))

  arena.post('/code-arena/votes', async (c) => {
    const { pairId, choice } = await readJson(c, voteRequestSchema)
    return c.json(await pairs.vote(pairId, choice), 201)
  })

  arena.get('/code-arena/ranking', async (c) => {
    const runs = []
    for (const id of await index.listIds()) runs.push((await storage.loadRun(id, { texts: false })) ?? { results: [] })
    return c.json(rankArena(await listVotes(storage), runs))
  })

  arena.get('/code-arena/:runId', async (c) => c.json((await loadArena(c.req.param('runId'), parts, hub))()))

  arena.get('/code-arena/:runId/events', async (c) => {
    const runId = c.req.param('runId')
    await loadArenaRun(storage, runId)
    return c.body(streamArena(runId, parts, hub), 200, { 'content-type': 'text/event-stream; charset=utf-8' })
  })

  arena.get('/code-arena/:runId/artifacts', async (c) => {
    const cell = { runId: c.req.param('runId'), testCaseId: ARENA_CASE_ID, modelId: c.req.query('model') ?? '' }
    const artifact = await storage.loadArtifact(cell, c.req.query('name') ?? '')
    // Only what this program took itself: nothing that a model wrote is served from this origin.
    if (artifact?.mediaType !== 'image/png') throw notFound('The picture')
    return c.body(new Uint8Array(artifact.content), 200, { 'content-type': 'image/png' })
  })

  return arena
}
