import fieldNames from '../field-names.json' with { type: 'json' }
import { isRecord } from '../../../contract/index.ts'
import { isMissing, toStructure, toText, type Row } from '../rows/row.ts'

const ANSWERS = fieldNames.answers
const ALIASES = fieldNames.aliases

/** All texts that count as right in a value: a text, a list, or an object as SQuAD, TriviaQA and DROP have it. */
export function listAnswers(value: unknown): string[] {
  // Text with brackets may be an interval, `[2, 5]`: a list of answers has quotes.
  const found = typeof value === 'string' && !/^\s*[[{][^]*["']/.test(value) ? value : toStructure(value)
  // A list of texts has several answers; a list of numbers is one of several parts.
  if (Array.isArray(found) && found.length > 1 && found.every((item) => typeof item === 'number'))
    return [found.join(', ')]
  if (Array.isArray(found)) return [...new Set(found.flatMap((item) => listAnswers(item)))]
  if (!isRecord(found)) return [toText(found)].flatMap((text) => text ?? [])
  const named = new Map(Object.entries(found).map(([name, inner]) => [name.toLowerCase(), inner]))
  const { spans, number, date } = Object.fromEntries(named)
  if (number !== undefined || spans !== undefined || date !== undefined) {
    const texts = listAnswers(spans)
    // Several spans are one answer of several parts.
    const joined = texts.length > 1 && number !== undefined ? [texts.join(', ')] : texts
    const day = isRecord(date) ? ['day', 'month', 'year'].flatMap((part) => toText(date[part]) ?? []).join(' ') : ''
    return [...listAnswers(number), ...joined, ...(day === '' ? [] : [day])]
  }
  const parts = [
    // Mintaka
    'mention',
    'value',
    'text',
    'answer',
    'aliases',
    'normalized_aliases',
    'normalizedaliases',
    'input_text',
    'content',
    // QASPER
    'extractive_spans',
    'free_form_answer',
  ]
  if (typeof named.get('yes_no') === 'boolean') return [named.get('yes_no') === true ? 'Yes' : 'No']
  if (named.get('unanswerable') === true) return ['unanswerable']
  return [...new Set(parts.flatMap((part) => listAnswers(named.get(part))))]
}

/** True if the answer would be a label that is a number: what it stands for is not in the file. */
export function hasNumberedLabels(row: Row): boolean {
  return row.table.once('numbered labels', (rows) => {
    const name = ANSWERS.find((field) => rows.some((other) => other.has(field)))
    return name === 'label' && rows.every((other) => /^-?\d{1,2}(?:\.0)?$/.test(other.text('label') ?? '0'))
  })
}

/** The value of the field that most likely holds the answer. */
function findAnswerValue(row: Row): unknown {
  for (const name of ANSWERS) {
    const value = row.get(name)
    if (!isMissing(value) && listAnswers(value).length > 0) return value
  }
  return undefined
}

/** FreshQA: answer_0, and in some rows other wordings in answer_1 and so on. Columns that all rows fill are options. */
function listNumberedAnswers(row: Row): string[] {
  const isWordings = row.table.once(
    'numbered answers',
    (rows) =>
      rows.every((other) => other.has('answer0')) &&
      rows.filter((other) => other.has('answer2')).length * 2 < rows.length,
  )
  return isWordings ? Array.from({ length: 20 }, (_, index) => listAnswers(row.get(`answer${index}`))).flat() : []
}

/** The answer and others that count as right. */
export function findAnswers(row: Row): string[] {
  const named = listAnswers(findAnswerValue(row))
  const own =
    named.length > 0 ? named : row.has('q', 'a') && !row.has('b') ? listAnswers(row.get('a')) : listNumberedAnswers(row)
  return own.length === 0 ? [] : [...new Set([...own, ...ALIASES.flatMap((name) => listAnswers(row.get(name)))])]
}

/** The content of the last `\boxed{…}` or `\fbox{…}`. */
function findBoxed(text: string): string | undefined {
  const start = Math.max(text.lastIndexOf(String.raw`\boxed`), text.lastIndexOf(String.raw`\fbox`))
  if (start < 0) return undefined
  const open = text.slice(start).search(/[{\s]/) + start
  if (open < start) return undefined
  if (text[open] !== '{') return /^\s+([^\s$.,]+)/.exec(text.slice(open))?.[1]
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return text.slice(open + 1, at).trim()
  }
  return undefined
}

/** The answer at the end of a worked solution: after `####`, in a box, or after "the answer is". */
export function findFinalAnswer(solution: string): string | undefined {
  const marked = /(?:^|\n)\s*####\s*(.+?)\s*$/.exec(solution)?.[1]
  return marked ?? findBoxed(solution) ?? /the (?:final )?answer is:?\s*\$?([^\n$]+?)\$?\.?\s*$/i.exec(solution)?.[1]
}

const NUMBER = /^[-+−]?[$€£¥]?\s?[-+−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:\s?[/:]\s?\d+)?(?:e[-+]?\d+)?\s?%?$/i

export function isNumber(text: string): boolean {
  return NUMBER.test(text.trim())
}

/** A number or LaTeX, and nothing that is a sentence. */
export function isMathematical(text: string): boolean {
  const bare = text.trim()
  if (isNumber(bare)) return true
  if (/\\[a-z{!,;]|[\^_]|^\$.*\$$/i.test(bare)) return true
  if (/^[a-z](?:\s?[-+*/=]\s?[a-z])+$/.test(bare)) return true
  return /\d|^[-+a-z]$/i.test(bare) && /^[\s\d+\-*/=().,:a-z<>[\]]{1,40}$/i.test(bare) && !/[a-z]{3,}/i.test(bare)
}

/** `9 (apples)` is 9; dollar signs around LaTeX are not part of it. */
export function trimMathematical(text: string): string {
  const bare = text
    .trim()
    // Math23K writes one and a half so: 1(1/2).
    .replace(
      /^(\d+)\((\d+)\/(\d+)\)$/,
      (_, whole, top, bottom) => `${Number(whole) * Number(bottom) + Number(top)}/${bottom}`,
    )
    .replace(/^(-?[\d.,/:]+)\s*\([^()]*\p{L}[^()]*\)$/u, '$1')
    .replace(/\.$/, '')
  const inner = /^\$\$?([^$]+)\$\$?$/.exec(bare)?.[1] ?? bare
  return inner.trim()
}

export function countWords(text: string): number {
  // Chinese and Japanese write about two characters a word, and no blanks.
  const characters = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  return text.split(/\s+/).filter((word) => word !== '').length + Math.floor(characters / 2)
}
