import { Hono } from 'hono'
import { z } from 'zod'
import { checkQuery } from '../http/read-query.ts'
import {
  generateCasesRequestSchema,
  importSuiteRequestSchema,
  InputError,
  previewTableRequestSchema,
  saveSuiteRequestSchema,
  tryScorerRequestSchema,
} from '../../contract/index.ts'
import { writeSuite, suiteFormats } from '../../import/suite-files/write-suite.ts'
import { previewTable, type TablePreview } from '../../import/suite-files/preview-table.ts'
import { importSuiteText } from '../../import/suite-files/recognise-suite.ts'
import { recipeNames, type DatasetReading } from '../../import/datasets/read-dataset.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { checkRawSuite, type SuiteCheck } from './check-raw-suite.ts'
import { generateCases } from './generate-cases.ts'
import { createRunLister, type ListedRun } from '../runs/listed-runs.ts'
import type { ServerContext } from '../context.ts'
import { checkJson } from '../http/read-body.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { toSuiteDocument, loadSuiteDocument, readSuiteContent, saveSuite } from './suite-documents.ts'
import { createTrendReader } from './suite-trend.ts'
import { findSuiteProblems } from './suite-findings.ts'
import { findServedActivity } from '../runs/run-activity.ts'
import { groupRunsBySuite, nameOfSuite, summariseSuite } from './suite-summaries.ts'
import { tryScorer } from './try-scorer.ts'

/** POST /api/suites/import: saves nothing. */
export interface SuiteImport {
  suite: Record<string, unknown>
  format: string
  warnings: string[]
  suggestedModels: string[]
  suggestedJudges?: string[]
  suggestedEndpoint?: string
  /** What came over from another tool, by count. */
  summary?: string
  /** How a dataset was read, and the recipes by which it could be read instead. */
  dataset?: DatasetReading & { recipes: string[] }
  /** What to know before a run, although nothing was changed or lost. */
  notes?: string[]
}

/** POST /api/suites/columns: the first rows of a table, or null if the text is none. */
export interface SuiteColumns {
  table: TablePreview | null
}

/** GET /api/suites/:id/history */
export interface SuiteHistory {
  versions: { version: number; savedAt: number }[]
  runs: ListedRun[]
}

const versionNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number)
  .optional()
const versionSchema = z.object({ version: versionNumber })
const exportSchema = z.object({ version: versionNumber, format: z.string().default('yaml') })

function refuseVersion(): Refusal {
  return new Refusal(400, 'bad-version', 'A version must be a whole number of at least 1.')
}

export function suiteRoutes(context: ServerContext) {
  const { storage } = context
  const lister = createRunLister(context)
  const trends = createTrendReader(context)

  return new Hono()
    .get('/suites', async (c) => {
      const documents = await storage.listDocuments('suite')
      const runs = await groupRunsBySuite(
        context,
        documents.map((document) => ({ id: document.id, name: nameOfSuite(readSuiteContent(document)) })),
      )
      const activityOf = await findServedActivity(
        [...runs.values()].map(([last]) => last!),
        context,
      )
      return c.json(documents.map((document) => summariseSuite(document, runs.get(document.id) ?? [], activityOf)))
    })
    .post('/suites', checkJson(saveSuiteRequestSchema), async (c) => {
      const { suite } = c.req.valid('json')
      return c.json(await saveSuite(storage, { id: context.createId(), suite, after: 0 }), 201)
    })
    .post('/suites/check', checkJson(saveSuiteRequestSchema), async (c) => {
      const { problems, warnings }: SuiteCheck = checkRawSuite(c.req.valid('json').suite)
      return c.json({ problems, warnings })
    })
    .post('/suites/import', checkJson(importSuiteRequestSchema), async (c) => {
      const { fileName, text, ...options } = c.req.valid('json')
      const { dataset, ...read } = await importSuiteText(text, fileName, options)
      const imported: SuiteImport = { ...read, ...(dataset && { dataset: { ...dataset, recipes: recipeNames } }) }
      return c.json(imported)
    })
    .post('/suites/columns', checkJson(previewTableRequestSchema), async (c) => {
      const { fileName, text } = c.req.valid('json')
      const columns: SuiteColumns = { table: (await previewTable(text, fileName)) ?? null }
      return c.json(columns)
    })
    .post('/suites/try', checkJson(tryScorerRequestSchema), async (c) =>
      c.json(await tryScorer(c.req.valid('json'), context)),
    )
    .post('/suites/generate', checkJson(generateCasesRequestSchema), async (c) =>
      c.json(await generateCases(c.req.valid('json'), context)),
    )
    .get('/suites/:id', checkQuery(versionSchema, refuseVersion), async (c) =>
      c.json(toSuiteDocument(await loadSuiteDocument(storage, c.req.param('id'), c.req.valid('query').version))),
    )
    .put('/suites/:id', checkJson(saveSuiteRequestSchema), async (c) => {
      const id = c.req.param('id')
      const { suite, after } = c.req.valid('json')
      const { isExample } = readSuiteContent(await loadSuiteDocument(storage, id))
      return c.json(await saveSuite(storage, { id, suite, after, isExample }))
    })
    .delete('/suites/:id', async (c) => {
      if (!(await storage.deleteDocument('suite', c.req.param('id')))) throw notFound('The suite')
      return c.json({})
    })
    .get('/suites/:id/history', async (c) => {
      const id = c.req.param('id')
      const document = await loadSuiteDocument(storage, id)
      const runs = await groupRunsBySuite(context, [{ id, name: nameOfSuite(readSuiteContent(document)) }])
      const newest = (runs.get(id) ?? []).slice(0, 200)
      const history: SuiteHistory = {
        versions: (await storage.documentVersions('suite', id)).map(({ version, savedAt }) => ({ version, savedAt })),
        runs: await lister.describe(await storage.listRuns({ ids: newest.map((run) => run.id) })),
      }
      return c.json(history)
    })
    .get('/suites/:id/findings', async (c) => c.json(await findSuiteProblems(c.req.param('id'), context)))
    .get('/suites/:id/trend', async (c) => c.json(await trends.read(c.req.param('id'))))
    .get('/suites/:id/export', checkQuery(exportSchema, refuseVersion), async (c) => {
      const query = c.req.valid('query')
      const content = readSuiteContent(await loadSuiteDocument(storage, c.req.param('id'), query.version))
      const format = suiteFormats.find(({ name }) => name === query.format)
      if (!format)
        throw new InputError(
          `unknown format ${query.format}; the formats are ${suiteFormats.map(({ name }) => name).join(', ')}`,
        )
      return c.body(
        writeSuite(content.suite, format.name),
        200,
        attachmentHeaders(`${nameOfSuite(content)}.${format.name}`, format.mediaType),
      )
    })
}

/** For the web app's client. */
export type SuiteRoutes = ReturnType<typeof suiteRoutes>
