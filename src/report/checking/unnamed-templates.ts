import type { Suite } from '../../contract/index.ts'
import { writeQuestions } from '../../scoring/index.ts'
import { findTemplates, readPrompts } from '../model/templates.ts'
import { joinNames } from '../words/names.ts'
import { describeVariants } from '../words/verdicts/templates.ts'
import { quote, type Finding } from './finding.ts'

/** A larger suite has more templates than anybody reads. */
const MOST_SHOWN = 10

/** Cases that look like variants of a few templates: not wrong, but counted one by one unless they are clusters. */
export interface UnnamedTemplates {
  /** The ids of cases, by template. */
  groups: string[][]
  sentence: string
  evidence: string[]
}

/**
 * The templates of a suite that names no clusters, as reports warn of them. Cases that ask the same once more are not
 * variants: they are said to be near-duplicates, and one of them can go.
 */
export function findUnnamedTemplates(suite: Suite, duplicates: readonly Finding[]): UnnamedTemplates | undefined {
  const again = new Set(duplicates.map(({ caseIds }) => caseIds.at(-1)!))
  const groups = findTemplates(readPrompts([suite])).filter((ids) => ids.filter((id) => !again.has(id)).length > 1)
  if (groups.length === 0) return undefined
  const testCases = new Map(suite.testCases.map((testCase) => [testCase.id, testCase]))
  const facts = { cases: groups.flat().length, of: suite.testCases.length, templates: groups.length }
  return {
    groups,
    sentence: `${describeVariants(facts)}: counted one by one, they make every interval too narrow. Cases with the same cluster count once.`,
    evidence: groups
      .toSorted((a, b) => b.length - a.length)
      .slice(0, MOST_SHOWN)
      .map((ids) => `${joinNames(ids)}: ${quote(writeQuestions(testCases.get(ids[0]!)!, suite.variants) ?? '')}`),
  }
}
