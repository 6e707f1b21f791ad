import { readCluster, type Suite, type TestCase } from '../../contract/index.ts'
import { writeQuestions } from '../../scoring/index.ts'
import { readNumbers } from '../../scoring/text/read-numbers.ts'
import { formatPercent } from '../words/numbers.ts'
import { quote, type Finding } from './finding.ts'

/** Of what is asked, at least this share is in both questions, rare words counting more. */
const SHARED_FROM = 0.5
/** Less is enough if no other case has this key: that they share it is then no accident. */
const SHARED_FROM_WITH_OWN_KEY = 0.35
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
  (
    'a an the of in on at to for from by with and or is are was were be been do does did has have had can could would will shall should may might must i you we it its this that these those there what whats which who whos whom whose when where why how s t me my your our us please name give tell state list find say write provide answer answers question only just one word with its as so ' +
    // German, French, Spanish, Italian, Portuguese
    'bitte der die das den dem des ein eine einer eines einem einen ist sind war waren und oder von vom zu zum zur im am mit fur wer wie was wo wann warum welche welcher welches welchen wieviel wieviele heisst nenne nennen sage antworte ' +
    'le la les l un une de du d est sont etait et ou en au aux qui que quoi quel quelle quels quelles comment pourquoi quand combien sil vous plait nomme donne reponds ' +
    'el los las uno es son era y o del al por favor quien cual cuales cuando como donde cuantos cuantas di nombra responde ' +
    'il lo gli i e sono di da che chi quale quali quando dove quanti quante qual quem onde quantos quantas os da do dos das'
  ).split(' '),
)
/** The same in scripts without blanks, a character each: 的 是 什么 哪里 谁 吗 呢 请问 多少, and Japanese particles. */
const ASKING_CHARACTERS: ReadonlySet<string> = new Set(
  '的是什么哪里个谁誰吗呢请請问問几多少何はがのをにでてとかすましたん',
)
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Words that turn a question around. */
const TURNING: ReadonlySet<string> = new Set(
  (
    'not no never without except least most more less fewer before after first last non cannot isnt doesnt dont ' +
    'nicht kein keine keinen keiner nie niemals ohne ausser vor nach erste ersten letzte letzten mehr weniger meisten ' +
    'ne pas jamais sans sauf avant apres premier premiere dernier derniere plus moins ' +
    'nunca sin excepto antes despues primero primera ultimo ultima mas menos mai senza prima dopo primo ' +
    '不 没 無 无 非 未 最 前 后 後 ない'
  ).split(' '),
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

/** Words in scripts without blanks are not known; their characters are. */
function splitWord(word: string): string[] {
  if (!WITHOUT_BLANKS.test(word)) return [word]
  return Array.from(word).filter((character) => !ASKING_CHARACTERS.has(character))
}

function readQuestion(testCase: TestCase, suite: Suite): Question | undefined {
  const asked = writeQuestions(testCase, suite.variants)
  const vars = testCase.vars ? Object.entries(testCase.vars).flat().join(' ') : ''
  const text = normalise(`${asked ?? ''} ${vars}`)
  if (text === '') return undefined
  const words = new Set(
    text
      .split(' ')
      .flatMap(splitWord)
      .filter((word) => !ASKING.has(word)),
  )
  return { testCase, text, words, numbers: readNumbers(`${asked ?? ''} ${vars}`).join(' ') }
}

/** What a right answer is. Cases scored in different ways may ask the same on purpose. */
function expectationKey({ expectedOutput, checks, scoringMethod, ...options }: TestCase): string {
  const expected = checks?.map((check) => [check.scoringMethod, check.expectedOutput])
  // Of a conversation: where it begins, who asks, and what it has to come to.
  const { world, setup, before, user, turns, reference, endState, task } = options
  const conversation = [world, setup, before, user, turns, reference, endState, task]
  return JSON.stringify([
    normalise(expectedOutput ?? ''),
    scoringMethod,
    expected,
    options['expectedCalls'],
    ...conversation,
  ])
}

/** The same word but for its ending: `capital` and `capitals`. */
function isVariant(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.length >= FUZZY_FROM && long.length - short.length <= 2 && long.startsWith(short.slice(0, -1))
}

function hasWord({ words }: Question, word: string): boolean {
  return words.has(word) || (word.length >= FUZZY_FROM && [...words].some((known) => isVariant(word, known)))
}

/** The share of the weight of all words that is in both. */
function shareWords(a: Question, b: Question, weightOf: (word: string) => number): number {
  let both = 0
  let all = 0
  for (const word of a.words) {
    const weight = weightOf(word)
    all += weight
    if (hasWord(b, word)) both += weight
  }
  for (const word of b.words) if (!hasWord(a, word)) all += weightOf(word)
  return all === 0 ? 0 : both / all
}

/** What only one of them has may be a few words more, or other endings; never other words in their place. */
function differLittle(a: Question, b: Question): boolean {
  const onlyIn = (one: Question, other: Question) => [...one.words].filter((word) => !hasWord(other, word))
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
  const add = (key: string, question: Question) => {
    const group = groups.get(key)
    if (group) group.push(question)
    else groups.set(key, [question])
  }
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

function quoteCases(a: Question, b: Question, suite: Suite): string[] {
  return [a, b].map(({ testCase }) => `${testCase.id}: ${quote(writeQuestions(testCase, suite.variants) ?? '')}`)
}

/** Cases of one cluster count once however many they are. */
function areOneCluster(a: TestCase, b: TestCase, { clusterBy }: Suite): boolean {
  const cluster = readCluster(a, clusterBy)
  return cluster !== undefined && cluster === readCluster(b, clusterBy)
}

/** Cases that ask the same, or almost; and those that ask the same and expect something else. */
export function findNearDuplicates(suite: Suite): Finding[] {
  const questions = suite.testCases.flatMap((testCase) => readQuestion(testCase, suite) ?? [])
  const countOf = new Map<string, number>()
  for (const { words } of questions) for (const word of words) countOf.set(word, (countOf.get(word) ?? 0) + 1)
  const weightOf = (word: string) => Math.log((questions.length + 1) / countOf.get(word)!)
  // A case is in many pairs, of which nearly none is a finding: what is costly is made once, or for findings only.
  const ownKeys = new Map(suite.testCases.map((testCase) => [testCase, expectationKey(testCase)]))
  const keys = Map.groupBy(suite.testCases, (testCase) => ownKeys.get(testCase)!)
  const findings: Finding[] = []
  for (const [a, b] of findCandidates(questions, countOf).values()) {
    const caseIds = [a.testCase.id, b.testCase.id]
    const key = ownKeys.get(a.testCase)!
    const isSameKey = key === ownKeys.get(b.testCase)
    if (a.numbers !== b.numbers) continue
    if (a.text === b.text && !isSameKey) {
      const [first, second] = [a.testCase.expectedOutput, b.testCase.expectedOutput]
      if (first === undefined || second === undefined || normalise(first) === normalise(second)) continue
      findings.push({
        kind: 'contradiction',
        caseIds,
        sentence: `${caseIds.join(' and ')} ask the same and expect different answers: ${quote(first)} and ${quote(second)}.`,
        evidence: quoteCases(a, b, suite),
      })
      continue
    }
    const shared = shareWords(a, b, weightOf)
    const sharedFrom = keys.get(key)!.length === 2 ? SHARED_FROM_WITH_OWN_KEY : SHARED_FROM
    if (!isSameKey || (a.text !== b.text && !(differLittle(a, b) && shared >= sharedFrom))) continue
    if (areOneCluster(a.testCase, b.testCase, suite)) continue
    findings.push({
      kind: 'near-duplicate',
      caseIds,
      sentence: `${caseIds.join(' and ')} ask ${a.text === b.text ? 'the same' : 'almost the same'}: together they count it twice.`,
      evidence: [
        ...quoteCases(a, b, suite),
        a.text === b.text
          ? 'The same words and the same key.'
          : `${formatPercent(shared, 0)} of their words in common, rare words counting more; the same key.`,
      ],
    })
  }
  return findings
}
