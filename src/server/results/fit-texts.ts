/** Deeper than anything a screen shows. */
const DEEPEST = 60

/** The first so many UTF-16 units, never half a character. A copy: a slice would keep the whole text in memory. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const end = /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') ? length - 1 : length
  return Buffer.from(text.slice(0, end), 'utf16le').toString('utf16le')
}

/** Every text inside a value, with the place to put another. Deeper than `DEEPEST` nothing is looked at. */
function* findTexts(value: object, depth = 0): Generator<{ text: string; replace: (text: string) => void }> {
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'string') yield { text: item, replace: (text) => Reflect.set(value, key, text) }
    else if (typeof item === 'object' && item !== null && depth < DEEPEST) yield* findTexts(item, depth + 1)
  }
}

export function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

/** The length to which texts must be cut so that all together have at most `room` units: the short ones stay whole. */
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

/** At least so much is left of a text. */
const SHORTEST = 20

/**
 * The same value with its longest texts cut, all to the same length, so that its JSON has at most `bytes` bytes. Escapes and
 * characters of several bytes are found out by trying. What no cutting of texts makes small enough is not there at all.
 */
export function fitTexts<Value extends object>(value: Value, bytes: number): Value | undefined {
  const lengths = Array.from(findTexts(value), ({ text }) => text.length)
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  if (whole <= bytes && sizeOf(value) <= bytes) return value
  if (lengths.every((length) => length <= SHORTEST)) return undefined
  const fitted = structuredClone(value)
  let room = Math.min(bytes, whole)
  for (;;) {
    const length = Math.max(SHORTEST, findLength(lengths, room))
    for (const { text, replace } of findTexts(fitted)) if (text.length > length) replace(cutText(text, length))
    const size = sizeOf(fitted)
    if (size <= bytes) return fitted
    if (length === SHORTEST) return undefined
    room *= Math.min(0.97, bytes / size)
  }
}

/** The beginning of a text whose JSON has at most `bytes` bytes. */
export function fitText(text: string, bytes: number): string {
  return fitTexts({ text }, bytes)?.text ?? ''
}
