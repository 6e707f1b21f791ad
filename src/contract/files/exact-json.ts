import { isRecord } from '../values.ts'

// Newer than the types of the language: Node 22, Chrome 114, Firefox 135, Safari 18.4.
const json: Pick<JSON, 'parse'> & { rawJSON?(text: string): unknown } = JSON

/** A whole number beyond 2^53, which JavaScript would round: an id of 64 bits. `JSON.stringify` writes it as a number. */
export class LongInteger {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }

  /** A number of JavaScript may be rounded already: it equals every number that rounds to it. */
  equals(other: unknown): boolean {
    if (other instanceof LongInteger) return other.digits === this.digits
    return typeof other === 'number' && other === Number(this.digits)
  }

  toString(): string {
    return this.digits
  }

  toJSON(): unknown {
    return json.rawJSON ? json.rawJSON(this.digits) : this.digits
  }
}

/** True for `{ … }` as `parseExactJson` reads it. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof LongInteger)
}

/** Reads a plain number, a whole one exactly. */
export function readNumeral(text: string): number | LongInteger {
  const value = Number(text)
  const isLong = /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(value)
  return isLong ? new LongInteger(String(BigInt(text))) : value
}

/** What may be a long whole number, outside or inside a string. */
const longInteger = /(?:^|[[:,\s])-?\d{16,}\s*(?:[,\]}]|$)/

type ReadLong = (digits: string, rounded: number) => unknown

/** Parses JSON without rounding whole numbers beyond 2^53: `readLong` says what becomes of them. */
export function parseExactJson<Value = unknown>(
  text: string,
  readLong: ReadLong = (digits) => new LongInteger(digits),
): Value {
  if (!longInteger.test(text)) return JSON.parse(text)
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
      const source = context?.source ?? ''
      const isLong = typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value)
      return isLong ? readLong(source, value) : value
    })
  } catch (error) {
    // Looking at every value recurses, which very deep values do not allow.
    if (error instanceof RangeError) return JSON.parse(text)
    throw error
  }
}
