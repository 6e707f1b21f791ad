import { LongInteger, parseExactJson } from '../../contract/index.ts'

/** Deeper than anything a screen shows. */
const MAX_DEPTH = 60

/** The first `length` UTF-16 units, never half a character. A copy: a slice would keep the total text in memory. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const end = /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') ? length - 1 : length
  return Buffer.from(text.slice(0, end), 'utf16le').toString('utf16le')
}

/** Yields every text in a value, down to `MAX_DEPTH`, with a function to replace it. */
function* findTexts(value: object, depth = 0): Generator<{ text: string; replace: (text: string) => void }> {
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string') yield { text: item, replace: (text) => Reflect.set(value, key, text) }
    else if (item instanceof LongInteger) continue
    else if (typeof item === 'object' && item !== null && depth < MAX_DEPTH) yield* findTexts(item, depth + 1)
  }
}

export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

/** The length to cut texts to so that together they have at most `room` units; shorter ones stay total. */
function findLength(lengths: readonly number[], room: number): number {
  let left = room
  const sorted = lengths.toSorted((a, b) => a - b)
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

/** Texts are never cut shorter than this. */
const MIN_LENGTH = 20

/**
 * The same value with its longest texts cut, all to the same length, so that its JSON has at most `bytes` bytes. Found
 * by trial, because escapes and multi-byte characters take more room. Undefined if cutting texts cannot make it fit.
 */
export function fitTexts<Value extends object>(value: Value, bytes: number): Value | undefined {
  const lengths = Array.from(findTexts(value), ({ text }) => text.length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  if (total <= bytes && sizeOf(value) <= bytes) return value
  if (lengths.every((length) => length <= MIN_LENGTH)) return undefined
  // Not `structuredClone`: long integers would lose their class.
  const fitted = parseExactJson<Value>(JSON.stringify(value))
  let room = Math.min(bytes, total)
  for (;;) {
    const length = Math.max(MIN_LENGTH, findLength(lengths, room))
    for (const { text, replace } of findTexts(fitted)) if (text.length > length) replace(cutText(text, length))
    const size = sizeOf(fitted)
    if (size <= bytes) return fitted
    if (length === MIN_LENGTH) return undefined
    room *= Math.min(0.97, bytes / size)
  }
}

/** The start of a text, such that its JSON has at most `bytes` bytes. */
export function fitText(text: string, bytes: number): string {
  return fitTexts({ text }, bytes)?.text ?? ''
}
