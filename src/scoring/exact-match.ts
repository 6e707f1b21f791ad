import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { passMarkOfMethod, type ScoringResult, countNoun, writePercent } from '../contract/index.ts'
import { defineScorer } from './scorer.ts'

/** Computing the edit distance of longer texts would take too long. */
const MAX_COMPARED_LENGTH = 100_000

/** Edit distance takes about |a|·|b|/32 steps; above this product that is milliseconds. */
const SLOW_PRODUCT = 4_000_000

interface ExactMatchOptions {
  /** If false, only an identical text scores, with 1. */
  partial?: boolean
}

/**
 * Exact match with partial credit. The rules are tried in the order of the table in docs/methodology.md; the first that
 * applies gives the score.
 */
export function compareTexts(
  rawResponse: string,
  rawExpected: string,
  { partial = true }: ExactMatchOptions = {},
): ScoringResult {
  const response = rawResponse.trim().normalize('NFC')
  const expected = rawExpected.trim().normalize('NFC')
  if (response === expected) return { score: 1, notes: 'identical' }
  if (!partial) return { score: 0, notes: 'not identical' }
  if (expected === '' || response === '')
    return { score: 0, notes: expected === '' ? 'the expected text is empty' : 'the response is empty' }

  return scoreIgnoringExtra(response, expected) ?? scoreSimilarity(response, expected)
}

/** Their lower case is longer, or depends on the letters around them; surrogates are halves of a letter. */
const CASE_IN_CONTEXT = /[İΣσς\uD800-\uDFFF]/

/**
 * True if texts of the same length differ in a letter, not only in its case. Looks only at the first place where they
 * differ: lower-casing both takes a quarter of the time of the edit distance in alphabets other than Latin.
 */
function differInLetter(response: string, expected: string): boolean {
  if (response.length !== expected.length || response.includes('İ')) return false
  let at = 0
  while (response[at] === expected[at]) at++
  const [given, wanted] = [response[at]!, expected[at]!]
  return !CASE_IN_CONTEXT.test(given + wanted) && given.toLowerCase() !== wanted.toLowerCase()
}

/** The first rules of the table: equal but for case, or contained in the response. */
function scoreIgnoringExtra(response: string, expected: string): ScoringResult | undefined {
  if (differInLetter(response, expected)) return undefined
  const lowerResponse = response.toLowerCase()
  const lowerExpected = expected.toLowerCase()
  if (lowerResponse === lowerExpected) return { score: 0.95, notes: 'equal ignoring case' }

  const extra = Math.max(0, 1 - expected.length / response.length)
  const other = `${writePercent(extra, 0)} of the response is other text`
  if (response.includes(expected))
    return { score: Math.max(0.6, 0.95 - 0.35 * extra), notes: `expected text found; ${other}` }
  if (lowerResponse.includes(lowerExpected))
    return {
      score: Math.max(0.55, 0.9 - 0.35 * extra),
      notes: `expected text found ignoring case; ${other}`,
    }
  return undefined
}

/** The last rules of the table: edit distance relative to the longer text. */
export function scoreSimilarity(response: string, expected: string): ScoringResult {
  const longer = Math.max(response.length, expected.length)
  if (longer > MAX_COMPARED_LENGTH)
    return {
      score: 0,
      notes: `expected text not found; similarity is not computed above ${countNoun(MAX_COMPARED_LENGTH, 'character')}`,
    }
  // Not 1 − distance / longer: in floating point, 1 − 4/5 is below 0.2.
  const similarity = (longer - distance(response, expected)) / longer
  const credit = similarity > 0.5 ? 0.7 : similarity >= 0.2 ? 0.4 : 0
  return { score: credit * similarity, notes: `${Math.round(similarity * 100)} % similar` }
}

export const exactMatch = defineScorer({
  name: 'exact-match',
  summary: 'Matches the expected text, with partial credit for different case, extra text and similar text',
  expectedOutput: 'required',
  passAt: passMarkOfMethod('exact-match'),
  options: z.object({
    partial: z.boolean().default(true).describe('Partial credit for close answers; without it, all or nothing'),
  }),
  score: ({ response, expectedOutput = '' }, options) => compareTexts(response, expectedOutput, options),
  isSlow: ({ response, expectedOutput = '' }, { partial }) =>
    partial &&
    response.length * expectedOutput.length > SLOW_PRODUCT &&
    Math.max(response.length, expectedOutput.length) <= MAX_COMPARED_LENGTH * 2,
})
