import { z } from 'zod'
import {
  setLatest,
  InputError,
  type Storage,
  type StoredDocument,
  type Suite,
  type Problem,
} from '../../contract/index.ts'
import { checkRawSuite } from './check-raw-suite.ts'
import { notFound, Refusal } from '../http/refusal.ts'

/**
 * GET /api/suites/:id (?version=n) · POST /api/suites · PUT /api/suites/:id (409 `version-conflict` if it was saved in
 * the meantime)
 */
export interface SuiteDocument {
  id: string
  version: number
  savedAt: number
  /** As edited, with its {{variables}} unfilled. */
  suite: Record<string, unknown>
  warnings: Problem[]
}

const contentSchema = z.object({ suite: z.record(z.string(), z.unknown()), isExample: z.boolean().default(false) })

export interface RawSuite {
  suite: Record<string, unknown>
  isExample: boolean
}

export function readSuiteContent({ content, id }: StoredDocument): RawSuite {
  const parsed = contentSchema.safeParse(content)
  if (!parsed.success) throw new InputError(`suite ${id} is damaged: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

function refuseProblems(problems: Problem[]): never {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  throw new Refusal(
    422,
    'invalid-suite',
    `The suite cannot be used as it is: ${first?.path.join('.')}: ${first?.message}${more}`,
    problems,
  )
}

export async function loadSuiteDocument(storage: Storage, id: string, version?: number): Promise<StoredDocument> {
  const document = await storage.loadDocument('suite', id, version)
  if (!document) throw notFound(version === undefined ? 'The suite' : `Version ${version} of the suite`)
  return document
}

export interface RunnableSuite {
  suite: Suite
  version: number
}

/** Estimates load the same suite repeatedly, and a large one takes long to check. */
const MAX_CACHED = 4
const caches = new WeakMap<Storage, Map<string, RunnableSuite>>()

/** Loads a suite with its variables filled and everything checked. */
export async function loadRunnableSuite(storage: Storage, id: string): Promise<RunnableSuite> {
  const [newest] = await storage.documentVersions('suite', id)
  if (!newest) throw notFound('The suite')
  const cache = caches.get(storage) ?? new Map<string, RunnableSuite>()
  caches.set(storage, cache)
  // With its time: after a restore the same version may have other content.
  const key = JSON.stringify([id, newest.version, newest.savedAt])
  const cached = cache.get(key)
  if (cached) return cached
  const document = await loadSuiteDocument(storage, id, newest.version)
  const { suite, problems } = checkRawSuite(readSuiteContent(document).suite)
  const runnable = { suite: suite ?? refuseProblems(problems), version: document.version }
  setLatest(cache, key, runnable, MAX_CACHED)
  return runnable
}

export function toSuiteDocument(document: StoredDocument, warnings?: Problem[]): SuiteDocument {
  const { id, version, savedAt } = document
  const { suite } = readSuiteContent(document)
  return { id, version, savedAt, suite, warnings: warnings ?? checkRawSuite(suite).warnings }
}

interface SavedSuite {
  id: string
  suite: Record<string, unknown>
  /** The version it is based on; 0 for a new suite. */
  after?: number | undefined
  isExample?: boolean
}

/** Saves a new version of a suite, or refuses it with its problems. */
export async function saveSuite(
  storage: Storage,
  { id, suite, after, isExample = false }: SavedSuite,
): Promise<SuiteDocument> {
  const { problems, warnings } = checkRawSuite(suite)
  if (problems.length > 0) refuseProblems(problems)
  const document = await storage.saveDocument(
    { kind: 'suite', id, content: { suite, isExample } },
    after === undefined ? {} : { after },
  )
  return toSuiteDocument(document, warnings)
}
