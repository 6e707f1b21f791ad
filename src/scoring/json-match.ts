import { z } from 'zod'
import { isRecord, ScoringError, type ScoringResult, messageOf } from '../contract/index.ts'
import { findJson } from './text/find-json.ts'
import { defineScorer } from './scorer.ts'
import { assignOptimally } from './tool-calls/credit/optimal-assignment.ts'
import { meanOf } from '../statistics/numbers/weighted-moments.ts'

/** Deeper than any real answer, and still well within the call stack. */
const MAX_DEPTH = 500

/** Finding the best pairing takes cubic time. */
const MAX_PAIRED = 500

interface JsonMatchOptions {
  partial?: boolean
  ignoreOrder?: boolean
  allowExtra?: boolean
}

/**
 * How much of the expected value is there, 0 to 1: the mean over keys for objects, over positions (or over the best
 * pairing of items) for arrays; anything else is equal or not. Extra keys and items count as misses.
 */
function similarity(expected: unknown, actual: unknown, options: JsonMatchOptions, depth = 0): number {
  if (depth > MAX_DEPTH)
    throw new ScoringError('json-too-deep', `json-match compares at most ${MAX_DEPTH} levels; this value is deeper`)
  const compare = (a: unknown, b: unknown) => similarity(a, b, options, depth + 1)

  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length === 0 && actual.length === 0) return 1
    if (expected.length === 0) return options.allowExtra ? 1 : 0
    const longest = options.allowExtra ? expected.length : Math.max(expected.length, actual.length)
    if (!options.ignoreOrder)
      return (
        expected.reduce<number>(
          (sum, item, index) => sum + (index < actual.length ? compare(item, actual[index]) : 0),
          0,
        ) / longest
      )
    return matchInAnyOrder(expected, actual, compare) / longest
  }
  if (isRecord(expected) && isRecord(actual)) {
    const keys = new Set([...Object.keys(expected), ...(options.allowExtra ? [] : Object.keys(actual))])
    if (keys.size === 0) return 1
    return meanOf(
      [...keys].map((key) =>
        Object.hasOwn(expected, key) && Object.hasOwn(actual, key) ? compare(expected[key], actual[key]) : 0,
      ),
    )
  }
  return expected === actual ? 1 : 0
}

/** The highest sum over one-to-one pairs of items; very long lists are paired by position. */
function matchInAnyOrder(expected: unknown[], actual: unknown[], compare: (a: unknown, b: unknown) => number): number {
  if (Math.max(expected.length, actual.length) > MAX_PAIRED)
    return expected.slice(0, actual.length).reduce<number>((sum, item, index) => sum + compare(item, actual[index]), 0)
  const scores = expected.map((item) => actual.map((candidate) => compare(item, candidate)))
  return assignOptimally(scores).reduce((sum, column, row) => sum + (column < 0 ? 0 : scores[row]![column]!), 0)
}

function readExpectedJson(expected: string): unknown {
  try {
    return JSON.parse(expected)
  } catch (error) {
    const reason = messageOf(error)
    throw new ScoringError('invalid-expected-output', `json-match needs JSON as expected output: ${reason}`, {
      cause: error,
    })
  }
}

export function compareJson(response: string, expected: string, options: JsonMatchOptions = {}): ScoringResult {
  const target = readExpectedJson(expected)
  const found = findJson(response)
  if (!found) return { score: 0, notes: 'no JSON in the response' }
  const share = similarity(target, found.value, options)
  if (share > 1 - 1e-12) return { score: 1, notes: 'equal' }
  return {
    score: options.partial === false ? 0 : share,
    notes: `${Math.round(share * 100)} % of the expected value found`,
  }
}

export const jsonMatch = defineScorer({
  name: 'json-match',
  summary: 'Matches a JSON value, also inside prose or a code fence, with partial credit by field',
  expectedOutput: 'required',
  options: z.object({
    partial: z.boolean().default(true).describe('Partial credit by field; false scores all or nothing'),
    ignoreOrder: z.boolean().default(false).describe('Lists match in any order'),
    allowExtra: z.boolean().default(false).describe('Extra keys and items cost nothing'),
  }),
  validate: (expected = '') => void readExpectedJson(expected),
  score: ({ response, expectedOutput = '' }, options) => compareJson(response, expectedOutput, options),
  // In any order, every item is compared with every other.
  isSlow: ({ response }, { ignoreOrder }) => ignoreOrder && response.length > 20_000,
})
