import { z } from 'zod'
import { findJson } from './find-json.ts'
/**
 * How models announce an answer, in the languages that benchmarks are written in. English needs a verb or a colon after the
 * noun: "the answer to this is" announces, "my answer depends" does not.
 */
const MARKS = String.raw`[*_"'”’\x60)\]]{0,4}`

const ENGLISH = String.raw`(?<![\p{L}])(?:(?:final|correct|right|best|most (?:likely|appropriate)|numerical)\s+){0,2}(?:answers?|(?<=(?:correct|right|best|appropriate)\s{1,3})(?:options?|choices?|statements?)|(?<=final\s{1,3})(?:result|solution|value|choice|option|selection))(?![\p{L}])${MARKS}(?:\s+(?:to|for|of|here|in)\s[^.:\n?]{0,120}?)?`
const IS = String.raw`(?:is|are|was|were|would be|will be|must be|should be|has to be|can only be|could be|might be|may be|equals|becomes|comes out to(?: be)?)(?![\p{L}])(?:\s+(?:therefore|thus|then|hence|clearly|simply|just|indeed|as follows|given by|definitely|actually|probably|likely|most likely|approximately|about|roughly|either))*`
const ENGLISH_LINK = String.raw`(?:\s+${IS}\s{0,3}[*_]{0,3}\s?:?|\s{0,3}(?:[:：=]|[-–—](?=\s)))`

/** A heading of its own: `## Final answer`, `**Answer**`. */
const HEADING = String.raw`^[#*_>\t ]{1,12}(?:(?:the|my)\s)?(?:final\s)?(?:answer|result)[*_:\t ]{0,8}\n`

/** Noun, words that may follow it, and what links it to the answer. */
const OTHERS: readonly (readonly [string, string])[] = [
  // Chinese, Japanese and Korean write no spaces; the colon may be missing after the verb only.
  [String.raw`(?:最终|最終|正确|正確|标准)?(?:的)?答案`, String.raw`(?:应该|應該|应|應)?(?:是|为|為|選|选)|`],
  ['(?:最終的な|正しい)?(?:答え|回答|解答|正解)', 'は|'],
  ['(?:최종\\s?|올바른\\s?)?(?:정답|답변|답)', '은|는|이|'],
  ['(?:richtige |korrekte |endgültige )?(?:antwort|lösung)', 'ist|lautet|wäre|'],
  ['(?:réponse|reponse)(?: (?:finale|correcte|exacte|est donc))?', 'est(?: donc)?|'],
  ['(?:(?:respuesta|solución)(?: (?:final|correcta))?|(?:opción|alternativa|letra) correcta)', 'es|sería|'],
  ['(?:resposta(?: (?:final|correta|certa))?|(?:opção|alternativa) (?:correta|certa))', 'é|seria|'],
  ['(?:risposta(?: (?:finale|corretta|esatta|giusta))?|opzione (?:corretta|giusta))', 'è|sarebbe|'],
  ['(?:juiste |correcte )?antwoord', 'is|'],
  ['(?:poprawna |prawidłowa |ostateczna )?odpowiedź', 'to|jest|brzmi|'],
  ['(?:правильный |окончательный |верный )?ответ', 'это|является|'],
  ['(?:правильна |остаточна )?відповідь', 'це|'],
  ['(?:doğru |nihai )?(?:cevap|yanıt)', ''],
  ['(?:đáp án|câu trả lời)(?: (?:đúng|cuối cùng|chính xác))?', 'là|'],
  ['jawaban(?:nya)?(?: (?:akhir|yang benar|benar))?', 'adalah|'],
  ['(?:rätt |korrekt )?svar(?:et)?', 'är|er|'],
  ['(?:الإجابة|الجواب|الاجابة)(?: (?:الصحيحة|الصحيح|النهائية|النهائي))?', 'هي|هو|'],
  ['(?:सही |अंतिम )?(?:उत्तर|जवाब)', 'है|'],
  ['(?:সঠিক )?(?:উত্তর)', 'হল|হলো|'],
  // NFKC takes its third letter apart.
  ['ค(?:ำ|\u0e4d\u0e32)ตอบ(?:ที่ถูกต้อง)?', 'คือ|'],
  ['(?:jibu|jibu sahihi)', 'ni|'],
]

function otherLanguage([noun, verbs]: readonly [string, string]): string {
  const words = verbs.split('|').filter((verb) => verb !== '')
  const isSpaced = !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}]/u.test(noun)
  const verb =
    words.length === 0 ? '' : isSpaced ? `\\s+(?:${words.join('|')})(?![\\p{L}])` : `\\s?(?:${words.join('|')})`
  const before = isSpaced ? String.raw`(?<![\p{L}])` : ''
  const link =
    verb === '' ? String.raw`\s{0,3}[:：=]` : `(?:${verb}\\s{0,3}[*_]{0,3}[:：]?|\\s{0,3}(?:[:：=]|[-–—](?=\\s)))`
  return `${before}${noun}${MARKS}${link}`
}

/** The end of a match is where the answer begins. */
const ANSWER_PHRASE = new RegExp(
  `(?:${ENGLISH}${ENGLISH_LINK}|${HEADING}|${OTHERS.map(otherLanguage).join('|')})[*_]{0,3}`,
  'gimu',
)

/** What may follow "the answer is" without being one. */
const EMPTY_PRAISE =
  /^(?:(?:indeed|also|very|now|therefore|not) )*(?:correct|incorrect|right|wrong|valid|clear|obvious|reasonable|consistent|accurate|plausible|helpful|useful|verified|confirmed|unique|based on|supported|stated|shown|given (?:above|below)|in the (?:form|range)|already|still|that|what|whether|why|how|because)(?![\p{L}])/iu

/** Where in a response the answer is looked for. */
export const answerPlaceSchema = z
  .enum(['last', 'any', 'whole'])
  .default('last')
  .describe('Which part of a response is the answer: its last conclusion, any conclusion, or the whole response')

export type AnswerPlace = z.output<typeof answerPlaceSchema>

/** An answer found in a response. */
export interface FoundAnswer {
  text: string
  /** Where it stands, for notes. */
  from: string
  /** Where it begins: of several conclusions the last one counts. */
  start: number
}

/** Reasoning that some models write before their answer. */
const THINKING = /^\s*<(think|thinking|reasoning)>.*?<\/\1>/s
const FINAL_CHANNEL = '<|channel|>final<|message|>'

export function dropThinking(response: string): string {
  const channel = response.lastIndexOf(FINAL_CHANNEL)
  const final =
    channel < 0 ? response : response.slice(channel + FINAL_CHANNEL.length).replace(/<\|(?:return|end)\|>/g, '')
  return final.replace(THINKING, '')
}

/** Of more announcements than these only the last count, and none is longer: what is left is done in linear time. */
const MOST_FOUND = 100
const LONGEST_FOUND = 20_000

function lastMatches(text: string, pattern: RegExp): RegExpExecArray[] {
  return [...text.matchAll(pattern)].slice(-MOST_FOUND)
}

/** The text in the braces that open at `open`; undefined if they never close. */
function readBraces(text: string, open: number): string | undefined {
  let depth = 0
  const end = Math.min(text.length, open + LONGEST_FOUND)
  for (let at = open; at < end; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return text.slice(open + 1, at)
  }
  return undefined
}

/** `\boxed{…}`, `\fbox{…}` and `\boxed 5`. Of boxes inside each other the inner one is found last. */
function findBoxes(text: string): FoundAnswer[] {
  return lastMatches(text, /\\(?:boxed|fbox)\s*(?:(\{)|([^\s{\\$]+|\\[A-Za-z]+(?:\{[^{}]*\})*))/g).flatMap((match) => {
    const open = match.index + match[0].length - 1
    const content = match[1] === undefined ? match[2] : readBraces(text, open)
    return content === undefined || content.trim() === ''
      ? []
      : [{ text: content, from: 'the boxed answer', start: match.index }]
  })
}

const NUMBER_LINE = /^[^\p{L}\p{N}]{0,4}\p{N}[\p{N}.,:/ ]*(?:[^\p{L}\p{N}]{0,4}|\s?\p{L}+\.?)$/u

/** `#### 72`, as GSM8K writes answers. A heading of that level is followed by other text, and is no number. */
function findHashLines(text: string): FoundAnswer[] {
  return lastMatches(text, /^[ \t]*####[ \t]*([^\s#].*)$/gm).flatMap(({ 0: line, 1: content = '', index }) => {
    const isLast = text.slice(index + line.length).trim() === ''
    return isLast || NUMBER_LINE.test(content.trim())
      ? [{ text: content, from: 'the line that starts with ####', start: index }]
      : []
  })
}

function findTags(text: string): FoundAnswer[] {
  return lastMatches(text, /<((?:final[_ -]?)?answer)>((?:(?!<\1>).)*?)(?:<\/\1>|$)/gis).flatMap(
    ({ 2: content = '', index }) =>
      content.trim() === '' ? [] : [{ text: content, from: 'the answer tag', start: index }],
  )
}

function writeFoundValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.length > 0) {
    const parts = value.map(writeFoundValue)
    return parts.every((part) => part !== undefined) ? parts.join(', ') : undefined
  }
  return undefined
}

/** The value of the field `answer` of the JSON in a text; its case does not matter. */
function findJsonField(text: string): FoundAnswer[] {
  const start = text.search(/["'](?:final[_ ]?)?answer["']\s*:/i)
  if (start < 0) return []
  const value = findJson(text)?.value
  if (typeof value !== 'object' || value === null) return []
  const fields = Object.entries(value).filter(([name]) => /^(?:final[_ ]?)?answer$/i.test(name))
  const content = fields.length === 1 ? writeFoundValue(fields[0]![1]) : undefined
  return content === undefined || content.trim() === ''
    ? []
    : [{ text: content, from: 'the field answer of the JSON', start }]
}

const ABBREVIATION =
  /(?:^|[^\p{L}])(?:\p{L}|Dr|Mr|Mrs|Ms|St|Mt|Ft|Jr|Sr|Prof|Inc|Ltd|Co|Corp|No|vs|approx|ca|Gen|Col|Sgt)$/u

const REASON = /,?\s(?:because|since|as this|which (?:is|was|means|makes))\s.*/is

/** Up to the end of the first sentence, or to its reason: not `St. Louis`, `J. R. R. Tolkien` or `3.5`. */
function firstSentence(text: string): string {
  const line = text.replace(REASON, '')
  for (const { index } of line.matchAll(/[.!?](?=["”'’)*_\]]{0,3}\s)|[。！？](?!$)/gu)) {
    const before = line.slice(0, index)
    if (line[index] !== '.' || !ABBREVIATION.test(before)) return line.slice(0, index + 1)
  }
  return line
}

/** The line after a phrase such as "the answer is", or the next one if nothing follows on its own. */
function lineAfter(text: string, start: number): string {
  const rest = text.slice(start, start + LONGEST_FOUND).trimStart()
  const line = rest.split('\n', 1)[0]!
  // Display mathematics may take several lines.
  const display = /^(?:\$\$[\s\S]*?\$\$|\\\[[\s\S]*?\\\]|\\begin\{(\w+\*?)\}[\s\S]*?\\end\{\1\})/.exec(rest)?.[0]
  return display ?? line
}

function findPhrases(text: string): FoundAnswer[] {
  const found = lastMatches(text, ANSWER_PHRASE).flatMap((match) => {
    const line = lineAfter(text, match.index + match[0].length)
    return cleanAnswer(line) === '' ? [] : [{ text: line, from: 'the stated answer', start: match.index }]
  })
  // "I checked that the answer is correct" states none.
  const stated = found.filter((answer) => !EMPTY_PRAISE.test(cleanAnswer(answer.text)))
  return stated.length > 0 ? stated : found
}

const FINDERS = [findBoxes, findHashLines, findTags, findJsonField, findPhrases]

/** All answers that a response marks, in the order of its text, by the first of the rules that finds any. */
export function findAnswers(response: string): FoundAnswer[] {
  const text = dropThinking(response)
  for (const find of FINDERS) {
    const found = find(text)
    if (found.length > 0) return found
  }
  return []
}

const FENCE = /^```[^\n`]*\n([\s\S]*?)\n?```$/

/** A longer text is no short answer: its marks are left. */
const LONGEST_MARKED = 20_000

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”',
  '„': '“',
  '«': '»',
  "'": "'",
  '‘': '’',
  '「': '」',
}

function unquote(text: string): string {
  const close = QUOTES[text.charAt(0)]
  const inside = text.slice(1, -1)
  return close !== undefined && text.length > 2 && text.endsWith(close) && !inside.includes(close) ? inside : text
}

function dropInlineMarks(text: string): string {
  if (text.length > LONGEST_MARKED) return text
  return text
    .replace(/!?\[([^\]\n]{1,500})\]\([^()\s]{1,2000}\)/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)(.{1,2000}?)(?<=\S)\1/gs, '$2')
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]{1,2000}?)(?<=[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_\\])_(?=[^\s_])([^_\n]{1,2000}?)(?<=[^\s_])_(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/^(`{1,3})([^`]+)\1([.。]?)$/, '$2$3')
}

/** Without Markdown's marks, quotation marks around it, and a final full stop. */
function cleanAnswer(raw: string): string {
  const trimmed = raw.trim()
  const inFence = (FENCE.exec(trimmed)?.[1] ?? trimmed).trim()
  let text = dropInlineMarks(inFence.replace(/^(?:[-*+>]|#{1,6})[ \t]+/, ''))
  for (let before = ''; before !== text;) {
    before = text
    text = unquote(
      text
        .replace(/^(?:\*\*|__)+/, '')
        .replace(/(?<![*_])[*_]{2,}$/, '')
        .replace(/(?<!\.)[.。．]$/u, '')
        .trim(),
    )
  }
  return text
}

/**
 * The answer in a response, by the first of these rules that finds one: the last `\boxed{…}`; the last line `#### …`; the
 * last `<answer>…</answer>`; the field `answer` of its JSON; what follows the last "the answer is", "Answer:", "答案" and
 * their like, up to the end of the sentence; else all of it.
 */
export function readAnswer(response: string, place: AnswerPlace = 'last'): FoundAnswer {
  return readAnswers(response, place)[0]!
}

/** One answer or, with `any`, all that a response marks. Never empty. */
export function readAnswers(response: string, place: AnswerPlace = 'last'): FoundAnswer[] {
  const whole = { text: cleanAnswer(dropThinking(response)), from: 'the whole answer', start: 0 }
  if (place === 'whole') return [{ ...whole, text: cleanAnswer(response) }]
  const found = findAnswers(response)
  const chosen = place === 'any' ? [...found.toReversed(), whole] : found.slice(-1)
  if (chosen.length === 0) return [whole]
  return chosen.map((answer) => ({ ...answer, text: cleanAnswer(narrow(answer)) }))
}

/** Japanese and Korean put the verb last. */
const POLITE_ENDING = /\s*(?:です|である|になります|となります|입니다|이다|이에요|예요)[.。]?$/u

/** A tag or a field may hold a sentence that names the answer. */
function narrow({ text, from }: FoundAnswer): string {
  if (from === 'the stated answer') return firstSentence(text.trim()).replace(POLITE_ENDING, '')
  const inner = from === 'the whole answer' ? undefined : findPhrases(text).at(-1)?.text
  return inner === undefined ? text : firstSentence(inner)
}
