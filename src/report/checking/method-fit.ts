import type { TestCase } from '../../contract/index.ts'
import { writeQuestions } from '../../scoring/index.ts'
import { readNumbers } from '../../scoring/text/read-numbers.ts'
import { formatCount } from '../words/numbers.ts'
import type { CaseEvidence, SuiteEvidence } from './case-evidence.ts'
import { quote, type Finding } from './finding.ts'

/** A longer expected output is a text that nobody writes word for word, unless the prompt has it. */
const LONGEST_EXACT = 200
const MOST_WORDS_EXACT = 20
/** Failed answers that give the expected number: from here on the method is wrong, not the answers. */
const FEWEST_SAME_NUMBERS = 2
/** Rounded decimals are the same number; whole numbers must be equal: 1968 is not 1969. */
const SAME_DECIMAL = 0.001
/** A shorter text is found inside other words. */
const SHORTEST_PART = 3

const LOOKS_LIKE_PATTERN =
  /^\/.+\/[dgimsuvy]*$|^\^.+\$$|\\[dwsb](?:[+*{]|\b)|\.[*+](?:\)|$|\S)|\(\?[:=!<]|\[[^\]\n]+\](?:[+*]|\{\d)|\([^()\n]+\|[^()\n]+\)/s
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

/** Texts that no two sensible patterns have in common; so short that no pattern is slow on them. */
const ANYTHING = ['', '~', 'q0 ~']

function isProse(text: string, prompt: string): boolean {
  const isLong = text.length > LONGEST_EXACT || text.split(/\s+/).length > MOST_WORDS_EXACT
  return isLong && !prompt.includes(text)
}

/** Why the method cannot do what the expected output wants; undefined if nothing speaks against it. */
function findMismatch(method: string, expected: string, prompt: string): string | undefined {
  const text = expected.trim()
  if (method === 'regex-match') {
    const pattern = compile(text)
    return pattern && ANYTHING.every((answer) => pattern.test(answer))
      ? 'this pattern matches every answer, so every answer passes'
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
  }
  if (isProse(text, prompt))
    return `the expected output has ${formatCount(text.split(/\s+/).length, 'word')}, which no answer repeats one by one; llm-judge compares what is meant`
  if (method === 'exact-match') return undefined
  return /^\p{L}+$/u.test(text) && text.length < SHORTEST_PART
    ? 'so short a text is found inside other words too; regex-match or multiple-choice finds it on its own'
    : undefined
}

/** Answers that failed an exact match although they give the expected number. */
function findSameNumbers({ testCase, models }: CaseEvidence): Finding[] {
  const { id, scoringMethod, expectedOutput = '' } = testCase
  const [expected, ...others] = readNumbers(expectedOutput)
  if (scoringMethod !== 'exact-match' || expected === undefined || others.length > 0) return []
  if (!/^[^\p{L}]*$/u.test(expectedOutput)) return []
  const failed = [...models].flatMap(([model, { passed, answers }]) =>
    passed === 0 ? answers.map((text) => ({ model, text })) : [],
  )
  const same = failed.filter(({ text }) => {
    const number = readNumbers(text).at(-1)
    return (
      number !== undefined &&
      Math.abs(number - expected) <= (Number.isInteger(expected) ? 0 : SAME_DECIMAL * Math.abs(expected))
    )
  })
  if (new Set(same.map(({ model }) => model)).size < FEWEST_SAME_NUMBERS) return []
  return [
    {
      kind: 'method-mismatch',
      caseIds: [id],
      sentence: `${id} is scored by exact-match, which fails ${formatCount(same.length, 'answer')} with the expected number written in another way; numeric-tolerance compares numbers.`,
      evidence: [
        `Expected output: ${quote(expectedOutput)}`,
        ...same.slice(0, 3).map(({ model, text }) => `${model}: ${quote(text)}`),
      ],
    },
  ]
}

function checkCase(testCase: TestCase): Finding[] {
  const { id, scoringMethod, expectedOutput, checks } = testCase
  const scorings = checks ?? [{ scoringMethod, expectedOutput }]
  return scorings.flatMap(({ scoringMethod: method, expectedOutput: expected }): Finding[] => {
    if (method === undefined || expected === undefined) return []
    const mismatch = findMismatch(method, expected, writeQuestions(testCase) ?? '')
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
export function findMismatches({ cases }: SuiteEvidence): Finding[] {
  return cases.flatMap((found) => {
    const written = checkCase(found.testCase)
    return written.length > 0 ? written : findSameNumbers(found)
  })
}
