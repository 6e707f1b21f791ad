import { Hono } from 'hono'
import {
  generateCasesRequestSchema,
  importSuiteRequestSchema,
  InputError,
  saveSuiteRequestSchema,
  tryScorerRequestSchema,
} from '../../contract/index.ts'
import { formatSuite, suiteFormats } from '../../import/suite-files/write-suite.ts'
import { importSuiteText } from '../../import/suite-files/recognise-suite.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { checkRawSuite, type SuiteCheck } from './check-raw-suite.ts'
import { generateCases } from './generate-cases.ts'
import { createRunLister, type ListedRun } from '../runs/listed-runs.ts'
import type { CoreParts } from '../parts.ts'
import { readJson } from '../http/read-body.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { describeSuiteDocument, loadSuiteDocument, readSuiteContent, saveSuite } from './suite-documents.ts'
import { groupRunsBySuite, nameOfSuite, summariseSuite } from './suite-summaries.ts'
import { tryScorer } from './try-scorer.ts'

/** POST /api/suites/import: nothing is saved yet. */
export interface SuiteImport {
  suite: Record<string, unknown>
  format: string
  warnings: string[]
  suggestedModels: string[]
}

/** GET /api/suites/:id/history */
export interface SuiteHistory {
  versions: { version: number; savedAt: number }[]
  runs: ListedRun[]
}

function readVersion(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Refusal(400, 'bad-version', 'A version is a whole number from 1 on.')
}

export function suiteRoutes(parts: CoreParts): Hono {
  const { storage } = parts
  const lister = createRunLister(parts)
  const suites = new Hono()

  suites.get('/suites', async (c) => {
    const documents = await storage.listDocuments('suite')
    const runs = await groupRunsBySuite(
      parts,
      documents.map((document) => ({ id: document.id, name: nameOfSuite(readSuiteContent(document)) })),
    )
    return c.json(documents.map((document) => summariseSuite(document, runs.get(document.id) ?? [])))
  })

  suites.post('/suites', async (c) => {
    const { suite } = await readJson(c, saveSuiteRequestSchema)
    return c.json(await saveSuite(storage, { id: parts.createId(), suite, after: 0 }), 201)
  })

  suites.post('/suites/check', async (c) => {
    const { problems, warnings }: SuiteCheck = checkRawSuite((await readJson(c, saveSuiteRequestSchema)).suite)
    return c.json({ problems, warnings })
  })

  suites.post('/suites/import', async (c) => {
    const { fileName, text } = await readJson(c, importSuiteRequestSchema)
    const imported: SuiteImport = await importSuiteText(text, fileName)
    return c.json(imported)
  })

  suites.post('/suites/try', async (c) => c.json(await tryScorer(await readJson(c, tryScorerRequestSchema), parts)))

  suites.post('/suites/generate', async (c) =>
    c.json(await generateCases(await readJson(c, generateCasesRequestSchema), parts)),
  )

  suites.get('/suites/:id', async (c) =>
    c.json(
      describeSuiteDocument(await loadSuiteDocument(storage, c.req.param('id'), readVersion(c.req.query('version')))),
    ),
  )

  suites.put('/suites/:id', async (c) => {
    const id = c.req.param('id')
    const { suite, after } = await readJson(c, saveSuiteRequestSchema)
    const { isExample } = readSuiteContent(await loadSuiteDocument(storage, id))
    return c.json(await saveSuite(storage, { id, suite, after, isExample }))
  })

  suites.delete('/suites/:id', async (c) => {
    if (!(await storage.deleteDocument('suite', c.req.param('id')))) throw notFound('The suite')
    return c.json({})
  })

  suites.get('/suites/:id/history', async (c) => {
    const id = c.req.param('id')
    const document = await loadSuiteDocument(storage, id)
    const runs = await groupRunsBySuite(parts, [{ id, name: nameOfSuite(readSuiteContent(document)) }])
    const history: SuiteHistory = {
      versions: (await storage.documentVersions('suite', id)).map(({ version, savedAt }) => ({ version, savedAt })),
      runs: await lister.describe((runs.get(id) ?? []).slice(0, 200)),
    }
    return c.json(history)
  })

  suites.get('/suites/:id/export', async (c) => {
    const content = readSuiteContent(
      await loadSuiteDocument(storage, c.req.param('id'), readVersion(c.req.query('version'))),
    )
    const format = suiteFormats.find(({ name }) => name === (c.req.query('format') ?? 'yaml'))
    if (!format)
      throw new InputError(
        `there is no format ${c.req.query('format')}; there are ${suiteFormats.map(({ name }) => name).join(', ')}`,
      )
    return c.body(
      formatSuite(content.suite, format.name),
      200,
      attachmentHeaders(`${nameOfSuite(content)}.${format.name}`, format.mediaType),
    )
  })

  return suites
}
