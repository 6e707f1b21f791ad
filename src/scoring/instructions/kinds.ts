import { z } from 'zod'
import { countMatches, escapePattern } from '../../contract/index.ts'
import { detectLanguage, languageCode } from './detect-language.ts'

/** One of IFEval's instructions: what it needs to know, and whether a response follows it. */
interface InstructionKind<Fields extends z.ZodObject = z.ZodObject> {
  fields: Fields
  follows(response: string, fields: z.output<Fields>): boolean | Promise<boolean>
}

function defineKind<Fields extends z.ZodObject>(
  fields: Fields,
  follows: InstructionKind<Fields>['follows'],
): InstructionKind {
  return { fields, follows: (response, given) => follows(response, fields.parse(given)) }
}

const count = z.number().int().nonnegative()
const relation = z.enum(['less than', 'at least'])
const none = z.object({})

function compares(actual: number, wanted: number, how: z.output<typeof relation>): boolean {
  return how === 'less than' ? actual < wanted : actual >= wanted
}

/** IFEval's keywords are patterns that it does not escape; one that is none is taken as text. */
function keywordPattern(keyword: string, flags: string, isWord = false): RegExp {
  // As Python has it: letters of all languages are parts of words.
  const [start, end] = isWord ? [String.raw`(?<![\p{L}\p{N}\p{M}_])`, String.raw`(?![\p{L}\p{N}\p{M}_])`] : ['', '']
  try {
    return new RegExp(`${start}${keyword}${end}`, `${flags}u`)
  } catch {
    return new RegExp(`${start}${escapePattern(keyword)}${end}`, `${flags}u`)
  }
}

const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|vs|etc|e\.g|i\.e|a\.m|p\.m|No|Inc|Ltd|Co|Corp|Gen|Rep|Sen|U\.S|approx)$/u

/** As nltk's sentence tokenizer does, which knows abbreviations; an approximation of it. */
export function countSentences(text: string): number {
  const trimmed = text.trim()
  if (trimmed === '') return 0
  let sentences = 1
  for (const match of trimmed.matchAll(
    /(?:([.!?…]+)["'”’)*\]]*\s+(?=["'“‘(*[]*[\p{Lu}\p{Lo}\p{N}])|[。！？।؟]+(?=\s*\S))/gu,
  )) {
    const isAbbreviated =
      match[1] === '.' && ABBREVIATION.test(trimmed.slice(Math.max(0, match.index - 12), match.index))
    if (!isAbbreviated) sentences++
  }
  return sentences
}

/** Python's `isupper`: a letter with case, and none of the other case. */
function isUpper(text: string): boolean {
  return /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text)
}

function isLower(text: string): boolean {
  return /\p{Ll}/u.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text)
}

/** A language that cannot be detected counts as followed. */
async function isIn(language: string, text: string): Promise<boolean> {
  const detected = await detectLanguage(text)
  return detected === undefined || detected === languageCode(language)
}

const OPTIONS = ['My answer is yes.', 'My answer is no.', 'My answer is maybe.']

function countHighlights(text: string): number {
  const single = text.match(/\*[^\n*]*\*/g) ?? []
  const double = text.match(/\*\*[^\n*]*\*\*/g) ?? []
  return [...single, ...double].filter((mark) => mark.replaceAll('*', '').trim() !== '').length
}

function hasParagraphs(text: string, wanted: number): boolean {
  const parts = text.split(/\s?\*\*\*\s?/)
  const last = parts.length - 1
  if (parts.some((part, index) => part.trim() === '' && index !== 0 && index !== last)) return false
  return parts.filter((part) => part.trim() !== '').length === wanted
}

function startsParagraph(text: string, { num_paragraphs, nth_paragraph, first_word }: Paragraph): boolean {
  const parts = text.split('\n\n')
  const filled = parts.filter((part) => part.trim() !== '').length
  const nth = parts[nth_paragraph - 1]?.trim() ?? ''
  if (nth_paragraph > filled || nth === '') return false
  const word = nth.split(/\s+/, 1)[0]!.replace(/^'+/, '').replace(/^"+/, '')
  return filled === num_paragraphs && word.split(/[.,?!'"]/, 1)[0]!.toLowerCase() === first_word.toLowerCase()
}

const paragraphFields = z.object({ num_paragraphs: count, nth_paragraph: count.min(1), first_word: z.string().min(1) })
type Paragraph = z.output<typeof paragraphFields>

function hasPostscript(text: string, marker: string): boolean {
  const lower = text.toLowerCase()
  if (marker.trim() === 'P.P.S') return /p\.\s?p\.\s?s/.test(lower)
  if (marker.trim() === 'P.S.') return /p\.\s?s\./.test(lower)
  return lower.includes(marker.trim().toLowerCase())
}

function isJson(text: string): boolean {
  try {
    JSON.parse(
      text
        .trim()
        .replace(/^```(?:json|Json|JSON)?/, '')
        .replace(/```$/, '')
        .trim(),
    )
    return true
  } catch {
    return false
  }
}

function hasTwoResponses(text: string): boolean {
  const parts = text.split('******')
  const filled = parts.filter((part) => part.trim() !== '')
  const isGap = parts.some((part, index) => part.trim() === '' && index !== 0 && index !== parts.length - 1)
  return !isGap && filled.length === 2 && filled[0]!.trim() !== filled[1]!.trim()
}

/** Words as nltk's tokenizer finds them, as far as capital letters are concerned. */
function countCapitalWords(text: string): number {
  const words = text.match(/[\p{L}\p{N}\p{M}_]+(?:[-.&/][\p{L}\p{N}\p{M}]+)*/gu) ?? []
  return words.filter(isUpper).length
}

/** IFEval's 25 kinds by their names in the dataset (instruction_following_eval, google-research). */
export const instructionKinds: Readonly<Record<string, InstructionKind>> = {
  'keywords:existence': defineKind(z.object({ keywords: z.array(z.string().min(1)).min(1) }), (text, { keywords }) =>
    keywords.every((keyword) => keywordPattern(keyword, 'i').test(text)),
  ),
  'keywords:frequency': defineKind(
    z.object({ keyword: z.string().trim().min(1), frequency: count, relation }),
    (text, { keyword, frequency, relation: how }) =>
      compares(countMatches(text, keywordPattern(keyword, 'gi')), frequency, how),
  ),
  'keywords:forbidden_words': defineKind(
    z.object({ forbidden_words: z.array(z.string().min(1)).min(1) }),
    (text, { forbidden_words }) => !forbidden_words.some((word) => keywordPattern(word, 'i', true).test(text)),
  ),
  'keywords:letter_frequency': defineKind(
    z.object({ letter: z.string().min(1), let_frequency: count, let_relation: relation }),
    (text, { letter, let_frequency, let_relation }) =>
      compares(text.toLowerCase().split(letter.trim().toLowerCase()).length - 1, let_frequency, let_relation),
  ),
  'language:response_language': defineKind(z.object({ language: z.string().min(2) }), (text, { language }) =>
    isIn(language, text),
  ),
  'length_constraints:number_sentences': defineKind(
    z.object({ num_sentences: count, relation }),
    (text, { num_sentences, relation: how }) => compares(countSentences(text), num_sentences, how),
  ),
  'length_constraints:number_paragraphs': defineKind(z.object({ num_paragraphs: count }), (text, { num_paragraphs }) =>
    hasParagraphs(text, num_paragraphs),
  ),
  'length_constraints:number_words': defineKind(
    z.object({ num_words: count, relation }),
    (text, { num_words, relation: how }) => compares(countMatches(text, /[\p{L}\p{N}\p{M}_]+/gu), num_words, how),
  ),
  'length_constraints:nth_paragraph_first_word': defineKind(paragraphFields, startsParagraph),
  'detectable_content:number_placeholders': defineKind(
    z.object({ num_placeholders: count }),
    (text, { num_placeholders }) => countMatches(text, /\[[^\]\n]*\]/g) >= num_placeholders,
  ),
  'detectable_content:postscript': defineKind(
    z.object({ postscript_marker: z.string().min(1) }),
    (text, { postscript_marker }) => hasPostscript(text, postscript_marker),
  ),
  'detectable_format:number_bullet_lists': defineKind(
    z.object({ num_bullets: count }),
    (text, { num_bullets }) =>
      countMatches(text, /^[ \t]*\*[^*\n].*$/gm) + countMatches(text, /^[ \t]*-.*$/gm) === num_bullets,
  ),
  'detectable_format:constrained_response': defineKind(none, (text) => OPTIONS.some((option) => text.includes(option))),
  'detectable_format:number_highlighted_sections': defineKind(
    z.object({ num_highlights: count }),
    (text, { num_highlights }) => countHighlights(text) >= num_highlights,
  ),
  'detectable_format:multiple_sections': defineKind(
    z.object({ section_spliter: z.string().trim().min(1), num_sections: count }),
    (text, { section_spliter, num_sections }) =>
      countMatches(text, keywordPattern(String.raw`${section_spliter}\s?\d+`, 'g')) >= num_sections,
  ),
  'detectable_format:json_format': defineKind(none, isJson),
  'detectable_format:title': defineKind(none, (text) =>
    (text.match(/<<[^\n]+>>/g) ?? []).some((title) => title.replace(/^<+/, '').replace(/>+$/, '').trim() !== ''),
  ),
  'combination:two_responses': defineKind(none, hasTwoResponses),
  'combination:repeat_prompt': defineKind(
    z.object({ prompt_to_repeat: z.string().min(1) }),
    (text, { prompt_to_repeat }) => text.trim().toLowerCase().startsWith(prompt_to_repeat.trim().toLowerCase()),
  ),
  'startend:end_checker': defineKind(z.object({ end_phrase: z.string().min(1) }), (text, { end_phrase }) =>
    text
      .trim()
      .replace(/^"+|"+$/g, '')
      .toLowerCase()
      .endsWith(end_phrase.trim().toLowerCase()),
  ),
  'startend:quotation': defineKind(none, (text) => /^"[\s\S]*"$/.test(text.trim())),
  'change_case:capital_word_frequency': defineKind(
    z.object({ capital_frequency: count, capital_relation: relation }),
    (text, { capital_frequency, capital_relation }) =>
      compares(countCapitalWords(text), capital_frequency, capital_relation),
  ),
  'change_case:english_capital': defineKind(none, async (text) => isUpper(text) && isIn('en', text.toLowerCase())),
  'change_case:english_lowercase': defineKind(none, async (text) => isLower(text) && isIn('en', text)),
  'punctuation:no_comma': defineKind(none, (text) => !text.includes(',')),
}
