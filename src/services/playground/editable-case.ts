import { isDeepStrictEqual } from 'node:util'
import {
  InputError,
  testCaseSchema,
  type RunKind,
  type RunResult,
  type Suite,
  type TestCase,
} from '../../contract/index.ts'
import { hasQuestion, mapQuestion, scorers, type Question } from '../../scoring/index.ts'
import { escapeVariables } from '../../scoring/text/fill-text.ts'
import { isArenaCase } from '../code-arena/suite.ts'
import { planRun, type Contestant } from '../plan.ts'
import { readStoredRun, type StoredRun } from '../stored-run.ts'

/** A case as its author wrote it, with its variables unfilled. */
export type WrittenCase = Record<string, unknown>

/** Fills the variables of a written case; the problems are sentences. */
export type FillCase = (written: WrittenCase) => { testCase?: TestCase; problems: string[] }

/** A stored answer's case, ready to be edited. */
export interface EditableCase {
  /** Of the run. */
  kind: RunKind
  /** The suite as the run sent it. */
  suite: Suite
  /** Who answered. */
  contestant: Contestant
  /** as the run sent it, with its variables filled. */
  testCase: TestCase
  /** As written in the stored suite; absent if that no longer has the version that the run used. */
  written?: WrittenCase
  /** What can be edited: the question of the variant or of the case, with its variables unfilled where they are known. */
  question: Question
}

export interface StoredAnswer {
  testCaseId: string
  /** `model` or `model@variant`. */
  modelId: string
}

/** The contestant of a run, with the system prompt and parameters it got. */
function findContestant(stored: StoredRun, { testCaseId, modelId }: StoredAnswer): Contestant | undefined {
  const only = { ...stored.suite, testCases: stored.suite.testCases.filter(({ id }) => id === testCaseId) }
  return planRun({ ...stored, suite: only }, scorers).contestants.find(({ id }) => id === modelId)
}

/** JSON, because a stored suite has lost what JSON cannot hold. */
function isSameCase(a: TestCase, b: TestCase): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))
}

function pickQuestion({ prompt, messages }: Question): Question {
  return { ...(prompt !== undefined && { prompt }), ...(messages && { messages }) }
}

/** The question of a written case, with its variables unfilled. */
function readQuestion(written: WrittenCase): Question | undefined {
  const read = testCaseSchema.safeParse(written).data
  return read && pickQuestion(read)
}

function findQuestion({ contestant, testCase, written }: Omit<EditableCase, 'question' | 'suite' | 'kind'>): Question {
  const { variant } = contestant
  if (variant && hasQuestion(variant)) return pickQuestion(variant)
  const asWritten = written && readQuestion(written)
  // Escaped: braces in a filled prompt are text, not variables.
  return asWritten ?? mapQuestion(testCase, escapeVariables)
}

/** Finds what can be edited. `writtenCase` is used only if it is what the run sent. */
export function findEditableCase(
  run: RunResult,
  answer: StoredAnswer,
  { writtenCase, fillCase }: { writtenCase?: WrittenCase | undefined; fillCase: FillCase },
): EditableCase {
  const stored = readStoredRun(run)
  const { kind, suite } = stored
  const testCase = suite.testCases.find(({ id }) => id === answer.testCaseId)
  if (!testCase)
    throw new InputError(`The suite of the run has no case ${JSON.stringify(answer.testCaseId.slice(0, 100))}.`)
  if (isArenaCase(testCase))
    throw new InputError('This is a page of the Code Arena: change its prompt there and run it again.')
  const contestant = findContestant(stored, answer)
  if (!contestant)
    throw new InputError(`The run does not say what it sent to ${JSON.stringify(answer.modelId.slice(0, 100))}.`)
  const filled = writtenCase && fillCase(writtenCase).testCase
  const written = filled && isSameCase(filled, testCase) ? writtenCase : undefined
  const found = { contestant, testCase, ...(written && { written }) }
  return { kind, suite, ...found, question: findQuestion(found) }
}
