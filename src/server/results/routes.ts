import { Hono } from 'hono'
import { z } from 'zod'
import { findFormat, formats } from '../../report/index.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import type { ServerParts } from '../parts.ts'
import { notFound } from '../http/refusal.ts'
import { streamBytes } from './byte-stream.ts'
import { createCaseDetail } from './case-detail.ts'
import { createCasePage } from './case-page.ts'
import { caseQuerySchema, readQuery } from './case-query.ts'
import { exportResults } from './export-results.ts'
import { createPairView } from './pair-view.ts'
import { createResultsView } from './results-view.ts'
import { shortenId } from './resolve-selection.ts'
import { selectionsOf } from './selection-cache.ts'

const id = z.string().min(1)
const caseSchema = z.object({ id })
const answerSchema = z.object({ id, model: id, run: id })
const pairSchema = z.object({ a: id, b: id })
const exportSchema = z.object({
  format: z
    .string()
    .default('json')
    .transform((name, context) => {
      const format = findFormat(name)
      if (format) return format
      context.addIssue(`must be one of ${formats.map((known) => known.name).join(', ')}`)
      return z.NEVER
    }),
})

/** What a model wrote is never taken for a page. */
const NEVER_GUESSED = { 'x-content-type-options': 'nosniff' }

/** What stored runs came to. */
export function resultsRoutes(parts: ServerParts): Hono {
  const selections = selectionsOf(parts)
  const routes = new Hono()

  routes.get('/results/:selection', async (c) =>
    c.json(await createResultsView(await selections.get(c.req.param('selection')), parts)),
  )

  routes.get('/results/:selection/cases', async (c) => {
    const query = readQuery(caseQuerySchema, c.req.query())
    const selection = await selections.get(c.req.param('selection'))
    const isLive = selection.ids.some((runId) => parts.runs.isLive(runId))
    return c.json(await createCasePage(selection, { storage: parts.storage, isLive, query }))
  })

  routes.get('/results/:selection/case', async (c) => {
    const query = readQuery(caseSchema, c.req.query())
    return c.json(await createCaseDetail(await selections.get(c.req.param('selection')), parts.storage, query.id))
  })

  routes.get('/results/:selection/answer', async (c) => {
    const { id: testCaseId, model: modelId, run: runId } = readQuery(answerSchema, c.req.query())
    const selection = await selections.get(c.req.param('selection'))
    const cell = selection.ids.includes(runId)
      ? await parts.storage.loadCell({ runId, testCaseId, modelId })
      : undefined
    const response = cell?.answer?.response ?? cell?.result.response
    if (response === undefined) throw notFound(`An answer of ${shortenId(modelId)} to ${shortenId(testCaseId)}`)
    return c.body(response, 200, {
      ...attachmentHeaders(`${testCaseId.slice(0, 50)} ${modelId.slice(0, 50)}.txt`, 'text/plain; charset=utf-8'),
      ...NEVER_GUESSED,
    })
  })

  routes.get('/results/:selection/compare', async (c) => {
    const { a, b } = readQuery(pairSchema, c.req.query())
    return c.json(await createPairView(await selections.get(c.req.param('selection')), a, b))
  })

  routes.get('/results/:selection/export', async (c) => {
    const { format } = readQuery(exportSchema, c.req.query())
    const { bytes, headers } = await exportResults(
      await selections.get(c.req.param('selection')),
      parts.storage,
      format,
    )
    return c.body(streamBytes(bytes), 200, { 'content-length': String(bytes.length), ...headers, ...NEVER_GUESSED })
  })

  return routes
}
