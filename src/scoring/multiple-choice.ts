import { z } from 'zod'
import { ScoringError, type ScoringInput, type ScoringResult } from '../contract/index.ts'
import { defineScorer } from './scorer.ts'
import { answerPlaceSchema, readAnswers, type AnswerPlace } from './text/read-answer.ts'
import { findLetters, readOnlyLetters, type NamedLetters } from './text/read-letters.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

interface ChoiceOptions {
  /** The texts of A, B, C …; an answer that gives exactly one of them counts as its letter. */
  choices?: string[] | undefined
  answer?: AnswerPlace
}

function readExpectedLetters(expected: string): string {
  const text = expected
    .trim()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toUpperCase()
  if (!/^[A-Z](?: (?:AND )?[A-Z]){0,25}$/.test(text))
    throw new ScoringError(
      'invalid-expected-output',
      `multiple-choice needs a letter such as B, or several such as A, C, not ${JSON.stringify(expected)}`,
    )
  return asSet(text.replaceAll('AND', '').split(' ').filter(Boolean))
}

function asSet(letters: Iterable<string>): string {
  return [...new Set(letters)].sort().join(', ')
}

/** `A) Rome`, `(B) Paris`, `C. Madrid`: the options as the prompt lists them. */
export function findOptions(prompt: string): string[] | undefined {
  const options: string[] = []
  for (const [, letter, text] of prompt.matchAll(/^[ \t]*[([]?([A-Z])[).:\]、．：][ \t]*(\S.*)$/gm)) {
    if (letter === 'A') options.length = 0
    if (letter === LETTERS[options.length]) options.push(text!.trim())
  }
  return options.length >= 2 ? options : undefined
}

function simplify(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s"'“”‘’*_$]+/gu, ' ')
    .replace(/[.。]\s?$/u, '')
    .trim()
}

const LONGEST_SEARCHED = 20_000

/** Where a text stands on its own, and is not denied. */
function findPlaces(searched: string, wanted: string): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = []
  if (wanted === '') return places
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + 1)) {
    const before = searched.slice(Math.max(0, at - 60), at)
    const after = searched.slice(at + wanted.length, at + wanted.length + 2)
    const isInside = /[\p{L}\p{N}]$/u.test(before) && /^[a-z0-9]/.test(wanted)
    const goesOn = (/^[\p{L}\p{N}]/u.test(after) && /[a-z0-9]$/.test(wanted)) || /^[.,]\d/.test(after)
    const isDenied =
      /(?:\bnot|n't|never|neither|nor|不是|并非)\s(?:(?:(?!(?:but|rather|instead)\s)[^\s;.!?–—]+\s){0,2}|(?:(?!(?:but|rather|instead)\s)[^\s;.!?–—]+\s){1,5}n?or\s)$/u.test(
        before,
      )
    if (!isInside && !goesOn && !isDenied) places.push({ start: at, end: at + wanted.length })
  }
  return places
}

/** The options whose text stands in an answer, but not inside that of a longer option or after "not". */
function findGiven(text: string, choices: readonly string[]): string[] {
  const searched = simplify(text.slice(-LONGEST_SEARCHED))
  const places = choices.flatMap((choice, index) =>
    findPlaces(searched, simplify(choice)).map((place) => ({ ...place, letter: LETTERS[index]! })),
  )
  const outer = places.filter(
    ({ start, end }) =>
      !places.some((other) => other.start <= start && other.end >= end && other.end - other.start > end - start),
  )
  return [...new Set(outer.map(({ letter }) => letter))]
}

/** The letter of the only option whose text a response gives: as its answer or, failing that, anywhere. */
function readOptionText(response: string, choices: readonly string[], place: AnswerPlace): NamedLetters | undefined {
  const [answer] = readAnswers(response, place === 'any' ? 'last' : place)
  const exact = choices.flatMap((choice, index) =>
    simplify(choice) === simplify(answer!.text) ? [LETTERS[index]!] : [],
  )
  const marked = exact.length === 1 ? exact : findGiven(answer!.text, choices)
  const given = marked.length === 0 && place !== 'whole' ? findGiven(response, choices) : marked
  return given.length === 1 ? { letters: given, isOpen: false, from: 'the text of the option' } : undefined
}

/** "The answer is I, II and III" or "is A DNA sequence …": the text of one option, whatever letters stand in it. */
function readExactText(
  response: string,
  choices: readonly string[],
  place: AnswerPlace,
  conclusions: readonly NamedLetters[],
): NamedLetters | undefined {
  const [stated] = readAnswers(response, place === 'any' ? 'last' : place)
  const last = conclusions.at(-1)
  if (last && last.from !== stated!.from && last.from !== 'the whole answer') return undefined
  const said = simplify(stated!.text)
  const isLetter = /^[a-z]$/.test(said) && LETTERS.indexOf(said.toUpperCase()) < choices.length
  const exact = choices.flatMap((choice, index) => (simplify(choice) === said ? [LETTERS[index]!] : []))
  return exact.length === 1 && !isLetter ? { letters: exact, isOpen: false, from: 'the text of the option' } : undefined
}

function readChoice(response: string, { choices, answer = 'last' }: ChoiceOptions): NamedLetters[] {
  const conclusions = answer === 'whole' ? readOnlyLetters(response) : findLetters(response)
  const exact = choices && readExactText(response, choices, answer, conclusions)
  if (exact) return answer === 'any' ? [...conclusions.slice(0, -1), exact] : [exact]
  if (conclusions.length > 0) return answer === 'any' ? conclusions : conclusions.slice(-1)
  const given = choices && readOptionText(response, choices, answer)
  return given ? [given] : []
}

/** "Rome and Oslo", where several options are right. */
function readSeveralTexts(response: string, { choices = [], answer = 'last' }: ChoiceOptions): NamedLetters[] {
  const [stated] = readAnswers(response, answer === 'any' ? 'last' : answer)
  const letters = findGiven(stated!.text, choices).sort()
  return letters.length > 1 ? [{ letters, isOpen: false, from: 'the texts of the options' }] : []
}

function describeOpen({ letters }: NamedLetters): string {
  return `the answer names ${letters.join(' and ')}, and does not say which one it means`
}

const LONGEST_LINE = 300

/** `A) Rome and C) Oslo` in a line is A and C. */
function dropTexts(response: string, choices: readonly string[]): string {
  if (response.length > LONGEST_LINE || response.trim().includes('\n')) return response
  return choices.reduce(
    (text, choice, index) => text.replaceAll(`${LETTERS[index]!}) ${choice}`, LETTERS[index]!),
    response,
  )
}

/** Where several options are right, `ACD` is A, C and D, unless it is the text of an option; so are `A; C` and `A) Rome, C) Oslo`. */
function separateLetters(response: string, { choices = [] }: ChoiceOptions): string {
  const last = LETTERS[(choices.length || LETTERS.length) - 1]!
  const listed = dropTexts(response, choices).replaceAll(
    /(?<![\p{L}\p{N}\\])[A-Z](?:[\s;*-]+[A-Z])+(?![\p{L}\p{N}'’])/gu,
    (letters) => letters.match(/[A-Z]/g)!.join(', '),
  )
  return listed.replaceAll(/(?<![\p{L}\p{N}\\])[A-Z]{2,26}(?![\p{L}\p{N}])/gu, (word) => {
    const letters = [...word]
    const isList = letters.every((letter, index) => letter <= last && (index === 0 || letters[index - 1]! < letter))
    return isList && !choices.some((choice) => simplify(choice) === simplify(word)) ? letters.join(', ') : word
  })
}

export function compareChoice(response: string, expected: string, options: ChoiceOptions = {}): ScoringResult {
  const target = readExpectedLetters(expected)
  const isSeveral = target.includes(',')
  const said = isSeveral ? separateLetters(response, options) : dropTexts(response, options.choices ?? [])
  const found = readChoice(said, options)
  const readings = found.length > 0 || !isSeveral ? found : readSeveralTexts(response, options)
  const [reading] = readings
  if (!reading)
    throw new ScoringError(
      'no-answer',
      response.trim() === ''
        ? 'the response is empty'
        : 'the response names no option, neither by its letter nor by its text',
    )
  const right = readings.find(({ letters, isOpen }) => !isOpen && asSet(letters) === target)
  const counted = right ?? reading
  if (counted.isOpen || (counted.letters.length > 1 && !target.includes(',')))
    throw new ScoringError('answer-unclear', describeOpen(counted))
  return { score: right ? 1 : 0, notes: `${asSet(counted.letters)} read from ${counted.from}` }
}

export const multipleChoice = defineScorer({
  name: 'multiple-choice',
  summary: 'Finds the letter of a choice (or several) in an answer, also in prose',
  expectedOutput: 'required',
  options: z.object({
    choices: z
      .array(z.string().min(1))
      .min(2)
      .max(26)
      .optional()
      .describe('The texts of A, B, C …; by default the options that the prompt lists'),
    answer: answerPlaceSchema,
  }),
  validate(expected = '', { choices }) {
    const letters = readExpectedLetters(expected)
    const last = LETTERS[(choices?.length ?? LETTERS.length) - 1]!
    if (letters.split(', ').some((letter) => letter > last))
      throw new ScoringError('invalid-expected-output', `the expected letter comes after the last choice, ${last}`)
  },
  score: ({ response, expectedOutput = '', prompt }: ScoringInput, { choices, answer }) =>
    compareChoice(response, expectedOutput, { choices: choices ?? findOptions(prompt ?? ''), answer }),
})
