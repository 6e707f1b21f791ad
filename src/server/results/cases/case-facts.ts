import { readableMessage, type Suite, type TestCase } from '../../../contract/index.ts'
import { describeVariables, excerpt } from '../../../report/words/index.ts'
import { listCases, type ReportCase } from '../../../report/model/cases.ts'
import { createPauses } from '../selection/pauses.ts'

const MAX_TITLE_LENGTH = 200
const MAX_LABEL_LENGTH = 100
const MAX_TAGS = 20

/** What a list shows about a case besides its title, kept short. */
export interface CaseFacts {
  category?: string
  difficulty?: string
  tags: string[]
  methods: string[]
  weight: number
}

/** For a case that is not in the suite, as in imported runs. */
const UNKNOWN: CaseFacts = { tags: [], methods: [], weight: 1 }

const shorten = (text: string) => (text.length > MAX_LABEL_LENGTH ? excerpt(text, MAX_LABEL_LENGTH) : text)

function shortenFacts({ category, difficulty, tags, methods, weight }: ReportCase): CaseFacts {
  return {
    ...(category !== undefined && { category: shorten(category) }),
    ...(difficulty !== undefined && { difficulty: shorten(difficulty) }),
    tags: tags.slice(0, MAX_TAGS).map(shorten),
    methods: [...new Set(methods)].slice(0, MAX_TAGS).map(shorten),
    weight,
  }
}

const CASES_AT_ONCE = 200

/** Splits a suite into pieces with few enough cases to process without a noticeable pause. */
export function splitSuite(suite: Suite | undefined): Suite[] {
  if (!suite) return []
  const pieces = Math.ceil(suite.testCases.length / CASES_AT_ONCE)
  return Array.from({ length: pieces }, (_, piece) => ({
    ...suite,
    testCases: suite.testCases.slice(piece * CASES_AT_ONCE, (piece + 1) * CASES_AT_ONCE),
  }))
}

/** Facts for each case id, in the same order. */
export async function loadCaseFacts(caseIds: readonly string[], suite: Suite | undefined): Promise<CaseFacts[]> {
  const facts = new Map<string, CaseFacts>()
  const pauses = createPauses()
  for (const piece of splitSuite(suite)) {
    for (const reportCase of listCases([], piece, [])) facts.set(reportCase.id, shortenFacts(reportCase))
    if (pauses.isDue()) await pauses.take()
  }
  return caseIds.map((id) => facts.get(id) ?? UNKNOWN)
}

function askedText({ prompt, messages = [], vars, turns, user }: TestCase): string {
  const spoken = prompt ?? turns?.[0]?.user ?? user?.instructions
  if (spoken !== undefined) return spoken
  const last = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1)
  if (last === undefined) return describeVariables(vars)
  return readableMessage(last, ' ')
}

const MAX_QUESTION = 300

/** What is asked after a long text; undefined if the end asks nothing. */
function lastQuestion(text: string): string | undefined {
  const trimmed = text.trimEnd()
  const at = trimmed.lastIndexOf('\n\n')
  const question = at < 0 ? '' : trimmed.slice(at).trim()
  return question.includes('?') && question.length <= MAX_QUESTION ? question : undefined
}

/** One line that identifies a case: its question or the start of its prompt, or its variables if only the variants have prompts. */
export function titleOf(testCase: TestCase, maxLength = 120): string {
  if (maxLength === 0) return ''
  const text = askedText(testCase)
  const line = (lastQuestion(text) ?? text)
    .slice(0, maxLength * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}

/** Creates titles on demand: ten thousand of them take longer than everything else about the cases. */
export function createTitles(suite: Suite | undefined): (caseId: string, maxLength?: number) => string {
  let byId: Map<string, TestCase> | undefined
  return (caseId, maxLength = MAX_TITLE_LENGTH) => {
    byId ??= new Map((suite?.testCases ?? []).map((testCase) => [testCase.id, testCase]))
    const testCase = byId.get(caseId)
    return testCase ? titleOf(testCase, maxLength) : ''
  }
}
