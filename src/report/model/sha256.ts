/** The constants of FIPS 180-4: fractions of square and cube roots of the first primes, in whole numbers. */
function rootFractions(count: number, root: 2 | 3): Uint32Array {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate++)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  return Uint32Array.from(primes, (prime) => {
    const value = root === 2 ? Math.sqrt(prime) : Math.cbrt(prime)
    return ((value - Math.floor(value)) * 2 ** 32) >>> 0
  })
}

const START = rootFractions(8, 2)
const ROUNDS = rootFractions(64, 3)

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

/** UTF-8 without `TextEncoder`, which this room does not have. */
function encode(text: string): number[] {
  const bytes: number[] = []
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0)!
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
  }
  return bytes
}

function mix(state: Uint32Array, words: Uint32Array): void {
  for (let index = 16; index < 64; index++) {
    const [early, late] = [words[index - 15]!, words[index - 2]!]
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[index] = words[index - 16]! + small + words[index - 7]! + large
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g)
    const first = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + ROUNDS[index]! + words[index]!) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = state[index]! + value
}

/** SHA-256 in hexadecimal. Reports run in a browser too, where the built-in one is asynchronous. */
export function sha256(text: string): string {
  const bytes = encode(text)
  const bits = bytes.length * 8
  bytes.push(0x80)
  while (bytes.length % 64 !== 56) bytes.push(0)
  for (let shift = 56; shift >= 0; shift -= 8) bytes.push(Math.floor(bits / 2 ** shift) & 255)
  const state = Uint32Array.from(START)
  const words = new Uint32Array(64)
  for (let start = 0; start < bytes.length; start += 64) {
    for (let index = 0; index < 16; index++) {
      const at = start + index * 4
      words[index] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    }
    mix(state, words)
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}
