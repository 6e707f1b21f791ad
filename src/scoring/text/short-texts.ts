/**
 * Short answers are most of what exact match sees. For them, normalising, copying to lower case and searching would take
 * longer than the edit distance itself; here one pass over both texts tells all of it. A character is a UTF-16 unit.
 */

/** One less than a number has bits: the last one is `NOT_ALONE`. */
const LONGEST = 31

/** In `placesOf`, a character that depends on those around it, or that has not been met so far. */
const NOT_ALONE = 1 << 31

/** For each character, the places where it stands in the expected text, a bit each: between calls none. */
const placesOf = new Int32Array(0x1_0000).fill(NOT_ALONE)

/** The expected text's characters, which are read faster from here; longer than needed, for V8 keeps the smallest arrays in a slower way. */
const expectedCodes = new Uint16Array(64)

/** Each character in lower case, once it has been met and stands alone. */
const lowerOf = new Uint16Array(0x1_0000)

/**
 * By Unicode's quick check for NFC a text is in normal form if none of its characters is a mark, a conjoining jamo or changed
 * by itself. Left out are also halves of pairs, and Σ, which becomes ς at the end of a word.
 */
const DEPENDENT = /[\p{Mark}\p{Surrogate}\u1100-\u11ffΣ]/u

function learnCharacter(code: number): void {
  const character = String.fromCharCode(code)
  if (DEPENDENT.test(character) || character.normalize('NFC') !== character) return
  lowerOf[code] = character.toLowerCase().charCodeAt(0)
  placesOf[code] = 0
}

/** No character of the text depends on others: it is in normal form, and each character is its own in lower case. */
export function standAlone(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (placesOf[code] === NOT_ALONE) learnCharacter(code)
    if (placesOf[code] === NOT_ALONE) return false
  }
  return true
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * The Levenshtein distance of two short texts that are equal, or of which the first does not hold the second, whatever the
 * case of its letters; `undefined` where that is not so, or where it takes a closer look.
 *
 * A column of the dynamic programme is kept as the bits where it rises and where it falls by one from row to row (Myers,
 * Journal of the ACM 46, 1999). It begins at the number of characters read, so the distance, at its other end, is
 * that number and all that rises less all that falls.
 */
export function measureUnlike(response: string, expected: string): number | undefined {
  const { length } = expected
  const responseLength = response.length
  if (responseLength === 0 || responseLength > LONGEST || length === 0 || length > LONGEST) return undefined
  const shorter = Math.min(length, responseLength)
  let all = 0
  let first = 0
  for (; first < shorter; first++) {
    const code = expected.charCodeAt(first)
    if (code !== response.charCodeAt(first)) break
    all |= placesOf[code]!
  }
  if (first === length && first === responseLength) return 0
  for (let index = first; index < length; index++) {
    const code = expected.charCodeAt(index)
    const places = placesOf[code]!
    all |= places
    placesOf[code] = places | (1 << (index - first))
    expectedCodes[index] = code
  }

  let rises = -1
  let notFalls = -1
  for (let index = first; index < responseLength; index++) {
    const equal = placesOf[response.charCodeAt(index)]!
    all |= equal
    const steady = equal | ~notFalls
    const sum = ((equal & rises) + rises) | 0
    const diagonal = (sum ^ rises) | steady
    const notGrows = (notFalls & (steady | rises | sum)) << 1
    rises = ((rises & diagonal) << 1) | (notGrows & ~diagonal)
    notFalls = notGrows | ~diagonal
  }
  if (all < 0) {
    for (let index = first; index < length; index++) placesOf[expectedCodes[index]!]! &= NOT_ALONE
    return standAlone(response) && standAlone(expected) ? measureUnlike(response, expected) : undefined
  }
  for (let index = first; index < length; index++) placesOf[expectedCodes[index]!] = 0

  if (holdsIgnoringCase(response, expected, first)) return undefined
  const used = -1 >>> (32 - length + first)
  return responseLength - first + countBits(rises & used) - countBits(~notFalls & used)
}

function holdsIgnoringCase(response: string, expected: string, equal: number): boolean {
  let index = equal
  for (let start = 0; start <= response.length - expected.length; start++) {
    while (
      index < expected.length &&
      lowerOf[response.charCodeAt(start + index)] === lowerOf[expected.charCodeAt(index)]
    )
      index++
    if (index === expected.length) return true
    index = 0
  }
  return false
}

/** Of two texts that stand alone: making lower-case copies of other than Western letters is slow, and often needless. */
export function isTooShortToHold(response: string, expected: string): boolean {
  return response.length <= expected.length && !holdsIgnoringCase(response, expected, 0)
}
