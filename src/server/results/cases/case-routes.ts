import { Hono } from 'hono'
import { z } from 'zod'
import type { ServerContext } from '../../context.ts'
import { attachmentHeaders } from '../../http/attachment.ts'
import { checkQuery } from '../../http/read-query.ts'
import { notFound } from '../../http/refusal.ts'
import { shortenId } from '../selection/resolve-selection.ts'
import { selectionsOf } from '../selection/selection-cache.ts'
import { createCaseDetail } from './case-detail.ts'
import { createCasePage } from './case-page.ts'
import { caseFilters, caseQuerySchema } from './case-query.ts'

const id = z.string().min(1)
const caseSchema = z.object({ id, ...caseFilters })
const answerSchema = z.object({ id, model: id, run: id })

/** A browser must never treat what a model wrote as a page. */
export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' }

/** The cases of stored runs and their answers. */
export function caseRoutes(context: ServerContext) {
  const selections = selectionsOf(context)
  const isLive = ({ ids }: { ids: readonly string[] }) => ids.some((runId) => context.runs.isLive(runId))
  return new Hono()
    .get('/results/:selection/cases', checkQuery(caseQuerySchema), async (c) => {
      const query = c.req.valid('query')
      const selection = await selections.get(c.req.param('selection'))
      return c.json(await createCasePage(selection, { storage: context.storage, isLive: isLive(selection), query }))
    })
    .get('/results/:selection/case', checkQuery(caseSchema), async (c) => {
      const { id: caseId, ...query } = c.req.valid('query')
      const selection = await selections.get(c.req.param('selection'))
      const options = { storage: context.storage, isLive: isLive(selection), id: caseId, query }
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
}

/** For the web app's client. */
export type CaseRoutes = ReturnType<typeof caseRoutes>
