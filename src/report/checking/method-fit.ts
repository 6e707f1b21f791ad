import type { Suite, TestCase } from '../../contract/index.ts'
import { quote, type Finding } from './finding.ts'

/** A longer expected output is a text that nobody writes word for word. */
const LONGEST_EXACT = 250
/** A shorter text is found inside other words. */
const SHORTEST_PART = 3

const LOOKS_LIKE_PATTERN = /^\/.+\/[dgimsuvy]*$|\\[dwsb](?:[+*{]|\b)|\.[*+](?:\)|$|\S)|\(\?[:=!<]/s
const LOOKS_LIKE_CRITERION =
  /^(?:(?:the |a good |any )?(?:answer|response|output|reply|model)s? (?:should|must|needs? to|has to|mentions?|explains?|contains?)\b|(?:should|must) (?:mention|explain|contain|include|say|describe|state|name|be)\b|(?:mentions?|explains?|describes?) (?:that|how|why|the|at least)\b)/i
const LOOKS_LIKE_CHOICES = /^[^|\n]{1,60}(?:\|[^|\n]{1,60}){1,9}$/

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function compile(pattern: string): RegExp | undefined {
  const written = /^\/(.+)\/([dgimsuvy]*)$/s.exec(pattern)
  try {
    return written ? new RegExp(written[1]!, written[2]) : new RegExp(pattern)
  } catch {
    return undefined
  }
}

/** Why the method cannot do what the expected output wants; undefined if nothing speaks against it. */
function findMismatch(method: string, expected: string): string | undefined {
  const text = expected.trim()
  if (method === 'regex-match') {
    // Only ever tried on an empty text: no pattern is slow there.
    const pattern = compile(text)
    return pattern?.test('') && !/^\/?\^\$/.test(text)
      ? 'this pattern also matches an empty answer, so every answer passes'
      : undefined
  }
  if (method !== 'exact-match' && method !== 'boolean') return undefined
  if (LOOKS_LIKE_PATTERN.test(text))
    return 'the expected output is a pattern, and is compared as plain text; regex-match reads patterns'
  if (LOOKS_LIKE_CRITERION.test(text))
    return 'the expected output describes what a good answer has, which no answer repeats word for word; llm-judge reads criteria'
  if (LOOKS_LIKE_CHOICES.test(text))
    return 'the expected output lists several answers with |, and is compared as one text; regex-match accepts any of them'
  if (method === 'exact-match') {
    if (isJson(text))
      return 'the expected output is JSON, where blanks and the order of fields do not matter; json-match compares the values'
    if (text.length > LONGEST_EXACT)
      return `the expected output has ${text.length} characters, which no answer repeats word for word; llm-judge compares what is meant`
    return undefined
  }
  return /^\p{L}+$/u.test(text) && text.length < SHORTEST_PART
    ? 'so short a text is found inside other words too; regex-match or multiple-choice finds it on its own'
    : undefined
}

function checkCase(testCase: TestCase): Finding[] {
  const { id, scoringMethod, expectedOutput, checks } = testCase
  const scorings = checks ?? [{ scoringMethod, expectedOutput }]
  return scorings.flatMap(({ scoringMethod: method, expectedOutput: expected }): Finding[] => {
    if (method === undefined || expected === undefined) return []
    const mismatch = findMismatch(method, expected)
    if (mismatch === undefined) return []
    return [
      {
        kind: 'method-mismatch',
        caseIds: [id],
        sentence: `${id} is scored by ${method}, which does not fit its expected output: ${mismatch}.`,
        evidence: [`Expected output: ${quote(expected)}`],
      },
    ]
  })
}

/** Scoring methods that cannot do what their expected output wants. */
export function findMismatches(suite: Suite): Finding[] {
  return suite.testCases.flatMap(checkCase)
}
