import { hasPassed, readPassMarks, type RunResult } from '../contract/index.ts'
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

/** Methods with one right answer, which can be read in more ways than one. */
const READABLE = new Set(['exact-match', 'numeric-tolerance', 'boolean', 'text-overlap', 'math', 'multiple-choice'])
const TOLERANCE = 1e-6

function isSame(answer: string, key: string): boolean {
  if (isSameText(answer, key)) return true
  try {
    return isEquivalent(key, answer, TOLERANCE)
  } catch (error) {
    if (error instanceof UnreadableMath) return false
    throw error
  }
}

function isLetter(key: string): boolean {
  return /^\(?[A-Z]\)?$/.test(key)
}

function namesLetter(response: string, key: string): boolean {
  const named = findLetters(response).at(-1)
  return named !== undefined && !named.isOpen && named.letters.join() === key.replaceAll(/[()]/g, '')
}

/** Any marked answer is the key, or the last number of the response is. */
function acceptsLoosely(response: string, key: string): boolean {
  if (isLetter(key)) return namesLetter(response, key)
  if (readAnswers(response, 'any').some(({ text }) => isSame(text, key))) return true
  const wanted = readNumbers(key)
  return wanted.length === 1 && readNumbers(response).at(-1) === wanted[0]
}

/** The response marks its answer, or is nothing else, and that is the key. */
function acceptsStrictly(response: string, key: string): boolean {
  if (isLetter(key)) return namesLetter(response, key)
  const answer = findAnswers(response).length > 0 ? readAnswer(response) : readAnswer(response, 'whole')
  return isSame(answer.text, key)
}

/** Finds answers that another reading would score differently. It changes no score. */
export function auditScoring({
  testSuiteSnapshot,
  results,
}: Pick<RunResult, 'testSuiteSnapshot' | 'results'>): ScoringAudit {
  const cases = new Map(testSuiteSnapshot?.testCases.map((testCase) => [testCase.id, testCase]))
  const marks = readPassMarks(testSuiteSnapshot)
  const suspects: ScoringSuspect[] = []
  let [read, passed, lenient, strict] = [0, 0, 0, 0]
  for (const { testCaseId, modelId, response = '', score } of results) {
    const testCase = cases.get(testCaseId)
    const { expectedOutput, scoringMethod } = testCase ?? {}
    if (!score || expectedOutput === undefined || expectedOutput.trim() === '') continue
    if (scoringMethod !== undefined && scoringMethod !== 'none' && !READABLE.has(scoringMethod)) continue
    const key = readAnswer(expectedOutput).text
    const isPassed = hasPassed(score, marks(testCaseId))
    read++
    if (isPassed) passed++
    if (!isPassed && acceptsLoosely(response, key)) {
      lenient++
      suspects.push({
        testCaseId,
        modelId,
        reason: `failed, but the answer contains the expected ${JSON.stringify(key)}`,
      })
    }
    if (isPassed && !acceptsStrictly(response, key)) {
      strict++
      suspects.push({
        testCaseId,
        modelId,
        reason: `passed, but ${JSON.stringify(key)} is not what it gives as its answer`,
      })
    }
  }
  return { lenientMean: (passed + lenient) / read, strictMean: (passed - strict) / read, suspects }
}
