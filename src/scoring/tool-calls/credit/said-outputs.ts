import { escapePattern, LongInteger, readNumeral } from '../../../contract/index.ts'
import { EXPONENT, POWER, readNumbers } from '../../text/read-numbers.ts'

/** Dates as people write them: `2024-05-20`, `May 20, 2024`, `20th of May`, `05/20/2024`, `5/20`. */
interface CalendarDate {
  year?: number
  month: number
  day: number
}

/**
 * Which of the expected outputs the agent said, each in one of its messages. Numbers and dates are compared by value, as
 * people write them; other text ignoring case, spacing, commas and emphasis, as whole words.
 */
export function findOutputs(expected: readonly string[], said: readonly string[]): boolean[] {
  const messages = said.map(readMessage)
  return expected.map((output) => {
    const isSaid = createSearch(output)
    return messages.some(isSaid)
  })
}

interface Message {
  text: string
  numbers(): ReadonlySet<number | string>
  dates(): readonly CalendarDate[]
}

function readMessage(content: string): Message {
  let numbers: ReadonlySet<number | string> | undefined
  let dates: readonly CalendarDate[] | undefined
  return {
    text: simplify(content),
    numbers: () => (numbers ??= findNumbers(content)),
    dates: () => (dates ??= findDates(content)),
  }
}

function createSearch(output: string): (message: Message) => boolean {
  const number = readOutputNumber(output)
  if (number !== undefined) return ({ numbers }) => numbers().has(number)
  const wanted = simplify(output)
  if (wanted === '') return () => true
  const date = readDate(output)
  const pattern = new RegExp(
    `${/^[\p{L}\p{N}]/u.test(wanted) ? '(?<![\\p{L}\\p{N}])' : ''}${escapePattern(wanted)}${
      /[\p{L}\p{N}]$/u.test(wanted) ? '(?:s|es)?(?![\\p{L}\\p{N}])' : ''
    }`,
    'u',
  )
  return ({ text, dates }) =>
    pattern.test(text) || (date !== undefined && dates().some((found) => agreesWithDate(date, found)))
}

/** Lower case, straight quotes and plain dashes, single spaces, no commas and none of Markdown's marks. */
function simplify(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[*`,]|__|~~/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const currency = '[$€£¥₹]|usd|eur|gbp'
/** `1234.50`, `1,234.50`, `1 234.50` with narrow spaces, `1.234,50`, `.5`. */
const numeral =
  "\\d{1,3}(?:[,\\u00a0\\u202f'’]\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:\\.\\d{3})+,\\d+|\\d+(?:\\.\\d+)?|\\.\\d+"
/** `6.02e23`, `6.02 × 10^23`, `10^6`. */
const scientific = `(?:\\d[\\d,]*(?:\\.\\d+)?|\\.\\d+)(?:${EXPONENT})|10(?:${POWER})`
const wholeNumber = createWholeNumber(numeral)
const wholeScientific = createWholeNumber(scientific)
const anyNumber = new RegExp(`(?<![\\p{L}\\p{N}_.])(${numeral})(?!\\p{N}|\\.\\d|,\\d{3}(?!\\d))`, 'giu')
const anyScientific = new RegExp(`(?<![\\p{L}\\p{N}_.]|\\d,)(?:${scientific})(?![\\p{L}\\p{N}]|\\.\\d)`, 'giu')

function createWholeNumber(spelled: string): RegExp {
  return new RegExp(`^[-+−]?\\s*(?:${currency})?\\s*[-+−]?(${spelled})\\s*(?:${currency}|%|dollars?)?\\.?$`, 'iu')
}

/** Reads an output that is one number; the sign is left out, because text says "a refund of $5" for -5. */
function readOutputNumber(output: string): number | string | undefined {
  const text = plainSeparators(output.trim())
  const power = wholeScientific.exec(text)?.[1]
  if (power !== undefined) return readNumbers(power).at(-1)
  const found = wholeNumber.exec(text)?.[1]
  return found === undefined ? undefined : valueOf(found)
}

/** LaTeX's `1{,}234`, and thin spaces. */
function plainSeparators(text: string): string {
  return text.replaceAll('{,}', ',').replaceAll('\u2009', '\u202f')
}

/** The value, or the digits of a whole number that JavaScript would round. */
function valueOf(spelled: string): number | string {
  const isContinental = /^\d{1,3}(\.\d{3})+,\d+$/.test(spelled)
  const plain = isContinental ? spelled.replaceAll('.', '').replace(',', '.') : spelled
  const value = readNumeral(plain.replace(/[,\u00a0\u202f'’]/g, ''))
  return value instanceof LongInteger ? value.digits : value
}

function findNumbers(text: string): ReadonlySet<number | string> {
  const found = new Set<number | string>()
  const rest = plainSeparators(text)
    .replace(/`|__/g, ' ')
    .replace(anyScientific, (spelled: string) => {
      for (const value of readNumbers(spelled)) found.add(value)
      return ' ; '
    })
  for (const [, spelled] of rest.replaceAll('*', ' ').matchAll(anyNumber)) {
    const value = valueOf(spelled!)
    // An output with an exponent is no exact whole number: for it the rounded value will do.
    found.add(value).add(Number(value))
  }
  return found
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const ordinal = '(\\d{1,2})(?:st|nd|rd|th)?'
const year = '(\\d{4})'

/** Each spelling with the positions of year, month and day among its groups; 0 if it has no year. */
const spellings: readonly { source: string; year: number; month: number; day: number }[] = [
  { source: `${year}[-/.](\\d{1,2})[-/.](\\d{1,2})`, year: 1, month: 2, day: 3 },
  { source: `${monthName}\\s+(?:the\\s+)?${ordinal},?\\s+${year}`, year: 3, month: 1, day: 2 },
  { source: `${ordinal}\\s+(?:of\\s+)?${monthName},?\\s+${year}`, year: 3, month: 2, day: 1 },
  { source: `(\\d{1,2})[-/.](\\d{1,2})[-/.]${year}`, year: 3, month: 1, day: 2 },
  { source: `${monthName}\\s+(?:the\\s+)?${ordinal}`, year: 0, month: 1, day: 2 },
  { source: `${ordinal}\\s+(?:of\\s+)?${monthName}`, year: 0, month: 2, day: 1 },
  { source: '(\\d{1,2})/(\\d{1,2})', year: 0, month: 1, day: 2 },
]
const wholeDates = spellings.map((spelling) => ({
  ...spelling,
  pattern: new RegExp(`^${spelling.source}(?:[t ]00:00(?::00)?(?:\\.0+)?z?)?$`, 'iu'),
}))
const anyDates = spellings.map((spelling) => ({
  ...spelling,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}/-])${spelling.source}(?![\\p{L}\\p{N}/])`, 'giu'),
}))

/** Most arguments are no dates: this spares them the patterns. */
const dateOpening = /^\s*(?:\d{1,4}(?:st|nd|rd|th)?[-/. ]|[a-z]{3,9}\.?\s+(?:the\s+)?\d)/i

/** Reads text that is one date with a year, in any of the usual spellings. */
export function readFullDate(text: string): Required<CalendarDate> | undefined {
  if (text.length > 40 || !dateOpening.test(text)) return undefined
  const date = readDate(text)
  return date?.year === undefined ? undefined : { ...date, year: date.year }
}

function readDate(text: string): CalendarDate | undefined {
  for (const { pattern, ...groups } of wholeDates) {
    const found = pattern.exec(text.trim())
    if (found) return toDate(found, groups)
  }
  return undefined
}

function findDates(text: string): CalendarDate[] {
  const found: CalendarDate[] = []
  let rest = text.replace(/[*`]|__/g, '')
  // Longer spellings first, each taken out once found: `May 20, 2024` is not also `May 20` of any year.
  for (const { pattern, ...groups } of anyDates)
    rest = rest.replace(pattern, (...match) => {
      const date = toDate(match.map(String), groups)
      if (date) found.push(date)
      return date ? ' ; ' : String(match[0])
    })
  return found
}

function toDate(
  found: readonly (string | undefined)[],
  groups: { year: number; month: number; day: number },
): CalendarDate | undefined {
  let month = readMonth(found[groups.month]!)
  let day = Number(found[groups.day])
  // 20/05/2024 can only be a day before a month.
  if (month > 12 && day <= 12) [month, day] = [day, month]
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined
  return { month, day, ...(groups.year > 0 && { year: Number(found[groups.year]) }) }
}

function readMonth(text: string): number {
  const named = months.indexOf(text.slice(0, 3).toLowerCase())
  return named < 0 ? Number(text) : named + 1
}

function agreesWithDate(a: CalendarDate, b: CalendarDate): boolean {
  const isSameYear = a.year === undefined || b.year === undefined || a.year === b.year
  return isSameYear && a.month === b.month && a.day === b.day
}
