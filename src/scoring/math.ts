import { z } from 'zod'
import { ScoringError, type ScoringResult } from '../contract/index.ts'
import { UnreadableMath } from './math/compile-expression.ts'
import { WordsForMath, isEquivalent } from './math/equivalent.ts'
import { defineScorer } from './scorer.ts'
import { answerPlaceSchema, dropThinking, readAnswers, type AnswerPlace, type FoundAnswer } from './text/read-answer.ts'
import { readNumbers } from './text/read-numbers.ts'

const DEFAULT_TOLERANCE = 1e-6

interface MathOptions {
  tolerance?: number
  answer?: AnswerPlace
}

/** The key of a dataset may be a whole solution: `… #### 72`, `… \boxed{5}`. */
function readExpectedForm(expected: string): string {
  return readAnswers(expected, 'last')[0]!.text
}

const FORMULA = /\$\$([^$]+)\$\$|\$((?:\\\$|[^$\n])+)(?<!\\)\$|\\\(([\s\S]+?)\\\)|\\\[([\s\S]+?)\\\]/g

/** The only formula or the only number of a sentence, or what stands after its last "=". */
function readFromSentence(sentence: string): string | undefined {
  const formulas = [...sentence.matchAll(FORMULA)].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4])
  if (formulas.length > 0) return formulas.length === 1 ? formulas[0] : undefined
  const after = /=\s*([^=]+)$/.exec(sentence)?.[1]
  const text = after ?? sentence
  const number = /[$€£]?\s?[-−]?\d[\d.,]*(?:\/\d+)?%?/u.exec(text)?.[0]
  return readNumbers(text).length === (number?.includes('/') ? 2 : 1) ? number?.replace(/[.,]$/, '') : undefined
}

const LONGEST_SENTENCE = 500

function lastSentence(response: string): string {
  const lines = dropThinking(response)
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '')
  return (
    (lines.at(-1) ?? '')
      .slice(-LONGEST_SENTENCE)
      .split(/(?<=[.!?])\s+(?=\p{Lu})/u)
      .at(-1) ?? ''
  )
}

type Verdict = { score: 0 | 1 } | { unreadable: string; isWords: boolean }

function compareForms(key: string, text: string, tolerance: number): Verdict {
  try {
    return { score: isEquivalent(key, text, tolerance) ? 1 : 0 }
  } catch (error) {
    if (!(error instanceof UnreadableMath)) throw error
    return { unreadable: error.message, isWords: error instanceof WordsForMath }
  }
}

/** `48/2 = 24, 48+24 = 72`: arithmetic ends with its result. */
function afterChain(text: string): string {
  return /^[\d\s+\-*/×÷=().,;$%]+$/.test(text) ? text.slice(text.lastIndexOf('=') + 1) : text
}

/** "Therefore, x = 42" is no pair of things. */
function isProse({ text, from }: FoundAnswer): boolean {
  return from === 'the whole answer' && /(?<![\\\p{L}])\p{L}{4,}/u.test(text) && text.includes(',')
}

/** "in 1939" and "about 42" are no products of variables. */
const ABOUT =
  /^(?:(?:=|≈|~|\\approx)\s*|(?:in|about|around|approximately|roughly|nearly|exactly|only)\s+(?=[-−$€£]{0,2}\d[\d.,]*\W*$))/i

/** "…, not 15", "…, since 2x = 10" and "… (48 + 24)" say more about an answer. A reason may follow prose, too: that is left. */
const REMARK = /(?<=\S)(?:[,;]?\s+(?:and\s)?(?:not|rather than|instead of)\s|,?\s(?:because|since)\s)[^\n]*$/iu
const BRACKETED = /(?<=[\p{L}\p{N}}$%])\s+\([^()]*\)[.*]*$/u
const OTHERWISE = /,?\s(?:or|i\.e\.,?|that is,?)\s/iu

/** The remark is left out, or it says the same in other words: "1/4, or 0.25". */
function judgeWithoutRemark(key: string, text: string, first: Verdict, tolerance: number): Verdict | undefined {
  const bare = text.replace(BRACKETED, '')
  // `2 (x + 1)` can be read as it is.
  if (bare !== text && !('score' in first)) return compareForms(key, bare, tolerance)
  const parts = text.split(OTHERWISE)
  if (parts.length < 2) return undefined
  const verdicts = parts.map((part) => compareForms(key, part, tolerance))
  return verdicts.every((verdict) => 'score' in verdict && verdict.score === 1) ? { score: 1 } : undefined
}

function judgeAnswer(key: string, answer: FoundAnswer, response: string, tolerance: number): Verdict {
  const written = answer.text.replace(ABOUT, '').replace(REMARK, '')
  const first = compareForms(key, /^[^=]*=[^=]*=/.test(written) ? afterChain(written) : written, tolerance)
  const verdict =
    'score' in first && first.score === 1 ? first : (judgeWithoutRemark(key, written, first, tolerance) ?? first)
  if ('score' in verdict && (verdict.score === 1 || !isProse(answer))) return verdict
  const isMarked = answer.from !== 'the whole answer'
  const sentence = isMarked ? answer.text.slice(0, LONGEST_SENTENCE) : lastSentence(response)
  const part = /(?<![\\\p{L}])\p{L}{2,}/u.test(sentence) ? readFromSentence(sentence) : undefined
  const again = part === undefined ? undefined : compareForms(key, part, tolerance)
  if (again && 'score' in again) return again
  if ('score' in verdict) return verdict
  // Words that are marked as the answer, where a value was asked for, are a wrong answer: "cannot be determined".
  const words = answer.text.replaceAll(/\\(?:text|textbf|textit|mathrm|mbox)\s*\{([^{}]*)\}/g, '$1')
  const isShort = words.split(/\s+/).length <= 6 && !/[\d\\]/.test(words)
  return verdict.isWords && isMarked && isShort ? { score: 0 } : verdict
}

export function compareMath(
  response: string,
  expected: string,
  { tolerance = DEFAULT_TOLERANCE, answer = 'last' }: MathOptions = {},
): ScoringResult {
  const key = readExpectedForm(expected)
  if (response.trim() === '') throw new ScoringError('no-answer', 'the response is empty')
  const answers = readAnswers(response, answer)
  const verdicts = answers.map((found) => ({ found, verdict: judgeAnswer(key, found, response, tolerance) }))
  const right = verdicts.find(({ verdict }) => 'score' in verdict && verdict.score === 1)
  const counted = right ?? verdicts.find(({ verdict }) => 'score' in verdict) ?? verdicts[0]!
  const shown = JSON.stringify(counted.found.text.slice(0, 100))
  if ('unreadable' in counted.verdict)
    throw new ScoringError(
      'math-unreadable',
      `${shown} cannot be compared with ${JSON.stringify(key.slice(0, 100))}: ${counted.verdict.unreadable}`,
    )
  const { score } = counted.verdict
  return {
    score,
    notes: `${shown} ${score === 1 ? 'is equivalent' : 'is not equivalent'}, read from ${counted.found.from}`,
  }
}

export const math = defineScorer({
  name: 'math',
  summary: 'Mathematically the same: numbers, LaTeX, fractions, sets, intervals, matrices, equations, units',
  expectedOutput: 'required',
  options: z.object({
    tolerance: z
      .number()
      .nonnegative()
      .max(1)
      .default(DEFAULT_TOLERANCE)
      .describe('Relative difference up to which two values are the same'),
    answer: answerPlaceSchema,
  }),
  score: ({ response, expectedOutput = '' }, options) => compareMath(response, expectedOutput, options),
})
