import fieldNames from '../field-names.json' with { type: 'json' }
import { InputError } from '../../../contract/index.ts'
import { looseName, toStructure, toText, type Row } from '../rows/row.ts'
import { findFinalAnswer } from './answers.ts'
import { LETTERS, type Options } from './options.ts'

/** Fields that may hold the key, the surest first. */
const KEYS = fieldNames.keys

/** Options numbered from 1 in the names of their columns, and keyed by number: unless a 0 says otherwise. */
const FROM_ONE = new Set(fieldNames.countedFromOne)
const FROM_ZERO = new Set(fieldNames.countedFromZero)
const KEYS_FROM_ONE = new Set(fieldNames.keysFromOne)

type How = 'marked' | 'letter' | 'label' | 'text' | 'from 0' | 'from 1'
const HOW: readonly How[] = ['label', 'letter', 'text', 'from 0', 'from 1']

const plain = (text: string) =>
  text
    .trim()
    .replace(/[.。]$/, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()

/** LawBench: `正确答案：AC。` or `[正确答案]AC<eoa>`. */
function dropPhrase(key: string): string {
  return key
    .trim()
    .replace(/^[[【]?(?:正确|標準|标准)?答案[\]】]?\s?(?:是|为|[:：])?\s?/u, '')
    .replace(/(?:<eoa>|[。.])$/u, '')
}

/** `B`, `(b)`, `Option B`, `\\boxed{B}`, and `B) Paris` where Paris is option B. */
function readLetter(raw: string, texts: readonly string[]): number {
  const text = dropPhrase(findFinalAnswer(raw) ?? raw)
  const found = /^[\s("'[*]*(?:(?:option|choice|answer)\s+)?([A-Za-z])[\s)"'\]*.:]*$/i.exec(text)
  if (found) return LETTERS.indexOf(found[1]!.toUpperCase())
  const [, letter = '', option = ''] = /^[\s(]*([A-Za-z])\s?[).:、．：]\s*(.+)$/s.exec(text) ?? []
  const place = letter === '' ? -1 : LETTERS.indexOf(letter.toUpperCase())
  return plain(texts[place] ?? '') === plain(option) ? place : -1
}

function readOne(value: unknown, { texts, labels, columns }: Options, how: How): number {
  const text = toText(value)
  if (text === undefined) return -1
  switch (how) {
    case 'marked':
      return -1
    case 'label': {
      const named = labels?.findIndex((label) => plain(label) === plain(text)) ?? -1
      if (named >= 0) return named
      const bare =
        labels?.findIndex((label) => label.toLowerCase() === text.replaceAll(/[().]/g, '').toLowerCase()) ?? -1
      return bare >= 0 || text.length === 1 ? bare : (columns?.indexOf(looseName(text)) ?? -1)
    }
    case 'letter': {
      const letter = typeof value === 'string' ? readLetter(text, texts) : -1
      return letter < texts.length ? letter : -1
    }
    case 'text': {
      if (typeof value !== 'string') return -1
      const exact = texts.indexOf(text)
      // TeleQnA: `option 2: New Radio`.
      const [, number, named] = /^option\s?(\d{1,2})\s?[:.)]\s*(.+)$/is.exec(text) ?? []
      if (number !== undefined && plain(texts[Number(number) - 1] ?? '') === plain(named!)) return Number(number) - 1
      return exact >= 0 ? exact : texts.findIndex((option) => plain(option) === plain(text))
    }
    default: {
      const index = /^\d+(?:\.0)?$/.test(text) ? Number(text) - (how === 'from 1' ? 1 : 0) : -1
      return index < texts.length ? index : -1
    }
  }
}

/** The places of the right options; empty if the value cannot be read so. */
function readKey(value: unknown, options: Options, how: How): number[] {
  const whole = readOne(value, options, how)
  if (whole >= 0) return [whole]
  const found = toStructure(value)
  const several = Array.isArray(found)
    ? (found as unknown[])
    : how === 'letter' && typeof value === 'string' && /^[A-J](?:\s?[,;、，]?\s?[A-J])+$/.test(dropPhrase(value))
      ? dropPhrase(value).match(/[A-J]/g)!
      : how.startsWith('from') && typeof value === 'string' && /^\d{1,2}(?:\s?[,;、]\s?\d{1,2})+$/.test(value.trim())
        ? value.match(/\d+/g)!
        : []
  const places = several.map((item) => readOne(item, options, how))
  return places.includes(-1) ? [] : [...new Set(places)].sort((a, b) => a - b)
}

export interface KeyReading {
  field: string
  how: How
}

/** How often numbers count from 0 or 1 where both would do. */
function preferOne(field: string, values: readonly unknown[], { source }: Options, isText: boolean): boolean {
  if (KEYS_FROM_ONE.has(field)) return true
  // COPA numbers its columns from 1 and its labels from 0.
  const isLabel = field === 'label' && (isText || values.every((value) => typeof value !== 'string'))
  if (FROM_ZERO.has(source) || source.endsWith('0') || (isLabel && source.endsWith('1'))) return false
  if (FROM_ONE.has(source) || source.endsWith('1')) return true
  return !isText && values.some((value) => typeof value === 'string')
}

/** The field and the reading that give a key to most rows. Rows without options of their own are left out. */
export function chooseKey(rows: readonly Row[], optionsOf: (row: Row) => Options | undefined): KeyReading | undefined {
  const found = rows.flatMap((row) => {
    const options = optionsOf(row)
    return options ? [{ row, options }] : []
  })
  if (found.length > 0 && found.every(({ options }) => options.right)) return { field: '', how: 'marked' }
  let best: (KeyReading & { count: number }) | undefined
  for (const field of KEYS) {
    const held = found.filter(({ row }) => row.has(field))
    if (held.length === 0) continue
    const values = held.map(({ row }) => row.get(field))
    const order =
      held.length > 0 && preferOne(field, values, held[0]!.options, rows[0]!.table.isText)
        ? HOW.toSpliced(3, 2, 'from 1', 'from 0')
        : HOW
    for (const how of order) {
      const count = held.filter(({ options }, index) => readKey(values[index], options, how).length > 0).length
      // One wrong row must not turn letters into numbers, nor a zero be lost.
      if (count > 0 && (best === undefined || count > best.count)) best = { field, how, count }
    }
  }
  return best === undefined ? findUnnamedKey(found) : { field: best.field, how: best.how }
}

/** What a model answered or somebody chose is no key. */
const CHOSEN = /pred|model|response|output|guess|selected|chosen|user|student|voted|human/
const KEYS_BY_NAME = /answer|correct|right|gold|solution|truth|label|target|key$|^(?:gt|ans|y)$/

/** A key under a name that nobody knows: in every row it names one of the options. */
function findUnnamedKey(found: readonly { row: Row; options: Options }[]): KeyReading | undefined {
  const first = found[0]?.row
  if (!first || found.length < 2) return undefined
  for (const field of first.table.fields) {
    if (!KEYS_BY_NAME.test(field) || CHOSEN.test(field) || KEYS.includes(field)) continue
    if (found.some(({ options: { source, columns } }) => source === field || columns?.includes(field))) continue
    const how = (['label', 'letter', 'text'] as const).find((way) =>
      found.every(
        ({ row, options }) => typeof row.get(field) === 'string' && readKey(row.get(field), options, way).length > 0,
      ),
    )
    if (how !== undefined) return { field, how }
  }
  return undefined
}

/** MMLU-Redux keeps the key that it found wrong, and has the right one beside it. */
function readCorrection(row: Row, options: Options, how: How): number[] {
  if (row.text('errortype') !== 'wrong_groundtruth') return []
  const corrected = row.get('correctanswer')
  const ways = [...HOW_FALLBACKS[how], 'letter', 'text', 'from 0'] as const
  return ways.map((way) => readKey(corrected, options, way)).find(({ length }) => length > 0) ?? []
}

/** The letters of the right options: `B`, or `A, C`. */
export function readKeyLetters(row: Row, options: Options, { field, how }: KeyReading): string {
  if (how === 'marked' && options.right) return options.right.map((place) => LETTERS[place]!).join(', ')
  const value = row.get(field)
  if (value === undefined) throw new InputError(`has no ${field}, so no right option`)
  const corrected = readCorrection(row, options, how)
  const places =
    corrected.length > 0
      ? corrected
      : HOW_FALLBACKS[how].map((way) => readKey(value, options, way)).find(({ length }) => length > 0)
  if (!places)
    throw new InputError(
      `its ${field} ${JSON.stringify(toText(value) ?? value)} is none of its ${options.texts.length} options`,
    )
  return places.map((place) => LETTERS[place]!).join(', ')
}

const HOW_FALLBACKS: Readonly<Record<How, readonly How[]>> = {
  marked: [],
  letter: ['letter', 'text'],
  label: ['label', 'text', 'letter'],
  text: ['text', 'letter'],
  'from 0': ['from 0'],
  'from 1': ['from 1'],
}
