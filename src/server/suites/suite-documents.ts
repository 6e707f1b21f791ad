import { z } from 'zod'
import { InputError, type Storage, type StoredDocument, type Suite, type Problem } from '../../contract/index.ts'
import { checkRawSuite } from './check-raw-suite.ts'
import { notFound, Refusal } from '../http/refusal.ts'

/** GET /api/suites/:id (?version=n) · POST /api/suites · PUT /api/suites/:id (409 `version-conflict` when saved meanwhile) */
export interface SuiteDocument {
  id: string
  version: number
  savedAt: number
  /** As it is edited: with its {{variables}} still in it. */
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
  if (!parsed.success) throw new InputError(`suite ${id} is not stored as a suite: ${parsed.error.issues[0]?.message}`)
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

/** Estimates ask for the same suite again and again, and a large one takes long to check. */
const MOST_KEPT = 4
const kept = new WeakMap<Storage, Map<string, RunnableSuite>>()

/** Ready to run: variables filled, everything checked. */
export async function loadRunnableSuite(storage: Storage, id: string): Promise<RunnableSuite> {
  const [newest] = await storage.documentVersions('suite', id)
  if (!newest) throw notFound('The suite')
  const known = kept.get(storage) ?? new Map<string, RunnableSuite>()
  kept.set(storage, known)
  // With its time: after a restore the same version may hold something else.
  const key = JSON.stringify([id, newest.version, newest.savedAt])
  const found = known.get(key)
  if (found) return found
  const document = await loadSuiteDocument(storage, id, newest.version)
  const { suite, problems } = checkRawSuite(readSuiteContent(document).suite)
  const runnable = { suite: suite ?? refuseProblems(problems), version: document.version }
  known.set(key, runnable)
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KEPT) break
    known.delete(oldest)
  }
  return runnable
}

export function describeSuiteDocument(document: StoredDocument, warnings?: Problem[]): SuiteDocument {
  const { id, version, savedAt } = document
  const { suite } = readSuiteContent(document)
  return { id, version, savedAt, suite, warnings: warnings ?? checkRawSuite(suite).warnings }
}

interface SavedSuite {
  id: string
  suite: Record<string, unknown>
  /** The version it was made from; 0 for a new one. */
  after?: number | undefined
  isExample?: boolean
}

/** Keeps a new version of a suite that can be used; any other is refused with its problems. */
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
  return describeSuiteDocument(document, warnings)
}
