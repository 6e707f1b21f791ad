import { hasPassed, readPassMarks, type RunResult, type ScoringResult, type TestCase } from '../contract/index.ts'
import { isEquivalent } from './math/equivalent.ts'
import { UnreadableMath } from './math/compile-expression.ts'
import { isSameText } from './text/same-text.ts'
import { findAnswers, readAnswer, readAnswers } from './text/read-answer.ts'
import { findLetters } from './text/read-letters.ts'
import { readNumbers } from './text/read-numbers.ts'

/** An answer whose score another reading of the same text would change. */
export interface ScoringSuspect {
  testCaseId: string
  modelId: string
  reason: string
}

export interface ScoringAudit {
  /** The share that passes if every failure that a looser reading accepts passes too; NaN without answers to read. */
  lenientMean: number
  /** The share that passes if every pass that a stricter reading refuses fails. */
  strictMean: number
  suspects: ScoringSuspect[]
}

/** Methods with one right answer, which can be read in more ways than one; `none` was scored by another tool. */
const READABLE = new Set([
  'exact-match',
  'numeric-tolerance',
  'boolean',
  'text-overlap',
  'math',
  'multiple-choice',
  'none',
])
/** These take the answer as it is written: what they pass ends with the key, in its own notation. */
const LITERAL = new Set(['exact-match', 'none'])
const TOLERANCE = 1e-6
/** A longer answer is no short fact, and is not worth the time. */
const LONGEST_READ = 20_000
/** A sentence with one of these may name the key without giving it. */
const DOUBT = /(?<!\p{L})(?:not|or|nor|neither|never|unlike|cannot|\p{L}+n['’]t)(?!\p{L})/iu

/** What an answer is read against. */
interface Key {
  /** The expected output without its marks, and what else is accepted. */
  texts: string[]
  tolerance: number
  /** How the expected output marks its answer, such as `#### 72`; undefined if it is the answer and nothing else. */
  mark: string | undefined
  /** The scorer may demand the notation of the key, or read the last number. */
  isLiteral: boolean
}

function readCaseKey(testCase: TestCase): Key | undefined {
  const { expectedOutput = '', scoringMethod = 'none', negate, checks } = testCase
  const accepted: unknown = testCase['accepted']
  const others = Array.isArray(accepted) ? accepted.filter((text) => typeof text === 'string') : []
  const [found] = findAnswers(expectedOutput).slice(-1)
  const texts = [readAnswer(expectedOutput).text, ...others].filter((text) => text.trim() !== '')
  const isReadable = READABLE.has(scoringMethod) && !checks && negate !== true
  if (!isReadable || texts.length === 0) return undefined
  const tolerance: unknown = testCase['tolerance']
  return {
    texts,
    tolerance: scoringMethod === 'numeric-tolerance' ? (typeof tolerance === 'number' ? tolerance : 0.01) : TOLERANCE,
    mark: found?.from,
    isLiteral: LITERAL.has(scoringMethod),
  }
}

const isNear = (value: number | undefined, wanted: number, tolerance: number) =>
  value !== undefined && Math.abs(value - wanted) <= tolerance * Math.abs(wanted) + 1e-9

function isKeyOf(answer: string, { texts, tolerance }: Key): boolean {
  return texts.some((text) => {
    if (isSameText(answer, text)) return true
    const [given, wanted] = [readNumbers(answer), readNumbers(text)]
    if (given.length === 1 && wanted.length === 1 && isNear(given[0], wanted[0]!, tolerance)) return true
    try {
      return isEquivalent(text, answer, TOLERANCE)
    } catch (error) {
      if (error instanceof UnreadableMath) return false
      throw error
    }
  })
}

const isLetter = (text: string) => /^\(?[A-Z]\)?$/.test(text)

/** True or false if the response concludes with letters; undefined if it names none. */
function namesLetter(response: string, { texts }: Key): boolean | undefined {
  const named = findLetters(response).at(-1)
  if (named === undefined) return undefined
  return !named.isOpen && texts.some((text) => named.letters.join() === text.replaceAll(/[()]/g, ''))
}

/** The last letter in brackets, though no conclusion names it. */
function endsWithBrackets(response: string, { texts }: Key): boolean {
  const last = response
    .match(/\([A-Z]\)/g)
    ?.at(-1)
    ?.charAt(1)
  return last !== undefined && texts.some((text) => text.replaceAll(/[()]/g, '') === last)
}

/** Whether the last number of the response is the key; undefined if the key is no number. */
function endsWithNumber(response: string, { texts, tolerance }: Key): boolean | undefined {
  const wanted = texts.map(readNumbers).filter(({ length }) => length === 1)
  const last = readNumbers(response).at(-1)
  return wanted.length === 0 ? undefined : wanted.some(([value]) => isNear(last, value!, tolerance))
}

/** Sentences that name the key as words of their own, without one that leaves it open. */
function findNaming(response: string, { texts }: Key): string[] {
  const words = texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  const naming = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
  return response
    .split(/(?<=[.!?])\s+|(?<=。)|\n+/u)
    .filter((sentence) => naming.test(sentence) && !DOUBT.test(sentence))
}

/** Any marked answer is the key; without one, the last number of the response is, or a sentence names it. */
function acceptsLoosely(response: string, key: Key): boolean {
  if (key.texts.every(isLetter)) return namesLetter(response, key) ?? endsWithBrackets(response, key)
  if (readAnswers(response, 'any').some(({ text }) => isKeyOf(text, key))) return true
  return endsWithNumber(response, key) ?? (findAnswers(response).length === 0 && findNaming(response, key).length > 0)
}

/** The response marks its answer, or says nothing else, and that is the key. */
function acceptsStrictly(response: string, key: Key): boolean {
  const isLetters = key.texts.every(isLetter)
  if (isLetters && !key.isLiteral) return namesLetter(response, key) ?? true
  const found = findAnswers(response)
  const endsWith = isLetters ? namesLetter(response, key) : endsWithNumber(response, key)
  if (key.isLiteral && endsWith === false) return false
  if (key.isLiteral && key.mark !== undefined && found.at(-1)?.from !== key.mark) return false
  if (found.length > 0) return endsWith === true || isKeyOf(readAnswer(response).text, key)
  const whole = readAnswer(response, 'whole').text
  // A number in a sentence is not marked, nor is a letter.
  if (key.isLiteral && (isLetters || endsWith !== undefined)) return isKeyOf(whole, key) && !/\p{L}{2}/u.test(whole)
  return isKeyOf(whole, key) || (endsWith ?? findNaming(response, key).length > 0)
}

/** What another reading of the same answer would make of it: a looser one of a failure, a stricter one of a pass. */
export function findOtherReading(
  testCase: TestCase,
  response: string,
  isPassed: boolean,
): ScoringResult['otherReading'] {
  const key = response.length > LONGEST_READ ? undefined : readCaseKey(testCase)
  if (!key) return undefined
  if (!isPassed) return acceptsLoosely(response, key) ? 'passes' : undefined
  if (acceptsStrictly(response, key)) return undefined
  // What another tool passed without the key was not compared with it: by a judge, or by the number of an option.
  return testCase.scoringMethod === 'none' && !acceptsLoosely(response, key) ? undefined : 'fails'
}

/** Finds answers that another reading would score differently. It changes no score. */
export function auditScoring({
  kind,
  testSuiteSnapshot,
  results,
}: Pick<RunResult, 'kind' | 'testSuiteSnapshot' | 'results'>): ScoringAudit {
  const cases = new Map(testSuiteSnapshot?.testCases.map((testCase) => [testCase.id, testCase]))
  const marks = readPassMarks(testSuiteSnapshot)
  const suspects: ScoringSuspect[] = []
  let [read, passed, lenient, strict] = [0, 0, 0, 0]
  for (const { testCaseId, modelId, response = '', score } of results) {
    const testCase = cases.get(testCaseId)
    const key = testCase && readCaseKey(testCase)
    if (!score || !key) continue
    const isPassed = hasPassed(score, marks(testCaseId))
    // What another tool read in a second way was compared when its file was imported.
    const otherReading = kind === 'imported' ? score.otherReading : findOtherReading(testCase, response, isPassed)
    read++
    if (isPassed) passed++
    if (otherReading === undefined) continue
    if (isPassed) strict++
    else lenient++
    const expected = JSON.stringify(key.texts[0])
    const reason = isPassed
      ? `passed, but ${expected} is not what it gives as its answer`
      : `failed, but the answer contains the expected ${expected}`
    suspects.push({ testCaseId, modelId, reason })
  }
  return { lenientMean: (passed + lenient) / read, strictMean: (passed - strict) / read, suspects }
}
