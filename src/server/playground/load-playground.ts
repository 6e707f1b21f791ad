import { testCaseSchema, type RunResult, type StoredDocument } from '../../contract/index.ts'
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

/** The stored suite that a run was started from, as it is now. */
interface StoredSuite {
  id: string
  version: number
  isExample: boolean
  suite: WrittenSuite
}

export interface Playground {
  run: RunResult
  editable: EditableCase
  /** Absent if the suite was run from a file, or has been deleted since. */
  stored?: StoredSuite
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

/** Loads what a stored answer was asked with, and the suite it came from. */
export async function loadPlayground(
  runId: string,
  answer: StoredAnswer,
  { storage }: Pick<ServerContext, 'storage'>,
): Promise<Playground> {
  const run = await storage.loadRun(runId, { texts: false })
  if (!run) throw notFound('The run')
  const suiteId = originSuiteId(run)
  const newest = await storage.loadDocument('suite', suiteId)
  const version = run.request?.suiteVersion
  const asked = version === undefined || !newest ? newest : await storage.loadDocument('suite', suiteId, version)
  const writtenCase = asked && findWrittenCase(readStored(asked).suite, answer.testCaseId)
  return {
    run,
    editable: findEditableCase(run, answer, { writtenCase, fillCase }),
    ...(newest && { stored: readStored(newest) }),
  }
}
