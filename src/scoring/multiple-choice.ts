import { z } from 'zod'
import { ScoringError, type ScoringResult } from '../contract/index.ts'
import { defineScorer } from './scorer.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

interface ChoiceOptions {
  /** The texts of A, B, C …; an answer that contains exactly one of them counts as its letter. */
  choices?: string[]
}

/** One or more letters: `B`, `(B)`, `A, C`, `A and C`, `**B**`, but never the first letter of a word. */
const LETTER = String.raw`[*_("'\[{$]{0,4}([A-Z])[*_)"'\]}$.:]{0,4}`
const LIST = String.raw`${LETTER}(?:\s{0,3}(?:,|&|and|und|et|y|\+)\s{0,3}${LETTER}){0,25}`
const WHOLE = new RegExp(`^${LIST}$`)
const OPENING = new RegExp(String.raw`^[*_("'\[]{0,4}([A-Z])[*_]{0,2}[).:\]][*_)"'\]]{0,4}\s`)
const FILLER = String.raw`(?:clearly|therefore|thus|definitely|probably|likely|most|actually|simply|indeed|the|option|choice|letter|letters|options)`
const STATEMENT = new RegExp(
  String.raw`(?:answers?|correct (?:option|choice)s?|choose|select|pick)(?![\p{L}])[*_]{0,2}\s{0,3}(?:is|are|would be|must be|should be|:|=|-)?[*_:]{0,3}(?:\s{1,3}${FILLER}){0,3}\s{0,3}${LIST}(?![\p{L}\p{N}'’])`,
  'giu',
)
const BOXED = /\\boxed\{\s{0,3}(?:\\text\{)?\(?([A-Z](?:\s{0,3},\s{0,3}[A-Z]){0,25})\)?\}?\s{0,3}\}/g

function lettersIn(text: string): string[] {
  return text.match(/(?<![\p{L}\p{N}])[A-Z](?![\p{L}\p{N}'’])/gu) ?? []
}

function asSet(letters: Iterable<string>): string {
  return [...new Set(letters)].sort().join(', ')
}

interface Reading {
  letters: string
  from: string
}

/**
 * The chosen letters, by the first of these rules that finds any: the whole answer is letters; the last `\boxed{…}`;
 * the last statement such as "answer: B" or "the answer is (B)"; the answer starts with "B)" or "B."; its last line is
 * letters; it contains the text of exactly one choice.
 */
function readChoice(response: string, { choices }: ChoiceOptions): Reading | undefined {
  const text = response.trim()
  if (WHOLE.test(text)) return { letters: asSet(lettersIn(text)), from: 'the whole answer' }

  const boxed = [...text.matchAll(BOXED)].at(-1)
  if (boxed) return { letters: asSet(lettersIn(boxed[1]!)), from: 'the boxed answer' }

  const statement = [...text.matchAll(STATEMENT)]
    .map((match) => lettersIn(match[0].replace(/^\p{L}+/u, '')))
    .findLast((letters) => letters.length > 0)
  if (statement) return { letters: asSet(statement), from: 'the stated answer' }

  const opening = OPENING.exec(`${text} `)
  if (opening) return { letters: opening[1]!, from: 'the opening' }

  const lastLine = text.slice(text.lastIndexOf('\n') + 1).trim()
  if (WHOLE.test(lastLine)) return { letters: asSet(lettersIn(lastLine)), from: 'the last line' }

  const named = (choices ?? []).flatMap((choice, index) =>
    text.toLowerCase().includes(choice.trim().toLowerCase()) ? [LETTERS[index]!] : [],
  )
  return named.length === 1 ? { letters: named[0]!, from: "the choice's text" } : undefined
}

function readExpectedLetters(expected: string): string {
  const text = expected.trim().toUpperCase()
  if (!WHOLE.test(text))
    throw new ScoringError(
      'invalid-expected-output',
      `multiple-choice needs a letter such as B, or several such as A, C, not ${JSON.stringify(expected)}`,
    )
  return asSet(lettersIn(text))
}

export function compareChoice(response: string, expected: string, options: ChoiceOptions = {}): ScoringResult {
  const target = readExpectedLetters(expected)
  const reading = readChoice(response, options)
  if (!reading) return { score: 0, notes: 'no choice found in the answer' }
  return { score: reading.letters === target ? 1 : 0, notes: `${reading.letters} read from ${reading.from}` }
}

export const multipleChoice = defineScorer({
  name: 'multiple-choice',
  summary: 'Finds the letter of a choice (or several) in an answer, also in prose',
  expectedOutput: 'required',
  options: z.object({
    choices: z.array(z.string().min(1)).min(2).max(26).optional().describe('The texts of A, B, C …'),
  }),
  validate(expected = '', { choices }) {
    const letters = readExpectedLetters(expected)
    const last = LETTERS[(choices?.length ?? LETTERS.length) - 1]!
    if (letters.split(', ').some((letter) => letter > last))
      throw new ScoringError('invalid-expected-output', `the expected letter comes after the last choice, ${last}`)
  },
  score: ({ response, expectedOutput = '' }, options) => compareChoice(response, expectedOutput, options),
})
