import { dropAccents } from '../../contract/index.ts'
import { readNumbers } from './read-numbers.ts'
import { normalizeText } from './overlap-measures.ts'

const NUMBER_WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH = String.raw`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`
const DATES: readonly (readonly [RegExp, 'dmy' | 'mdy' | 'ymd'])[] = [
  [new RegExp(`^(?:the )?${DAY}(?: of)? ${MONTH},? (\\d{3,4})$`, 'i'), 'dmy'],
  [new RegExp(`^${MONTH} ${DAY},? (\\d{3,4})$`, 'i'), 'mdy'],
  [/^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/, 'ymd'],
  [/^(\d{4})年(\d{1,2})月(\d{1,2})日$/, 'ymd'],
]

/** `1776-7-4` for a text that is a whole date, however it is written; `7/4/1776` could be two days. */
function readDate(text: string): string | undefined {
  for (const [pattern, order] of DATES) {
    const parts = pattern.exec(text.trim().replace(/^on /i, ''))?.slice(1)
    if (!parts) continue
    const value = (letter: string) => parts[order.indexOf(letter)]!
    const month = value('m')
    const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1 || Number(month)
    return `${Number(value('y'))}-${number}-${Number(value('d'))}`
  }
  return undefined
}

/** What people write in several ways and means the same: `1 000`, `seven`, `50 percent`. */
function unify(text: string): string {
  return (
    text
      .normalize('NFKC')
      // J. K. and J.K.
      .replaceAll(/(?<!\p{L})(\p{Lu})\.\s?(?=\p{Lu}\.)/gu, '$1')
      .replaceAll(/(?<![\d.,])(\d{1,3})(?: \d{3})+(?![\d.,]?\d)/g, (number) => number.replaceAll(' ', ''))
      .replaceAll(/\s?(?:percent|per cent)\b/gi, '%')
      .replaceAll(/\p{L}+/gu, (word) => {
        const number = NUMBER_WORDS.indexOf(word.toLowerCase())
        return number < 0 ? word : String(number)
      })
  )
}

/**
 * True if SQuAD's normalisation makes two texts the same and no number in them differs: without punctuation 3.5 would be
 * 35, and -5 would be 5.
 */
export function isSameText(given: string, wanted: string): boolean {
  const [a, b] = [unify(given), unify(wanted)]
  const date = readDate(b)
  if (date !== undefined && readDate(a) === date) return true
  const [first, second] = [joinUnits(normalizeText(a)), joinUnits(normalizeText(b))]
  if (first === '' || second === '') return isSameMarks(given, wanted)
  if (first !== second && dropAccents(first) !== dropAccents(second)) {
    // Groups of digits, decimals and currencies of one number: `1000.00` and `$1,000`.
    return isNumberAlone(a) && isNumberAlone(b) && readNumbers(a)[0] === readNumbers(b)[0]
  }
  return readNumbers(a).join(' ') === readNumbers(b).join(' ') && signsOf(a) === signsOf(b)
}

/** 5 km and 5km */
const joinUnits = (text: string): string => text.replaceAll(/(?<=\d) (?=\p{L})/gu, '')

/** `] ]` and `]]`, or `(A)` and `A`: nothing is left of them without punctuation and articles. */
function isSameMarks(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => text.replaceAll(/\s+/g, '').toLowerCase())
  const [first, second] = [a!, b!].map((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, ''))
  return a === b || (first === second && first !== '')
}

/** C++ and C# are not C. */
function signsOf(text: string): string {
  return text.match(/(?<=\p{L})[+#]+/gu)?.join(' ') ?? ''
}

function isNumberAlone(text: string): boolean {
  return /^[-+−]?[$€£¥]?[-+−]?[\d.,]*\d%?$/.test(text.trim()) && readNumbers(text).length === 1
}
