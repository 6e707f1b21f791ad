import { z } from 'zod'
import { ScoringError, type ScoringResult } from '../contract/index.ts'
import { defineScorer, isBlank } from './scorer.ts'

const NEGATE_NEEDS_TEXT = 'boolean with negate needs an expected output: the text that must not appear'

interface BooleanOptions {
  /** If true, the response must not contain the text. */
  negate?: boolean
}

/** Scores 1 if the response contains the expected text, ignoring case. Without an expected text any response passes. */
export function checkContains(
  response: string,
  expected?: string,
  { negate = false }: BooleanOptions = {},
): ScoringResult {
  if (isBlank(expected)) {
    if (negate) throw new ScoringError('invalid-expected-output', NEGATE_NEEDS_TEXT)
    return { score: 1, notes: 'no expected output: any response passes' }
  }
  const prepare = (text: string) => text.trim().normalize('NFC').toLowerCase()
  const isFound = prepare(response).includes(prepare(expected!))
  return { score: isFound === negate ? 0 : 1, notes: isFound ? 'expected text found' : 'expected text not found' }
}

export const booleanMatch = defineScorer({
  name: 'boolean',
  summary: 'The response contains the expected text, ignoring case (or must not, with negate)',
  expectedOutput: 'optional',
  options: z.object({
    negate: z.boolean().default(false).describe('The response must not contain the text'),
  }),
  validate(expected, { negate }) {
    if (negate && isBlank(expected)) throw new ScoringError('invalid-expected-output', NEGATE_NEEDS_TEXT)
  },
  score: ({ response, expectedOutput }, options) => checkContains(response, expectedOutput, options),
})
