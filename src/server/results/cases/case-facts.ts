import type { Suite, TestCase } from '../../../contract/index.ts'
import { excerpt } from '../../../report/words/index.ts'
import { listCases, type ReportCase } from '../../../report/model/cases.ts'
import { titleOf } from '../../runs/live-cases.ts'
import { createPauses } from '../selection/pauses.ts'

const LONGEST_TITLE = 200
const LONGEST_WORD = 100
const MOST_TAGS = 20

/** What a list shows of a case beside its title, in few words however long it is. */
export interface CaseFacts {
  category?: string
  difficulty?: string
  tags: string[]
  methods: string[]
  weight: number
}

/** A case whose test case nobody knows, as in runs from elsewhere. */
const UNKNOWN: CaseFacts = { tags: [], methods: [], weight: 1 }

const shorten = (text: string) => (text.length > LONGEST_WORD ? excerpt(text, LONGEST_WORD) : text)

function describe({ category, difficulty, tags, methods, weight }: ReportCase): CaseFacts {
  return {
    ...(category !== undefined && { category: shorten(category) }),
    ...(difficulty !== undefined && { difficulty: shorten(difficulty) }),
    tags: tags.slice(0, MOST_TAGS).map(shorten),
    methods: [...new Set(methods)].slice(0, MOST_TAGS).map(shorten),
    weight,
  }
}

const CASES_AT_ONCE = 200

/** A suite in pieces, each of so few cases that going through them takes a moment. */
export function splitSuite(suite: Suite | undefined): Suite[] {
  if (!suite) return []
  const pieces = Math.ceil(suite.testCases.length / CASES_AT_ONCE)
  return Array.from({ length: pieces }, (_, piece) => ({
    ...suite,
    testCases: suite.testCases.slice(piece * CASES_AT_ONCE, (piece + 1) * CASES_AT_ONCE),
  }))
}

/** One for each case id, in their order. */
export async function describeCases(caseIds: readonly string[], suite: Suite | undefined): Promise<CaseFacts[]> {
  const facts = new Map<string, CaseFacts>()
  const pauses = createPauses()
  for (const some of splitSuite(suite)) {
    for (const found of listCases([], some, [])) facts.set(found.id, describe(found))
    if (pauses.isDue()) await pauses.take()
  }
  return caseIds.map((id) => facts.get(id) ?? UNKNOWN)
}

/** Made when it is asked for: ten thousand of them take longer than everything else about a case. */
export function createTitles(suite: Suite | undefined): (caseId: string, longest?: number) => string {
  let known: Map<string, TestCase> | undefined
  return (caseId, longest = LONGEST_TITLE) => {
    known ??= new Map((suite?.testCases ?? []).map((testCase) => [testCase.id, testCase]))
    const testCase = known.get(caseId)
    return testCase ? titleOf(testCase, longest) : ''
  }
}
