import type { Suite, TestCase } from '../../contract/index.ts'
import { describeQuestions } from '../../scoring/index.ts'
import { readNumbers } from '../../scoring/text/read-numbers.ts'
import { formatPercent } from '../words/numbers.ts'
import { quote, type Finding } from './finding.ts'

/** Of what is asked, at least this share is in both questions, rare words counting more. */
const SHARED_FROM = 0.5
/** A question with more added to it is another one. */
const MOST_ADDED_WORDS = 2
const MOST_ADDED_SHARE = 0.2
/** Words this long may differ by a letter or an ending. */
const FUZZY_FROM = 5

/** Only cases that share a rare word are compared, so that large suites stay quick. */
const RARE_WORDS = 6
const LARGEST_GROUP = 60
/** Words that ask, and say nothing about what is asked. */
const ASKING: ReadonlySet<string> = new Set(
  'a an the of in on at to for from by with and or is are was were be been do does did has have had can could would will shall should may might must i you we it its this that these those there what whats which who whos whom whose when where why how s t me my your our us please name give tell state list find say write provide answer answers question only just one word with its as so'.split(
    ' ',
  ),
)
/** Words that turn a question around. */
const TURNING: ReadonlySet<string> = new Set(
  'not no never without except least most more less fewer before after first last non cannot isnt doesnt dont'.split(
    ' ',
  ),
)

interface Question {
  testCase: TestCase
  text: string
  words: Set<string>
  numbers: string
}

/** Without case, accents and punctuation; signs of arithmetic are words. */
function normalise(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/(?<=\p{L})-(?=\p{L})/gu, ' ')
    .replaceAll(/[-−+*/^=<>%×÷]/gu, ' $& ')
    .replaceAll(/(?!(?<=\d)[.,:](?=\d))[^\p{L}\p{N}\-−+*/^=<>%×÷]+/gu, ' ')
    .trim()
}

function readQuestion(testCase: TestCase, suite: Suite): Question | undefined {
  const asked = describeQuestions(testCase, suite.variants)
  const vars = testCase.vars ? Object.entries(testCase.vars).flat().join(' ') : ''
  const text = normalise(`${asked ?? ''} ${vars}`)
  if (text === '') return undefined
  const words = new Set(text.split(' ').filter((word) => !ASKING.has(word)))
  return { testCase, text, words, numbers: readNumbers(`${asked ?? ''} ${vars}`).join(' ') }
}

/** What a right answer is. Cases scored in different ways may ask the same on purpose. */
function keyOf({ expectedOutput, checks, scoringMethod, ...options }: TestCase): string {
  const expected = checks?.map((check) => [check.scoringMethod, check.expectedOutput])
  return JSON.stringify([normalise(expectedOutput ?? ''), scoringMethod, expected, options['expectedCalls']])
}

/** The share of the weight of all words that is in both. */
function shareWords(a: Question, b: Question, weightOf: (word: string) => number): number {
  let both = 0
  let all = 0
  for (const word of a.words) {
    const weight = weightOf(word)
    all += weight
    if (b.words.has(word)) both += weight
  }
  for (const word of b.words) if (!a.words.has(word)) all += weightOf(word)
  return all === 0 ? 0 : both / all
}

/** The same word but for its ending: `capital` and `capitals`. */
function isVariant(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.length >= FUZZY_FROM && long.length - short.length <= 2 && long.startsWith(short.slice(0, -1))
}

/** What only one of them has may be a few words more, or other endings; never other words in their place. */
function differLittle(a: Question, b: Question): boolean {
  const onlyIn = (one: Question, other: Question) =>
    [...one.words].filter((word) => !other.words.has(word) && ![...other.words].some((known) => isVariant(word, known)))
  const [left, right] = [onlyIn(a, b), onlyIn(b, a)]
  if ([...left, ...right].some((word) => TURNING.has(word)) || (left.length > 0 && right.length > 0)) return false
  const most = Math.max(MOST_ADDED_WORDS, MOST_ADDED_SHARE * Math.min(a.words.size, b.words.size))
  return left.length + right.length <= most
}

/** Pairs of questions that share one of their rarest words, or all of their text. */
function findCandidates(
  questions: readonly Question[],
  countOf: ReadonlyMap<string, number>,
): Map<string, [Question, Question]> {
  const groups = new Map<string, Question[]>()
  const add = (key: string, question: Question) => groups.set(key, [...(groups.get(key) ?? []), question])
  for (const question of questions) {
    add(`text ${question.text}`, question)
    const rare = [...question.words].toSorted((a, b) => countOf.get(a)! - countOf.get(b)!).slice(0, RARE_WORDS)
    for (const word of rare) if (countOf.get(word)! <= LARGEST_GROUP) add(`word ${word}`, question)
  }
  const pairs = new Map<string, [Question, Question]>()
  for (const group of groups.values())
    for (const [index, a] of group.slice(0, LARGEST_GROUP).entries())
      for (const b of group.slice(index + 1, LARGEST_GROUP))
        pairs.set(JSON.stringify([a.testCase.id, b.testCase.id]), [a, b])
  return pairs
}

function describePair(a: Question, b: Question, suite: Suite): string[] {
  return [a, b].map(({ testCase }) => `${testCase.id}: ${quote(describeQuestions(testCase, suite.variants) ?? '')}`)
}

/** Cases that ask the same, or almost; and those that ask the same and expect something else. */
export function findNearDuplicates(suite: Suite): Finding[] {
  const questions = suite.testCases.flatMap((testCase) => readQuestion(testCase, suite) ?? [])
  const countOf = new Map<string, number>()
  for (const { words } of questions) for (const word of words) countOf.set(word, (countOf.get(word) ?? 0) + 1)
  const weightOf = (word: string) => Math.log((questions.length + 1) / countOf.get(word)!)
  const findings: Finding[] = []
  for (const [a, b] of findCandidates(questions, countOf).values()) {
    const caseIds = [a.testCase.id, b.testCase.id]
    const isSameKey = keyOf(a.testCase) === keyOf(b.testCase)
    const evidence = describePair(a, b, suite)
    if (a.numbers !== b.numbers) continue
    if (a.text === b.text && !isSameKey) {
      const [first, second] = [a.testCase.expectedOutput, b.testCase.expectedOutput]
      if (first === undefined || second === undefined || normalise(first) === normalise(second)) continue
      findings.push({
        kind: 'contradiction',
        caseIds,
        sentence: `${caseIds.join(' and ')} ask the same and expect different answers: ${quote(first)} and ${quote(second)}.`,
        evidence,
      })
      continue
    }
    const shared = shareWords(a, b, weightOf)
    if (!isSameKey || (a.text !== b.text && !(differLittle(a, b) && shared >= SHARED_FROM))) continue
    findings.push({
      kind: 'near-duplicate',
      caseIds,
      sentence: `${caseIds.join(' and ')} ask ${a.text === b.text ? 'the same' : 'almost the same'}: together they count it twice.`,
      evidence: [
        ...evidence,
        a.text === b.text
          ? 'The same words and the same key.'
          : `${formatPercent(shared, 0)} of their words in common, rare words counting more; the same key.`,
      ],
    })
  }
  return findings
}
