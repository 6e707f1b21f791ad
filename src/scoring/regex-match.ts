import { RegExpSyntaxError, RegExpValidator } from '@eslint-community/regexpp'
import { z } from 'zod'
import { ScoringError, type ScoringResult } from '../contract/index.ts'
import { defineScorer } from './scorer.ts'

interface PatternSource {
  source: string
  flags: string
  /** Where `source` starts in the text the user wrote. */
  offset: number
}

const FLAGS = 'dgimsuvy'

/** The letters after the last slash of `/pattern/letters` if some of them are not flags. */
function findWrongFlags(pattern: string): string | undefined {
  const letters = /^\/.+\/([A-Za-z]+)$/s.exec(pattern)?.[1]
  return letters === undefined || [...letters].every((letter) => FLAGS.includes(letter)) ? undefined : letters
}

/** More letters than this are a word, not mistyped flags. */
const MAX_MISTYPED_FLAGS = 2

/** Splits `/pattern/flags`; anything else is a plain pattern, as is `/usr/bin`, because `bin` is not a set of flags. */
function splitPattern(pattern: string): PatternSource {
  const delimited = /^\/(.+)\/([dgimsuvy]*)$/s.exec(pattern)
  if (delimited) return { source: delimited[1]!, flags: delimited[2]!, offset: 1 }
  return { source: pattern, flags: '', offset: 0 }
}

/** The engine rejects a bad pattern without saying where; this parser reports the position. */
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

/** Compiles a pattern, or throws `invalid-regex` with the position of the error. */
function readPattern(pattern: string): RegExp {
  if (pattern === '') throw new ScoringError('invalid-regex', 'the pattern is empty and would match anything')
  const wrong = findWrongFlags(pattern)
  if (wrong !== undefined && wrong.length <= MAX_MISTYPED_FLAGS)
    throw new ScoringError(
      'invalid-regex',
      `bad pattern ${pattern}: ${[...wrong].filter((letter) => !FLAGS.includes(letter)).join('')} is not a flag; the flags are ${[...FLAGS].join(' ')}. To match the slashes themselves, write \\/`,
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

/** Scores 1 if the pattern matches anywhere in the response. It has no deadline: call it through a `Scoring`. */
export function matchPattern(response: string, pattern: string): ScoringResult {
  const match = readPattern(pattern).exec(response)
  return match ? { score: 1, notes: `matches at character ${match.index + 1}` } : { score: 0, notes: 'no match' }
}

export const regexMatch = defineScorer({
  name: 'regex-match',
  summary: 'Searches the response for a JavaScript regular expression, /pattern/flags or plain',
  expectedOutput: 'required',
  options: z.object({
    deadlineMs: z
      .number()
      .positive()
      .max(60_000)
      .default(1000)
      .describe('How long the pattern may run, in milliseconds'),
  }),
  validate: (pattern = '') => void readPattern(pattern),
  findWarning(pattern = '') {
    const wrong = findWrongFlags(pattern)
    return (
      wrong &&
      `the pattern is used literally, including its slashes, because ${wrong} is not a set of flags (${[...FLAGS].join(' ')}). To silence this, write the slashes as \\/`
    )
  },
  score: ({ response, expectedOutput = '' }) => matchPattern(response, expectedOutput),
  // How long a pattern takes cannot be predicted.
  isSlow: () => true,
  deadlineMs: ({ deadlineMs }) => deadlineMs,
  timeoutCode: 'regex-timeout',
})
