import translations from '../field-translations.json' with { type: 'json' }
import { dropAccents, isRecord } from '../../../contract/index.ts'
import { parseLiteral } from './literals.ts'
import type { OddRow } from './odd-rows.ts'

const TRANSLATED = new Map(
  Object.entries(translations).flatMap(([name, others]) => others.map((other) => [dropAccents(other), name] as const)),
)

/**
 * Ignores case, separators, accents and language: `Correct Answer`, `correct_answer` and `correctAnswer` are one name, and
 * so are `Antwort` and `answer`. Of a name in two languages, on a line each, the last counts.
 */
export function looseName(name: string): string {
  const lines = name.trim().split('\n')
  const loose = lines
    .at(-1)!
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s_\u200c-]/g, '')
    .replace(/\((e?s)\)$/, '$1')
  return TRANSLATED.get(dropAccents(loose)) ?? loose
}

/** `null`, blank text, and the NaN that pandas writes for a missing value. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === 'NaN' || (typeof value === 'string' && value.trim() === '')
}

/** A text, or a number or boolean as text. */
export function toText(value: unknown): string | undefined {
  if (isMissing(value)) return undefined
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : undefined
}

/** A list or an object, also one that a CSV file holds as text: JSON, or as Python or NumPy prints it. */
export function toStructure(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  const read = parseLiteral(value)
  return Array.isArray(read) || isRecord(read) ? read : value
}

/** One row of a dataset. Its fields are found by loose names, and each that is read counts as used. */
export class Row {
  readonly values: Readonly<Record<string, unknown>>
  /** `file:line`, for messages. */
  readonly place: string
  readonly table: RowTable
  readonly #names: ReadonlyMap<string, string>

  constructor(values: Readonly<Record<string, unknown>>, place: string, table: RowTable) {
    this.values = values
    this.place = place
    this.table = table
    this.#names = new Map(Object.keys(values).map((name) => [looseName(name), name]))
  }

  /** The first of these fields that has a value. */
  find(names: readonly string[]): { name: string; value: unknown } | undefined {
    for (const loose of names) {
      const name = this.#names.get(loose)
      if (name === undefined || isMissing(this.values[name])) continue
      this.table.used.add(name)
      return { name: loose, value: this.values[name] }
    }
    return undefined
  }

  has(...names: string[]): boolean {
    return names.every((loose) => {
      const name = this.#names.get(loose)
      return name !== undefined && !isMissing(this.values[name])
    })
  }

  get(...names: string[]): unknown {
    return this.find(names)?.value
  }

  text(...names: string[]): string | undefined {
    for (const name of names) {
      const found = toText(this.get(name))
      if (found !== undefined) return found
    }
    return undefined
  }

  /** The field as a list or object; undefined if it is neither. */
  structure(...names: string[]): unknown[] | Record<string, unknown> | undefined {
    for (const name of names) {
      const found = toStructure(this.get(name))
      if (Array.isArray(found) || isRecord(found)) return found
    }
    return undefined
  }
}

/** The rows of one file. */
export class RowTable {
  readonly rows: readonly Row[]
  /** Loose names of all fields that have a value in some row. */
  readonly fields: ReadonlySet<string>
  /** In the file's own spelling, in its order. */
  readonly names: readonly string[]
  /** Whether all values were written as text, so that `1` may be a number or a text. */
  readonly isText: boolean
  /** Lines that are no rows at all. */
  readonly odd: readonly OddRow[]
  readonly used = new Set<string>()
  readonly #memo = new Map<string, unknown>()

  constructor(
    records: readonly { values: Readonly<Record<string, unknown>>; place: string }[],
    { isText = false, odd = [] }: { isText?: boolean; odd?: readonly OddRow[] } = {},
  ) {
    this.isText = isText
    this.odd = odd
    this.rows = records.map(({ values, place }) => new Row(values, place, this))
    const names = new Set<string>()
    for (const { values } of records)
      for (const [name, value] of Object.entries(values)) if (!isMissing(value)) names.add(name)
    this.names = [...names]
    this.fields = new Set(this.names.map(looseName))
  }

  /** What the rows say together, such as whether the first option is 0 or 1; worked out once. */
  once<Found>(name: string, work: (rows: readonly Row[]) => Found): Found {
    if (!this.#memo.has(name)) this.#memo.set(name, work(this.rows))
    return this.#memo.get(name) as Found
  }
}
