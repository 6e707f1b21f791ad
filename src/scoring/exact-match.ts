import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import type { ScoringResult } from '../contract/index.ts'
import { defineScorer } from './scorer.ts'
import { isTooShortToHold, measureUnlike, standAlone } from './text/short-texts.ts'

/** Above this length a side, edit distance would take longer than an answer is worth. */
const LONGEST_COMPARED = 100_000

/** Edit distance costs about |a|·|b|/32 steps; beyond this product it takes milliseconds. */
const SLOW_PRODUCT = 4_000_000

/** Made once: for short answers, building the note would cost as much as the comparison. */
const SIMILARITY_NOTES = Array.from({ length: 101 }, (_, percent) => `${percent} % similar`)

interface ExactMatchOptions {
  /** False: 1 for an identical text, else 0. */
  partial?: boolean
}

/** What `trim` takes away is the space and what lies before it, the fixed space, and a few signs from U+1680 on. */
function isVisible(code: number): boolean {
  return code > 0x20 && code !== 0xa0 && code < 0x1680
}

/** Looks first: `trim` costs a tenth of comparing two short texts, and answers seldom have blanks around them. */
function trim(text: string): string {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1)) ? text : text.trim()
}

/** What normalising can change begins with the combining accents; looking is much cheaper. */
const NOT_NORMAL = /[\u0300-\uffff]/

/**
 * Exact match with continuous partial credit. The steps are tried in the order of the table in docs/methodology.md;
 * the first that holds gives the score.
 */
export function compareTexts(rawResponse: string, rawExpected: string, options?: ExactMatchOptions): ScoringResult {
  const response = trim(rawResponse)
  const expected = trim(rawExpected)
  const isPartial = options?.partial !== false

  const editDistance = measureUnlike(response, expected)
  if (editDistance === 0) return { score: 1, notes: 'identical' }
  if (editDistance !== undefined && isPartial)
    return gradeSimilarity(editDistance, Math.max(response.length, expected.length))
  if (response === expected) return { score: 1, notes: 'identical' }
  if (!NOT_NORMAL.test(response) && !NOT_NORMAL.test(expected)) return compareNormalised(response, expected, isPartial)
  if (!standAlone(response) || !standAlone(expected))
    return compareNormalised(response.normalize('NFC'), expected.normalize('NFC'), isPartial)
  return isPartial && response !== '' && isTooShortToHold(response, expected)
    ? scoreSimilarity(response, expected)
    : compareNormalised(response, expected, isPartial)
}

function compareNormalised(response: string, expected: string, isPartial: boolean): ScoringResult {
  if (response === expected) return { score: 1, notes: 'identical' }
  if (!isPartial) return { score: 0, notes: 'not identical' }
  if (expected === '' || response === '') return { score: 0, notes: 'one of the two texts is empty' }

  return scoreIgnoringExtra(response, expected) ?? scoreSimilarity(response, expected)
}

/** The rows of the table above similarity: case and other text around the expected one. */
function scoreIgnoringExtra(response: string, expected: string): ScoringResult | undefined {
  const lowerResponse = response.toLowerCase()
  const lowerExpected = expected.toLowerCase()
  if (lowerResponse === lowerExpected) return { score: 0.95, notes: 'equal ignoring case' }

  const extra = Math.max(0, 1 - expected.length / response.length)
  if (response.includes(expected))
    return { score: Math.max(0.6, 0.95 - 0.35 * extra), notes: describeExtra('expected text found', extra) }
  if (lowerResponse.includes(lowerExpected))
    return {
      score: Math.max(0.55, 0.9 - 0.35 * extra),
      notes: describeExtra('expected text found ignoring case', extra),
    }
  return undefined
}

function describeExtra(found: string, extra: number): string {
  return `${found}; ${Math.round(extra * 100)} % of the response is other text`
}

/** The last rows of the table: edit distance against the longer text. */
export function scoreSimilarity(response: string, expected: string): ScoringResult {
  const longer = Math.max(response.length, expected.length)
  if (longer > LONGEST_COMPARED)
    return {
      score: 0,
      notes: `expected text not found; similarity left out above ${LONGEST_COMPARED.toLocaleString('en')} characters`,
    }
  return gradeSimilarity(distance(response, expected), longer)
}

function gradeSimilarity(editDistance: number, longer: number): ScoringResult {
  // Not 1 − distance / longer: 1 − 4/5 comes out below 0.2.
  const similarity = (longer - editDistance) / longer
  const credit = similarity > 0.5 ? 0.7 : similarity >= 0.2 ? 0.4 : 0
  return { score: credit * similarity, notes: SIMILARITY_NOTES[Math.round(similarity * 100)]! }
}

export const exactMatch = defineScorer({
  name: 'exact-match',
  summary: 'The expected text, with partial credit for case, extra text and similarity',
  expectedOutput: 'required',
  options: () =>
    z.object({
      partial: z.boolean().default(true).describe('Partial credit; false gives 1 or 0 only'),
    }),
  usual: { partial: true },
  score: ({ response, expectedOutput = '' }, options) => compareTexts(response, expectedOutput, options),
  isSlow: ({ response, expectedOutput = '' }, { partial }) =>
    partial &&
    response.length * expectedOutput.length > SLOW_PRODUCT &&
    Math.max(response.length, expectedOutput.length) <= LONGEST_COMPARED * 2,
})
