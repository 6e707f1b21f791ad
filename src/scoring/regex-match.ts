import { RegExpSyntaxError, RegExpValidator } from '@eslint-community/regexpp'
import { z } from 'zod'
import { ScoringError, type ScoringResult } from '../contract/index.ts'
import { defineScorer } from './scorer.ts'

interface PatternSource {
  source: string
  flags: string
  /** Where `source` begins in the text the user wrote. */
  offset: number
}

const FLAGS = 'dgimsuvy'

/** The letters after the last slash of `/pattern/letters` where some of them are no flags. */
function findWrongFlags(pattern: string): string | undefined {
  const letters = /^\/.+\/([A-Za-z]+)$/s.exec(pattern)?.[1]
  return letters === undefined || [...letters].every((letter) => FLAGS.includes(letter)) ? undefined : letters
}

/** More letters than this are a word, not flags. */
const MOST_MISTAKEN_FLAGS = 2

/** `/pattern/flags` when it is written so, otherwise a plain pattern: `/usr/bin` is plain, for `bin` are no flags. */
function splitPattern(pattern: string): PatternSource {
  const delimited = /^\/(.+)\/([dgimsuvy]*)$/s.exec(pattern)
  if (delimited) return { source: delimited[1]!, flags: delimited[2]!, offset: 1 }
  return { source: pattern, flags: '', offset: 0 }
}

/** The engine says that a pattern is bad but not where; this parser says how far it came. */
function findErrorPosition({ source, flags, offset }: PatternSource): number | undefined {
  const unicode = flags.includes('u')
  const unicodeSets = flags.includes('v')
  try {
    new RegExpValidator().validatePattern(source, 0, source.length, { unicode, unicodeSets })
  } catch (error) {
    if (error instanceof RegExpSyntaxError) return Math.min(error.index, source.length - 1) + offset + 1
  }
  return undefined
}

/** Compiles a pattern, or throws `invalid-regex` with the position of the fault. */
function readPattern(pattern: string): RegExp {
  if (pattern === '') throw new ScoringError('invalid-regex', 'the pattern is empty and would match anything')
  const wrong = findWrongFlags(pattern)
  if (wrong !== undefined && wrong.length <= MOST_MISTAKEN_FLAGS)
    throw new ScoringError(
      'invalid-regex',
      `bad pattern ${pattern}: ${[...wrong].filter((letter) => !FLAGS.includes(letter)).join('')} is no flag; there are ${[...FLAGS].join(' ')}. To mean the slashes themselves write \\/`,
    )
  const parts = splitPattern(pattern)
  try {
    return new RegExp(parts.source, parts.flags)
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^Invalid regular expression: .*: /s, '') : String(error)
    const position = findErrorPosition(parts)
    const where = position === undefined ? '' : ` near character ${position}`
    throw new ScoringError('invalid-regex', `bad pattern ${pattern}: ${reason}${where}`, { cause: error })
  }
}

/** 1 when the pattern matches anywhere in the response. Has no deadline of its own: run it through a `Scoring`. */
export function matchPattern(response: string, pattern: string): ScoringResult {
  const match = readPattern(pattern).exec(response)
  return match ? { score: 1, notes: `matches at character ${match.index + 1}` } : { score: 0, notes: 'no match' }
}

export const regexMatch = defineScorer({
  name: 'regex-match',
  summary: 'A JavaScript regular expression, /pattern/flags or plain, found anywhere in the response',
  expectedOutput: 'required',
  options: z.object({
    deadlineMs: z.number().positive().max(60_000).default(1000).describe('When a pattern that does not end is stopped'),
  }),
  validate: (pattern = '') => void readPattern(pattern),
  findWarning(pattern = '') {
    const wrong = findWrongFlags(pattern)
    return (
      wrong &&
      `the pattern is taken as it is, slashes and all: ${wrong} are no flags, there are ${[...FLAGS].join(' ')}. To mean the slashes themselves write \\/`
    )
  },
  score: ({ response, expectedOutput = '' }) => matchPattern(response, expectedOutput),
  // How long a pattern takes cannot be told from looking at it.
  isSlow: () => true,
  deadlineMs: ({ deadlineMs }) => deadlineMs,
  timeoutCode: 'regex-timeout',
})
