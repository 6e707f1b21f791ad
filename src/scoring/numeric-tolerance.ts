import { z } from 'zod'
import { ScoringError, type ScoringResult } from '../contract/index.ts'
import { readNumbers } from './text/read-numbers.ts'
import { defineScorer } from './scorer.ts'

/** The relative error at which the score reaches 0. */
const ZERO_SCORE_ERROR = 0.25

/** In floating point a relative error of 0.01 may be 0.010000000000000009. */
const ROUNDING_ALLOWANCE = 1e-9

const DEFAULT_TOLERANCE = 0.01

interface NumericOptions {
  tolerance?: number
  /** Which number in the response counts: the one nearest to the expected number, or the last. */
  answer?: 'any' | 'last'
}

/** 1 up to the tolerance, 0 from 25 % on, and `1 − (error / 0.25)^0.5` in between. */
export function scoreRelativeError(error: number, tolerance: number = DEFAULT_TOLERANCE): number {
  if (error <= tolerance + ROUNDING_ALLOWANCE) return 1
  if (error >= ZERO_SCORE_ERROR) return 0
  return 1 - Math.sqrt(error / ZERO_SCORE_ERROR)
}

function relativeError(actual: number, expected: number): number {
  return expected === 0 ? Math.abs(actual) : Math.abs(actual - expected) / Math.abs(expected)
}

function readExpectedNumber(expected: string | number): number {
  const numbers = typeof expected === 'number' ? [expected] : readNumbers(expected)
  const [number] = numbers
  if (numbers.length === 1 && Number.isFinite(number)) return number!
  throw new ScoringError(
    'invalid-expected-output',
    `numeric-tolerance needs exactly one number as expected output; ${JSON.stringify(expected)} contains ${
      numbers.length === 1 ? 'none' : numbers.length
    }`,
  )
}

export function compareNumbers(
  response: string,
  expected: string | number,
  { tolerance = DEFAULT_TOLERANCE, answer = 'any' }: NumericOptions = {},
): ScoringResult {
  if (!Number.isFinite(tolerance) || tolerance < 0)
    throw new ScoringError('invalid-options', `tolerance must be 0 or more, not ${tolerance}`)
  const target = readExpectedNumber(expected)
  const numbers = readNumbers(response)
  if (numbers.length === 0) return { score: 0, notes: 'no number in the response' }

  const chosen =
    answer === 'last'
      ? numbers.at(-1)!
      : numbers.reduce((best, number) => (relativeError(number, target) < relativeError(best, target) ? number : best))
  const error = relativeError(chosen, target)
  const which =
    numbers.length === 1 ? 'the only number' : `${answer === 'last' ? 'last' : 'nearest'} of ${numbers.length} numbers`
  return {
    score: scoreRelativeError(error, tolerance),
    notes: `${chosen} counted (${which}); ${target === 0 ? `off by ${error}` : `off by ${Number((error * 100).toPrecision(3))} %`}`,
  }
}

export const numericTolerance = defineScorer({
  name: 'numeric-tolerance',
  summary: 'Compares a number: full score within the tolerance, less the further off it is',
  expectedOutput: 'required',
  options: z.object({
    tolerance: z.number().nonnegative().default(DEFAULT_TOLERANCE).describe('Relative error that still scores 100'),
    answer: z.enum(['any', 'last']).default('any').describe('Which number counts: the nearest, or the last'),
  }),
  validate: (expected = '') => void readExpectedNumber(expected),
  score: ({ response, expectedOutput = '' }, options) => compareNumbers(response, expectedOutput, options),
})
