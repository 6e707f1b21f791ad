import {
  answerName,
  setLatest,
  testCaseSchema,
  type RunResult,
  type Storage,
  type StoredDocument,
} from '../../contract/index.ts'
import { fillVariables } from '../../import/suite-files/variables.ts'
import {
  findEditableCase,
  findWrittenCase,
  originSuiteId,
  type EditableCase,
  type FillCase,
  type StoredAnswer,
  type WrittenSuite,
} from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import { readSuiteContent } from '../suites/suite-documents.ts'

type Sources = Pick<ServerContext, 'storage' | 'now'>

/** The stored suite that a run was started from, as it is now. */
export interface StoredSuite {
  id: string
  version: number
  isExample: boolean
  suite: WrittenSuite
}

/** A stored answer's run and case. */
export interface Playground {
  run: RunResult
  editable: EditableCase
}

/** Fills one case as the whole suite would be filled. */
export const fillCase: FillCase = (written) => {
  const { value, problems } = fillVariables({ testCases: [written] })
  const filled = testCaseSchema.safeParse(
    typeof value === 'object' && value !== null && 'testCases' in value && Array.isArray(value.testCases)
      ? value.testCases[0]
      : undefined,
  )
  return { ...(filled.data && { testCase: filled.data }), problems: problems.map(({ message }) => message) }
}

function readStored(document: StoredDocument): StoredSuite {
  const { suite, isExample } = readSuiteContent(document)
  return { id: document.id, version: document.version, isExample, suite }
}

/** The stored suite that the run was started from; undefined if it was run from a file, or has been deleted since. */
export async function loadStoredSuite(run: RunResult, { storage }: Sources): Promise<StoredSuite | undefined> {
  const document = await storage.loadDocument('suite', originSuiteId(run))
  return document && readStored(document)
}

/** Loads what a stored answer came from. */
export async function loadPlayground(runId: string, answer: StoredAnswer, sources: Sources): Promise<Playground> {
  const { storage } = sources
  const run = await storage.loadRun(runId, { texts: false })
  if (!run) throw notFound('The run')
  const stored = await storage.loadDocument('suite', originSuiteId(run), run.request?.suiteVersion)
  const writtenCase = stored && findWrittenCase(readStored(stored).suite, answer.testCaseId)
  const playground = { run, editable: findEditableCase(run, answer, { writtenCase, fillCase }) }
  const { results: _results, ...head } = run
  remember(sources, answerName({ ...answer, runId }), { ...playground, run: { ...head, results: [] } })
  return playground
}

interface Remembered {
  playground: Playground
  at: number
}

/** While someone types, the same answer is estimated again and again, and its run can be large. */
const MAX_REMEMBERED = 4
const MAX_AGE_MS = 60_000
const remembered = new WeakMap<Storage, Map<string, Remembered>>()

function remember({ storage, now }: Sources, key: string, playground: Playground): void {
  const entries = remembered.get(storage) ?? new Map<string, Remembered>()
  remembered.set(storage, entries)
  setLatest(entries, key, { playground, at: now() }, MAX_REMEMBERED)
}

/** The same without the results of the run, from memory if it was loaded a moment ago: what a run sent never changes. */
export async function recallPlayground(runId: string, answer: StoredAnswer, sources: Sources): Promise<Playground> {
  const found = remembered.get(sources.storage)?.get(answerName({ ...answer, runId }))
  return found && sources.now() - found.at < MAX_AGE_MS ? found.playground : loadPlayground(runId, answer, sources)
}
