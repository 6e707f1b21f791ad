import { z } from 'zod'
import { ScoringError, writeNumber, type ScoringInput, type ScoringResult } from '../contract/index.ts'
import { defineScorer, isBlank } from './scorer.ts'
import { bleu, chrf, normalizeText, rougeL, wordF1 } from './text/overlap-measures.ts'
import { answerPlaceSchema, dropThinking, readAnswers, type AnswerPlace } from './text/read-answer.ts'
import { readNumbers } from './text/read-numbers.ts'
import { isSameText } from './text/same-text.ts'

const metricSchema = z.enum(['normalized-match', 'f1', 'rouge-l', 'bleu', 'chrf'])

type Metric = z.output<typeof metricSchema>

/** The longest common subsequence of longer texts takes more than a few milliseconds. */
const SLOW_PRODUCT = 20_000_000
const SLOW_LENGTH = 20_000

const COPULA =
  /^.{1,300}?(?:(?<![\p{L}])(?:is|was|are|were|will be|would be)|['’]s)\s+(?:(?:called|named|known as|probably|likely|indeed)\s+)?(.+)$/isu
const DENIAL =
  /(?<![\p{L}])(?:not|never|neither|nor|no|or|isn['’]?t|wasn['’]?t|aren['’]?t|don['’]?t|doesn['’]?t|didn['’]?t|cannot|can['’]?t|unlike|except|instead|rather)(?![\p{L}])/iu
const FIRST_WORD = /^\W{0,3}(yes|no|true|false)(?=\s?[,.;:!–—-]|\s*\n)/i
/** Words that a repeated question adds. */
const GLUE = new Set(
  'is was are were be been it its this that there he she they in of and on at about approximately roughly'.split(' '),
)
/** Scripts without blanks: what stands before the answer, what may stand after it, and what denies it. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const UNSPACED_GLUE = new Set('是为為的在于於上下中里裡就即はがのをにです。ますた')
const UNSPACED_DENIAL = /[不没沒非否或]|ない|ません|または|아니|않|또는/u
const UNSPACED_COPULA =
  /^(?:.{0,100}?(?:は|が|是|为|為|[은는이가]\s))?(.{1,100}?)(?:です|である|だ|になります|입니다|이다|예요|이에요)?[。.！!]?$/su

function isOneSentence(text: string): boolean {
  return (
    text.length <= 300 &&
    !/[.!?。！？]["”)*]*\s+\S/u.test(text.replaceAll(/(?<!\p{L})\p{L}\.\s/gu, '')) &&
    !text.includes('\n')
  )
}

function answerWords(text: string): string[] {
  return normalizeText(text).split(' ').filter(Boolean)
}

/** "Michio Sugeno received the award in 2010": the accepted answer, and otherwise only words of the question. */
function repeatsQuestion(sentence: string, accepted: string, prompt: string): boolean {
  const question = new Set(answerWords(prompt))
  const wanted = normalizeText(accepted)
  const words = ` ${normalizeText(sentence)} `
  if (wanted === '' || answerWords(accepted).every((word) => question.has(word))) return false
  if (UNSPACED.test(wanted)) return repeatsCharacters(sentence, wanted, prompt)
  const at = words.indexOf(` ${wanted} `)
  const given = readNumbers(sentence)
  if (at < 0 || !readNumbers(accepted).every((number) => given.includes(number))) return false
  const rest = `${words.slice(0, at)} ${words.slice(at + wanted.length + 1)}`.split(' ').filter(Boolean)
  return rest.length > 0 && rest.every((word) => question.has(word) || GLUE.has(word))
}

function repeatsCharacters(sentence: string, wanted: string, prompt: string): boolean {
  const said = normalizeText(sentence)
  const at = said.indexOf(wanted)
  if (at < 0 || UNSPACED_DENIAL.test(said)) return false
  const question = new Set(normalizeText(prompt))
  return [...said.slice(0, at), ...said.slice(at + wanted.length)].every(
    (character) => character === ' ' || question.has(character) || UNSPACED_GLUE.has(character),
  )
}

/** A box in LaTeX holds text as `\\text{Paris}`. */
function dropLatex(text: string): string {
  return text
    .replaceAll(/\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox)\s?\{([^{}]{0,1000})\}/g, '$1')
    .replace(/^\$+(.*?)\$+$/s, '$1')
    .replaceAll(/\\[ ,;!]/g, ' ')
    .replaceAll(/\\([%$&#_])/g, '$1')
}

/** "Paris, which lies on the Seine" */
const RELATIVE = /,\s(?:which|who|where|whose|located|situated|founded|born)\s.*$/isu
/** "written by Jane Austen", "held in Rome" */
const PARTICIPLE = /^(?:(?:first|originally|also)\s)?\p{L}+(?:ed|en|un|ld|de|ht|nd|wn|rn)\s(?:by|in|on|at)\s(.+)$/isu
/** "in 1998", "approximately 42": of numbers and dates only. */
const ABOUT_NUMBER =
  /^(?:in|on|at|around|about|approximately|roughly|circa|ca\.|nearly|≈|~)\s?(?:the year )?(?=[$€£]?\d|\p{Lu}\p{Ll}+\s\d)/iu
const CORRECTION =
  /(?<![\p{L}])(?:wait|actually|correction|but|however|sorry|although|though|instead|otherwise|on second thought)(?![\p{L}])/iu

/** "Paris. It lies on the Seine": the answer, and something about it. */
function readOpening(text: string): string | undefined {
  const [, opening = '', rest = ''] = /^([^\n]{1,100}?)(?:\.\s+(?=\p{Lu})|\n\s*)(\S.*)$/su.exec(text) ?? []
  return opening === '' ||
    rest.split('\n', 1)[0]!.split(/\s+/).length < 3 ||
    /[?:,;]$/.test(opening.trim()) ||
    DENIAL.test(rest) ||
    CORRECTION.test(rest) ||
    UNSPACED_DENIAL.test(rest)
    ? undefined
    : opening
}

/** What a short sentence gives as the answer: itself, and what follows "… is". */
function readCandidates(text: string): string[] {
  const plain = dropLatex(text).replace(/\s*\([^()]{0,200}\)$/, '')
  const bare = plain.replace(/^\d{1,2}[.)]\s+(?=[^\d\s])/, '').replace(ABOUT_NUMBER, '')
  const yesNo = FIRST_WORD.exec(text)?.[1]
  const predicate = isOneSentence(text) && !DENIAL.test(text) ? COPULA.exec(text)?.[1] : undefined
  const isUnspaced =
    isOneSentence(text) && !UNSPACED_DENIAL.test(text) && /\p{Script=Hangul}/u.test(text) !== UNSPACED.test(text)
  const said = isUnspaced ? UNSPACED_COPULA.exec(text)?.[1] : undefined
  const clause = predicate?.replace(RELATIVE, '').replace(ABOUT_NUMBER, '')
  const agent = clause === undefined ? undefined : PARTICIPLE.exec(clause)?.[1]
  return [text, plain, bare, readOpening(text), yesNo, predicate, clause, agent, said].filter(
    (candidate) => candidate !== undefined && candidate.trim() !== '',
  ) as string[]
}

interface OverlapOptions {
  metric?: Metric
  answer?: AnswerPlace | undefined
  /** The task that was answered: a sentence that repeats it gives an answer too. */
  prompt?: string | undefined
}

function isMatch(answers: readonly string[], accepted: string, prompt: string | undefined): boolean {
  // The key may be the sentence: "The capital of Peru is Lima".
  const isSentence =
    prompt !== undefined &&
    /是|は/u.test(accepted) !== COPULA.test(accepted) &&
    isOneSentence(accepted) &&
    !DENIAL.test(accepted)
  return answers.some(
    (answer) =>
      readCandidates(answer).some(
        (candidate) => isSameText(candidate, accepted) || (isSentence && repeatsQuestion(accepted, candidate, prompt)),
      ) ||
      (prompt !== undefined &&
        isOneSentence(answer) &&
        !DENIAL.test(answer) &&
        repeatsQuestion(answer, accepted, prompt)),
  )
}

function measureOverlap(
  metric: Metric,
  answers: readonly string[],
  accepted: readonly string[],
  prompt?: string,
): number {
  const best = (of: (answer: string, one: string) => number) =>
    Math.max(...answers.flatMap((answer) => accepted.map((one) => of(answer, one))))
  switch (metric) {
    case 'normalized-match':
      return accepted.some((one) => isMatch(answers, one, prompt)) ? 1 : 0
    case 'f1':
      return best(wordF1)
    case 'rouge-l':
      return best(rougeL)
    case 'bleu':
      return Math.max(...answers.map((response) => bleu([{ response, references: accepted }])))
    case 'chrf':
      return Math.max(...answers.map((response) => chrf([{ response, references: accepted }])))
  }
}

/** Compares an answer with the accepted ones; the best counts. */
export function compareOverlap(
  response: string,
  accepted: readonly string[],
  { metric = 'normalized-match', answer, prompt }: OverlapOptions = {},
): ScoringResult {
  // A translation or a summary is its whole text; a fact is what a sentence gives as the answer.
  const isFact = metric === 'normalized-match' || metric === 'f1'
  const found =
    isFact || answer !== undefined
      ? readAnswers(response, answer ?? 'last')
      : [{ text: dropThinking(response).trim(), from: 'the whole answer' }]
  const score = measureOverlap(
    metric,
    found.map(({ text }) => text),
    accepted,
    prompt,
  )
  const read = `read from ${found[0]!.from}`
  if (metric !== 'normalized-match') return { score, notes: `${metric} ${writeNumber(score, 3)}, ${read}` }
  return { score, notes: `${score === 1 ? 'an accepted answer' : 'no accepted answer'}, ${read}` }
}

function listAccepted(expected: string | undefined, accepted: readonly string[] = []): string[] {
  return [...(isBlank(expected) ? [] : [expected!]), ...accepted]
}

export const textOverlap = defineScorer({
  name: 'text-overlap',
  summary: 'Compares a text with one or several accepted ones: a short fact, or how much of their words it has',
  options: z.object({
    metric: metricSchema
      .default('normalized-match')
      .describe(
        'normalized-match: the same but for case, punctuation, articles and Markdown; f1: shared words; rouge-l, bleu, chrf: for summaries and translations',
      ),
    accepted: z.array(z.string().min(1)).min(1).optional().describe('Other accepted answers: the best match counts'),
    answer: answerPlaceSchema.unwrap().optional(),
  }),
  validate(expected, { accepted }) {
    if (listAccepted(expected, accepted).length === 0)
      throw new ScoringError('invalid-expected-output', 'text-overlap needs an expected output, or a list accepted')
  },
  isSlow: ({ response, expectedOutput }, { metric, accepted }) => {
    const wanted = listAccepted(expectedOutput, accepted).join('').length
    return metric === 'rouge-l' ? response.length * wanted > SLOW_PRODUCT : response.length + wanted > SLOW_LENGTH
  },
  score: ({ response, expectedOutput, prompt }: ScoringInput, { metric, accepted, answer }) =>
    compareOverlap(response, listAccepted(expectedOutput, accepted), { metric, answer, prompt }),
})
