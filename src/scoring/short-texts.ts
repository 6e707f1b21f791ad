/**
 * Short answers in Western letters are most of what exact match sees. For them, normalising, copying to lower case and
 * searching would take longer than the edit distance itself; here one pass over both texts tells all of it.
 *
 * Western letters are those of Latin-1, the first 256 of Unicode: always in normal form, and each of the same length in
 * lower case.
 */
const LAST_WESTERN = 255

/** As many characters as a number has bits. */
const LONGEST = 32

/** The bit in which upper and lower case differ. */
const CASE_BIT = 32

/** For each Western character, the places where it stands in the expected text, a bit each. All zero between calls. */
const placesOf = new Int32Array(LAST_WESTERN + 1)

/** The expected text's characters. */
const expectedCodes = new Uint8Array(LONGEST)

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/**
 * The Levenshtein distance of two short Western texts of which the first does not hold the second, whatever the case of its
 * letters; `undefined` where that is not so, or where it takes a closer look.
 *
 * A column of the dynamic programme is kept as the bits where it rises and where it falls by one from row to row (Myers,
 * Journal of the ACM 46, 1999). It begins at the number of characters read, so the distance, at its other end, is
 * that number and all that rises less all that falls.
 */
export function measureUnlike(response: string, expected: string): number | undefined {
  const { length } = expected
  if (response.length === 0 || response.length > LONGEST || length === 0 || length > LONGEST) return undefined
  let allCodes = 0
  for (let index = 0; index < length; index++) {
    const code = expected.charCodeAt(index)
    allCodes |= code
    expectedCodes[index] = code
    placesOf[code & LAST_WESTERN]! |= 1 << index
  }

  let rises = -1
  let falls = 0
  let changes = 0
  const end = allCodes > LAST_WESTERN ? 0 : response.length
  for (let index = 0; index < end; index++) {
    const code = response.charCodeAt(index)
    allCodes |= code
    changes |= code ^ expectedCodes[index]!
    const equal = placesOf[code & LAST_WESTERN]!
    const steady = equal | falls
    const diagonal = ((((equal & rises) + rises) | 0) ^ rises) | equal
    const grows = ((falls | ~(diagonal | rises)) << 1) | 1
    rises = ((rises & diagonal) << 1) | ~(steady | grows)
    falls = grows & steady
  }
  for (let index = 0; index < length; index++) placesOf[expectedCodes[index]!] = 0

  if (allCodes > LAST_WESTERN) return undefined
  const mayBeHeld = length === response.length ? (changes & ~CASE_BIT) === 0 : holdsIgnoringCase(response, expected)
  if (mayBeHeld) return undefined
  const used = -1 >>> (LONGEST - length)
  return response.length + countBits(rises & used) - countBits(falls & used)
}

/** Takes characters for equal that differ in nothing but the case bit: all letters and a few signs. */
function holdsIgnoringCase(response: string, expected: string): boolean {
  for (let start = 0; start <= response.length - expected.length; start++) {
    let index = 0
    while (index < expected.length && ((response.charCodeAt(start + index) ^ expectedCodes[index]!) & ~CASE_BIT) === 0) index++
    if (index === expected.length) return true
  }
  return false
}
