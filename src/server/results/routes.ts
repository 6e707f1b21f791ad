import { Hono } from 'hono'
import { z } from 'zod'
import { attachmentHeaders } from '../http/attachment.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import { streamBytes } from './byte-stream.ts'
import { createCaseDetail } from './cases/case-detail.ts'
import { createCasePage } from './cases/case-page.ts'
import { checkQuery } from '../http/read-query.ts'
import { caseQuerySchema } from './cases/case-query.ts'
import { exportFields } from './export-query.ts'
import { exportResults } from './export-results.ts'
import { createPairView } from './compare/pair-view.ts'
import { createGroupsView } from './groups-view.ts'
import { createJudgingView } from './judging-view.ts'
import { createResultsView } from './results-view.ts'
import { runAgain, runAgainSchema } from './run-again.ts'
import { groupings } from '../../report/words/index.ts'
import { groupSchema } from './selection/case-groups.ts'
import { checkJson } from '../http/read-body.ts'
import { smallestDifferenceSchema } from './smallest-difference.ts'
import { shortenId } from './selection/resolve-selection.ts'
import { selectionsOf } from './selection/selection-cache.ts'

const id = z.string().min(1)
const caseSchema = z.object({ id })
const answerSchema = z.object({ id, model: id, run: id })
const viewSchema = z.object({ smallestDifference: smallestDifferenceSchema, group: groupSchema })
const groupsSchema = z.object({ by: z.enum(groupings) })
const pairSchema = z.object({ a: id, b: id, smallestDifference: smallestDifferenceSchema })
const exportSchema = z.object(exportFields)

/** A browser must never treat what a model wrote as a page. */
const NO_SNIFFING = { 'x-content-type-options': 'nosniff' }

/** The results of stored runs. */
export function resultsRoutes(context: ServerContext) {
  const selections = selectionsOf(context)
  const isLive = ({ ids }: { ids: readonly string[] }) => ids.some((runId) => context.runs.isLive(runId))

  return new Hono()
    .get('/results/:selection', checkQuery(viewSchema), async (c) => {
      const options = c.req.valid('query')
      return c.json(await createResultsView(await selections.get(c.req.param('selection')), context, options))
    })
    .post('/results/:selection/again', checkJson(runAgainSchema), async (c) =>
      c.json(await runAgain(c.req.param('selection'), c.req.valid('json'), context), 201),
    )
    .get('/results/:selection/groups', checkQuery(groupsSchema), async (c) => {
      const { by } = c.req.valid('query')
      return c.json(await createGroupsView(await selections.get(c.req.param('selection')), by))
    })
    .get('/results/:selection/judging', async (c) =>
      c.json(await createJudgingView(await selections.get(c.req.param('selection')))),
    )
    .get('/results/:selection/cases', checkQuery(caseQuerySchema), async (c) => {
      const query = c.req.valid('query')
      const selection = await selections.get(c.req.param('selection'))
      return c.json(await createCasePage(selection, { storage: context.storage, isLive: isLive(selection), query }))
    })
    .get('/results/:selection/case', checkQuery(caseSchema), async (c) => {
      const query = c.req.valid('query')
      const selection = await selections.get(c.req.param('selection'))
      const options = { storage: context.storage, isLive: isLive(selection), id: query.id }
      return c.json(await createCaseDetail(selection, options))
    })
    .get('/results/:selection/answer', checkQuery(answerSchema), async (c) => {
      const { id: testCaseId, model: modelId, run: runId } = c.req.valid('query')
      const selection = await selections.get(c.req.param('selection'))
      const cell = selection.ids.includes(runId)
        ? await context.storage.loadCell({ runId, testCaseId, modelId })
        : undefined
      const response = cell?.answer?.response ?? cell?.result.response
      if (response === undefined) throw notFound(`An answer of ${shortenId(modelId)} to ${shortenId(testCaseId)}`)
      return c.body(response, 200, {
        ...attachmentHeaders(`${testCaseId.slice(0, 50)} ${modelId.slice(0, 50)}.txt`, 'text/plain; charset=utf-8'),
        ...NO_SNIFFING,
      })
    })
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
