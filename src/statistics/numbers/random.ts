/**
 * A seeded generator of uniform numbers in [0, 1) with 53 bits: sfc32 (Doty-Humphrey, PractRand, 2010), with its first
 * three words from splitmix32 of the seed, a counter from 1, and the first twelve draws discarded.
 */
export function createRandom(seed: number | string): () => number {
  if (typeof seed === 'number' && !Number.isFinite(seed)) {
    throw new RangeError(`seed is ${seed}: it must be a finite number or a string.`)
  }
  const nextSeed = createSplitMix32(typeof seed === 'number' && isUint32(seed) ? seed : hashText(String(seed)))
  const next = createSfc32(nextSeed(), nextSeed(), nextSeed())
  // The states of seeds that differ in one bit are correlated until the first rounds have mixed them.
  for (let i = 0; i < 12; i++) next()
  return () => {
    const high = next() >>> 5
    const low = next() >>> 6
    return (high * 67_108_864 + low) / 9_007_199_254_740_992
  }
}

/** The raw 32-bit words of sfc32 for the given state and a counter from 1. */
export function createSfc32(first: number, second: number, third: number): () => number {
  let a = first | 0
  let b = second | 0
  let c = third | 0
  let counter = 1
  return () => {
    const output = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + output) | 0
    return output >>> 0
  }
}

function createSplitMix32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return (mixed ^ (mixed >>> 16)) >>> 0
  }
}

/** FNV-1a over the UTF-16 code units. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  return hash >>> 0
}

function isUint32(value: number): boolean {
  return value >>> 0 === value
}

/** The items in a random order: each order is equally likely (Fisher & Yates). */
export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!]
  }
  return shuffled
}
