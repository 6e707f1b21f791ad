import { Hono } from 'hono'
import { z } from 'zod'
import { playgroundExperimentSchema, playgroundPairSchema, playgroundSaveSchema } from '../../contract/index.ts'
import type { ServerContext } from '../context.ts'
import { checkJson } from '../http/read-body.ts'
import { checkQuery } from '../http/read-query.ts'
import { estimateExperiment, startExperiment } from './experiment.ts'
import { keepEdit } from './keep.ts'
import { loadPlayground, loadStoredSuite } from './load-playground.ts'
import { loadOutcome } from './outcome.ts'
import { estimatePair, startPair } from './pair.ts'
import { startOf } from './start-view.ts'

const id = z.string().min(1)
const answerSchema = z.object({ case: id, model: id })
const outcomeSchema = z.object({ case: id, model: id, experiment: id })

/** Running a stored case again with a change, and two prompts without a suite. */
export function playgroundRoutes(context: ServerContext) {
  return new Hono()
    .post('/playground/estimate', checkJson(playgroundPairSchema), async (c) =>
      c.json(await estimatePair(c.req.valid('json'), context)),
    )
    .post('/playground/pair', checkJson(playgroundPairSchema), async (c) =>
      c.json(await startPair(c.req.valid('json'), context), 201),
    )
    .get('/playground/:runId', checkQuery(answerSchema), async (c) => {
      const { case: testCaseId, model: modelId } = c.req.valid('query')
      const playground = await loadPlayground(c.req.param('runId'), { testCaseId, modelId }, context)
      return c.json(startOf(playground, await loadStoredSuite(playground.run, context)))
    })
    .post('/playground/:runId/estimate', checkJson(playgroundExperimentSchema), async (c) =>
      c.json(await estimateExperiment(c.req.param('runId'), c.req.valid('json'), context)),
    )
    .post('/playground/:runId/experiment', checkJson(playgroundExperimentSchema), async (c) =>
      c.json(await startExperiment(c.req.param('runId'), c.req.valid('json'), context), 201),
    )
    .get('/playground/:runId/outcome', checkQuery(outcomeSchema), async (c) =>
      c.json(await loadOutcome(c.req.param('runId'), c.req.valid('query'), context)),
    )
    .post('/playground/:runId/save', checkJson(playgroundSaveSchema), async (c) =>
      c.json(await keepEdit(c.req.param('runId'), c.req.valid('json'), context), 201),
    )
}

/** For the web app's client. */
export type PlaygroundRoutes = ReturnType<typeof playgroundRoutes>
