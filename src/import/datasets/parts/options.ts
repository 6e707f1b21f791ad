import fieldNames from '../field-names.json' with { type: 'json' }
import { isRecord } from '../../../contract/index.ts'
import { looseName, toStructure, toText, type Row, type RowTable } from '../rows/row.ts'

export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

export interface Options {
  texts: string[]
  /** The dataset's own labels, such as 1 to 4. */
  labels?: string[] | undefined
  /** Where the options stand, which tells how the key counts them: the field, or the first of the columns. */
  source: string
  /** The columns that hold them: a key may name one. */
  columns?: string[]
  /** They stand in the question already. */
  isInQuestion?: boolean
  /** The places of the right ones, where the options themselves say so: `{ text, correct: true }`. */
  right?: number[]
}

const LISTS = fieldNames.options
const TEXT_KEYS = ['text', 'content', 'value', 'option', 'choice', 'aoVal', 'answer', 'atext']
const LABEL_KEYS = ['label', 'key', 'id', 'letter', 'aoVal', 'aid']
const RIGHT_KEYS = ['correct', 'isCorrect', 'is_correct', 'right', 'isRight', 'isanswer', 'is_answer', 'label', 'score']

/** What stands before the letter or number in the names of columns with an option each. */
const STEMS = fieldNames.optionColumnStems
/** Alphabets in which columns are lettered; keys use the same letters. */
const ALPHABETS = ['abcdefghijklmnop', 'أبجدهو', 'ابجدهو', 'абвгд', 'αβγδε', 'अबसद', 'กขคง', '가나다라마', '甲乙丙丁']

/** `(A)2`, `A. two`, `a ) two`: without its letter, if every option has the one of its place. */
function stripLetters(texts: readonly string[]): string[] {
  const stripped = texts.map((text, index) => {
    const letter = LETTERS[index] ?? '?'
    const found =
      new RegExp(String.raw`^\s*(?:\(\s*${letter}\s*\)|${letter}\s*[.):、．：])\s*`, 'i').exec(text) ??
      (texts.length > 2 ? new RegExp(String.raw`^\s*${letter}\s+`).exec(text) : null)
    return found ? text.slice(found[0].length) : undefined
  })
  return stripped.every((text) => text !== undefined && text !== '') ? (stripped as string[]) : [...texts]
}

/** Marks that are not A, B, C: `(1) two`, `ก. สอง`; then they are the labels of the options. */
function splitMarks(texts: readonly string[]): { texts: string[]; labels?: string[] } {
  const stripped = stripLetters(texts)
  if (stripped.some((text, index) => text !== texts[index])) return { texts: stripped }
  const found = texts.map((text) =>
    /^\s*(?:\(\s?(\d|\p{L}\p{M}?)\s?\)|(\d|\p{L}\p{M}?)(?:\s?\)|[.、．：](?=\s)))\s*(\S.*)$/su.exec(text),
  )
  const marks = found.flatMap((match) => match?.[1] ?? match?.[2] ?? [])
  const isSeries =
    marks.length === texts.length &&
    (marks.every((mark, index) => mark === String(index + 1)) ||
      ALPHABETS.some((alphabet) => marks.every((mark, index) => mark === alphabet[index])))
  return isSeries ? { texts: found.map((match) => match![3]!.trim()), labels: marks } : { texts: [...texts] }
}

/** Lettered options in one text: `a ) 38 , b ) 27.5`, or a line each. */
function splitLettered(text: string): { texts: string[]; start: number } | undefined {
  const marks: { start: number; end: number }[] = []
  const mark = /(?<![\p{L}\p{N}\\])(?:\(\s?([A-Za-z])\s?\)|([A-Za-z])\s?[.):、．：])(?=\s|\S)/gu
  for (const match of text.matchAll(mark)) {
    const letter = (match[1] ?? match[2]!).toUpperCase()
    // A new A starts again: the last list of the text counts.
    if (letter === 'A' && startsItem(text, match.index)) marks.splice(0)
    if (letter === LETTERS[marks.length] && startsItem(text, match.index))
      marks.push({ start: match.index, end: match.index + match[0].length })
  }
  if (marks.length < 2) return undefined
  const texts = marks.map(({ end }, index) =>
    text
      .slice(end, marks[index + 1]?.start ?? text.length)
      .trim()
      .replace(/\s*[,;，；]$/, ''),
  )
  const last = texts.at(-1)!.split(/\n\s*\n|\n(?=A(?:nswer)?:)/)[0]!
  texts[texts.length - 1] = last
  return texts.every((option) => option !== '') ? { texts, start: marks[0]!.start } : undefined
}

/** An option begins a line, or follows a comma, a blank or a bracket. */
function startsItem(text: string, at: number): boolean {
  return at === 0 || /[\s,;，；\]}'"?？。]/.test(text[at - 1]!)
}

/** Options that stand in the question itself, each on a line. */
export function findEmbeddedOptions(question: string): Options | undefined {
  const found = splitLettered(question)
  if (!found) return undefined
  const marks = question.match(/^\s*(?:\([A-Z]\)|[A-Z][.):、．：])/gm) ?? []
  // ARC's own tables have them on one line: `… (A) red (B) blue (C) green`.
  const isOneLine =
    /Answer Choices:|选项/i.test(question) ||
    (/\(A\)\s?.+\(B\)\s?.+\(C\)/s.test(question) && found.texts.length > 2) ||
    (/A[:：.、．].+B[:：.、．].+C[:：.、．].+D[:：.、．]/s.test(question) && found.texts.length > 3) ||
    // QuaRel and QuaRTz ask which of two.
    /\(A\)\s[^()\n]{1,200}\(B\)\s[^()\n]{1,200}$/.test(question)
  return marks.length >= 2 || isOneLine ? { texts: found.texts, source: 'question', isInQuestion: true } : undefined
}

/** The right ones of `{ text, correct: true }, { text, correct: false }`. */
function findRight(items: readonly Record<string, unknown>[]): number[] | undefined {
  const isRight = (value: unknown) => value === true || value === 1 || value === 1n
  for (const key of RIGHT_KEYS) {
    const values = items.map((item) => item[key])
    if (!values.every((value) => isRight(value) || value === false || value === 0 || value === 0n)) continue
    const right = values.flatMap((value, index) => (isRight(value) ? [index] : []))
    if (right.length > 0 && right.length < items.length) return right
  }
  return undefined
}

function fromList(list: readonly unknown[], source: string): Options | undefined {
  const items: unknown[] = list.map((item) => (Array.isArray(item) && item.length === 1 ? (item[0] as unknown) : item))
  if (items.length === 1 && Array.isArray(items[0])) return fromList(items[0], source)
  if (items.every((item) => isRecord(item))) {
    const textKey = TEXT_KEYS.find((key) => items.every((item) => toText(item[key]) !== undefined && key !== 'aoVal'))
    const labelKey = LABEL_KEYS.find((key) => items.every((item) => toText(item[key]) !== undefined))
    if (textKey === undefined) return undefined
    const right = findRight(items)
    return {
      texts: items.map((item) => toText(item[textKey])!),
      ...(right && { right }),
      labels: labelKey === undefined ? undefined : items.map((item) => toText(item[labelKey])!),
      source,
    }
  }
  const texts = items.map((item) => toText(item))
  while (texts.length > 0 && texts.at(-1) === undefined) texts.pop()
  return texts.length >= 2 && texts.every((text) => text !== undefined) ? { ...splitMarks(texts), source } : undefined
}

function fromObject(value: Record<string, unknown>, source: string): Options | undefined {
  const { text, label, choices, labels } = value
  const texts = Array.isArray(text) ? text : choices
  const names = Array.isArray(label) ? label : labels
  if (Array.isArray(texts)) {
    const found = fromList(texts, source)
    const own = Array.isArray(names) ? names.map((name) => toText(name) ?? '') : undefined
    return found && { ...found, labels: own?.length === found.texts.length ? own : undefined }
  }
  const entries = Object.entries(value).filter(([, option]) => toText(option) !== undefined)
  const isLettered = entries.every(([key]) => /^\(?[A-Za-z\d]{1,2}\)?$/.test(key))
  if (entries.length < 2 || !isLettered) return undefined
  const sorted = entries.toSorted(([a], [b]) => (a.length === b.length ? (a < b ? -1 : 1) : a.length - b.length))
  return { texts: sorted.map(([, option]) => toText(option)!), labels: sorted.map(([key]) => key), source }
}

/** The columns of a family: `option_0 …` or `option_1 …`, `choice_a …`, `Antwort A …`. */
function listColumns(stem: string, fields: ReadonlySet<string>): string[] {
  const numbers = Array.from({ length: LETTERS.length + 1 }, (_, index) => String(index))
  const families = [numbers, numbers.slice(1), ...ALPHABETS.map((alphabet) => [...alphabet])]
  for (const marks of stem === '' ? families.slice(2) : families) {
    const names = marks.map((mark) => `${stem}${mark}`)
    const end = names.findIndex((name) => !fields.has(name))
    if (end >= 2) return names.slice(0, end)
  }
  return []
}

/** Stems in the words of other languages: `antwort` is an answer. */
function listStems({ fields }: RowTable): string[] {
  const translated = [...fields].flatMap((name) => {
    const stem = /^(\p{L}[\p{L}\p{M}]+?)(?:[01]|a|أ|ا|а|α)$/u.exec(name)?.[1]
    return stem !== undefined && ['answer', 'options'].includes(looseName(stem)) ? [stem] : []
  })
  return ['', ...STEMS, ...translated]
}

/** Of an unknown stem, such as `holding_0 …`: three or more columns of text. */
function findUnknownFamily(table: RowTable): string[] | undefined {
  return [...table.fields]
    .flatMap((name) => /^(.*\p{L})[01]$/u.exec(name)?.[1] ?? [])
    .map((stem) => listColumns(stem, table.fields))
    .find(
      (names) =>
        names.length > 2 && table.rows.every((row) => names.every((name) => /\p{L}/u.test(row.text(name) ?? 'a'))),
    )
}

function findFamily(table: RowTable): string[] | undefined {
  return (
    listStems(table)
      .map((stem) => listColumns(stem, table.fields))
      .find(({ length }) => length >= 2) ?? findUnknownFamily(table)
  )
}

function fromColumns(row: Row): Options | undefined {
  const names = row.table.once('option columns', ([first]) => first && findFamily(first.table))
  if (!names) return undefined
  const texts: string[] = []
  for (const name of names) {
    const text = row.text(name)
    if (text === undefined) break
    texts.push(text)
  }
  if (texts.length < 2) return undefined
  const first = names[0]!
  const isLatin = /[a-z\d]$/.test(first)
  return {
    texts: stripLetters(texts),
    source: first,
    columns: names.slice(0, texts.length),
    ...(!isLatin && { labels: names.slice(0, texts.length).map((name) => name.at(-1)!) }),
  }
}

const ANSWER_KEYS = ['label', 'correctanswerid', 'correctindex', 'answerindex', 'correctidx', 'ra', 'solution']

/** A question's options from a list, an object, lettered text or columns; not those inside the question. */
export function findOptions(row: Row): Options | undefined {
  for (const name of LISTS) {
    const value = row.get(name)
    if (value === undefined) continue
    const found = toStructure(value)
    const options = Array.isArray(found)
      ? fromList(found, name)
      : isRecord(found)
        ? fromObject(found, name)
        : readOptionText(toText(found), name)
    if (options) return options
  }
  const columns = fromColumns(row)
  if (columns) return columns
  // ReClor calls its options answers.
  const answers = row.structure('answers')
  const options = Array.isArray(answers)
    ? fromList(answers, 'answers')
    : isRecord(answers) && Object.keys(answers).every((key) => /^[A-Za-z]$/.test(key))
      ? fromObject(answers, 'answers')
      : undefined
  if (options?.right || (options && ANSWER_KEYS.some((name) => row.has(name)))) return options
  // IndoMMLU has them lettered in the answer, beside the key.
  const answer = row.has('answerkey') ? row.text('answer') : undefined
  const lettered = answer === undefined ? undefined : splitLettered(answer)
  return lettered && { texts: lettered.texts, source: 'answer' }
}

function readOptionText(text: string | undefined, source: string): Options | undefined {
  if (text === undefined) return undefined
  const lettered = splitLettered(text)
  if (lettered) return { texts: lettered.texts, source }
  const parts = text.split(/\r?\n|[|;]/).map((part) => part.trim())
  return parts.length >= 2 && parts.every((part) => part !== '') ? { texts: stripLetters(parts), source } : undefined
}

/** One line for each option. */
export function writeOptions(texts: readonly string[]): string {
  return texts.map((text, index) => `${LETTERS[index]!}) ${text}`).join('\n')
}
