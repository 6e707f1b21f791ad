import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScoringResult } from '../../contract/index.ts'
import { compareTexts } from '../exact-match.ts'
import { measureUnlike } from './short-texts.ts'

/** Levenshtein distance by the textbook's dynamic programme (Wagner and Fischer, 1974). */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const above = rows[row - 1]!
    const current = [row]
    for (let column = 1; column <= b.length; column++)
      current.push(
        Math.min(
          above[column]! + 1,
          current[column - 1]! + 1,
          above[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1),
        ),
      )
    rows.push(current)
  }
  return rows[a.length]![b.length]!
}

/** The table of docs/methodology.md word by word, with nothing left out early. */
function compareSlowly(rawResponse: string, rawExpected: string, partial: boolean): ScoringResult {
  const [response, expected] = [rawResponse.trim().normalize('NFC'), rawExpected.trim().normalize('NFC')]
  const [lowerResponse, lowerExpected] = [response.toLowerCase(), expected.toLowerCase()]
  const longer = Math.max(response.length, expected.length)
  const x = Math.max(0, 1 - expected.length / response.length)
  const s = (longer - editDistance(response, expected)) / longer
  const other = `; ${Math.round(x * 100)} % of the response is other text`
  const similar = `${Math.round(s * 100)} % similar`

  if (response === expected) return { score: 1, notes: 'identical' }
  if (!partial) return { score: 0, notes: 'not identical' }
  if (response === '' || expected === '') return { score: 0, notes: 'one of the two texts is empty' }
  if (lowerResponse === lowerExpected) return { score: 0.95, notes: 'equal ignoring case' }
  if (response.includes(expected))
    return { score: Math.max(0.6, 0.95 - 0.35 * x), notes: `expected text found${other}` }
  if (lowerResponse.includes(lowerExpected))
    return { score: Math.max(0.55, 0.9 - 0.35 * x), notes: `expected text found ignoring case${other}` }
  if (s > 0.5) return { score: 0.7 * s, notes: similar }
  if (s >= 0.2) return { score: 0.4 * s, notes: similar }
  return { score: 0, notes: similar }
}

/** Letters whose case changes their length, script or number of code units; signs that differ in the case bit only; halves of pairs. */
const ODD = [
  'ß',
  'ẞ',
  'ss',
  'İ',
  'i̇',
  'ı',
  'K',
  'k',
  'Å',
  'Å',
  'A\u030a',
  'é',
  'e\u0301',
  '\u0301',
  'Σ',
  'ς',
  'σ',
  'ÿ',
  'Ÿ',
  'µ',
  'μ',
  'À',
  'à',
  'Þ',
  'þ',
  '×',
  '÷',
  '@',
  '`',
  '[',
  '{',
  '\0',
  ' ',
  '\u00a0',
  '\ufeff',
  '\u007f',
  '\u0080',
  '\u00ff',
  '\u0100',
  '\u02ff',
  '\u0300',
  '\ud83d',
  '\udc4d',
  '👍🏽',
  'ﬁ',
  '가',
  '\u1100\u1161',
  '日',
]

const characters = {
  few: fc.constantFrom('a', 'b', 'A', 'B'),
  letters: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789.,'),
  western: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  odd: fc.constantFrom(...ODD, 'a', 'b', 'c'),
  any: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
}
const lengths = fc.oneof(
  fc.integer({ min: 0, max: 8 }),
  fc.integer({ min: 9, max: 70 }),
  fc.constantFrom(1, 30, 31, 32, 33, 63, 64, 65),
)
const text = fc.oneof(
  ...Object.values(characters).map((unit) =>
    lengths.chain((length) => fc.array(unit, { minLength: length, maxLength: length }).map((units) => units.join(''))),
  ),
)

/** A text made from another as models make them: other case, other text around it, some letters changed. */
const changed = (original: string) =>
  fc.oneof(
    fc.constantFrom(
      original.toLowerCase(),
      original.toUpperCase(),
      original.normalize('NFD'),
      original.slice(1),
      original.slice(0, -1),
      `\n${original} `,
    ),
    fc.tuple(text, text).map(([before, after]) => before.slice(0, 9) + original + after.slice(0, 9)),
    fc.tuple(text, text).map(([before, after]) => before.slice(0, 5) + original.toUpperCase() + after.slice(0, 5)),
    fc
      .tuple(fc.nat(), characters.letters)
      .map(
        ([at, letter]) =>
          original.slice(0, at % (original.length + 1)) + letter + original.slice((at % (original.length + 1)) + 1),
      ),
    fc
      .array(fc.boolean(), { minLength: 70, maxLength: 70 })
      .map((flips) =>
        Array.from(original, (letter, index) => (flips[index] ? letter.toUpperCase() : letter.toLowerCase())).join(''),
      ),
  )
const pair = fc.oneof(
  fc.tuple(text, text),
  text.chain((original) => fc.tuple(changed(original), fc.constant(original))),
  text.chain((original) => fc.tuple(fc.constant(original), changed(original))),
)

describe('exact match is as quick as it is without changing a score', () => {
  it('for all texts it gives the score and the note of the table gone through word by word', () => {
    fc.assert(
      fc.property(pair, fc.boolean(), ([response, expected], partial) => {
        expect(compareTexts(response, expected, { partial })).toEqual(compareSlowly(response, expected, partial))
        expect(compareTexts(response, expected)).toEqual(compareSlowly(response, expected, true))
      }),
      { numRuns: 3000 },
    )
  })

  it('every two characters of Latin-1 are told apart or taken as the same letter as the table says', () => {
    for (let a = 0; a <= 256; a++)
      for (let b = 0; b <= 256; b++) {
        const [response, expected] = [`x${String.fromCharCode(a)}y`, `x${String.fromCharCode(b)}y`]
        const [given, wanted] = [compareTexts(response, expected), compareSlowly(response, expected, true)]
        if (given.score !== wanted.score || given.notes !== wanted.notes)
          expect({ a, b, ...given }).toEqual({ a, b, ...wanted })
      }
  })

  it('every character is taken as the same letter in the other case, or next to an accent, as the table says', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code)
      for (const other of [
        character.toUpperCase(),
        character.toLowerCase(),
        character.normalize('NFC'),
        `${character}\u0301`,
      ]) {
        const [given, wanted] = [
          compareTexts(`x${other}y`, `x${character}y`),
          compareSlowly(`x${other}y`, `x${character}y`, true),
        ]
        if (given.score !== wanted.score || given.notes !== wanted.notes)
          expect({ code, other, ...given }).toEqual({ code, other, ...wanted })
      }
    }
  })

  it.each([
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ ΜΟΥ', 'οδος μου'],
    ['İstanbul', 'i\u0307stanbul'],
  ])('%s is %s in lower case, by the letters around each letter', (response, expected) => {
    expect(compareTexts(response, expected)).toEqual({ score: 0.95, notes: 'equal ignoring case' })
    expect(compareTexts(`${response} x`.repeat(20), expected)).toEqual(
      compareSlowly(`${response} x`.repeat(20), expected, true),
    )
  })

  it('normalising changes no text without a character from U+0300 on, alone or together (Unicode 15, composition)', () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = String.fromCodePoint(code)
      if (code < 0x300) expect(character.normalize('NFC')).toBe(character)
      const joined = [...character.normalize('NFD')].slice(1)
      if (joined.some((part) => part < '\u0300')) expect.fail(`U+${code.toString(16)} is made of ${joined.join(' ')}`)
    }
  })
})

describe('the distance of short texts', () => {
  const short = fc.stringMatching(/^[abcABC@`éÉжЖѐЀ日]{1,31}$/)

  it('is the textbook distance, or undefined where the response holds the expected text and more', () => {
    fc.assert(
      fc.property(short, short, (response, expected) => {
        const holds = response !== expected && response.toLowerCase().includes(expected.toLowerCase())
        const measured = measureUnlike(response, expected)
        if (holds) expect(measured).toBeUndefined()
        if (measured !== undefined) expect(measured).toBe(editDistance(response, expected))
      }),
      { numRuns: 1000 },
    )
  })

  it('is 0 for equal texts, whatever their characters depend on', () => {
    for (const either of ['a', 'ΟΔΟΣ', 'e\u0301', '😀', 'x'.repeat(31)]) expect(measureUnlike(either, either)).toBe(0)
    expect(measureUnlike('abc', 'abcd')).toBe(1)
  })

  it('leaves nothing behind for the next pair, whatever the last one was', () => {
    expect(measureUnlike('abc', 'xyz')).toBe(3)
    for (const [response, expected] of [
      ['aaa', 'ﬁxyz'],
      ['ﬁ', 'xyz'],
      ['xyz', 'abc'],
      ['abcxyz', 'xyz'],
    ] as const) {
      measureUnlike(response, expected)
      expect(measureUnlike('xyz', 'abc')).toBe(3)
    }
  })

  it('is not given for empty texts and for texts of more than 31 characters', () => {
    expect(measureUnlike('', 'a')).toBeUndefined()
    expect(measureUnlike('a', '')).toBeUndefined()
    expect(measureUnlike('a'.repeat(31), 'b'.repeat(31))).toBe(31)
    expect(measureUnlike('a'.repeat(32), 'b')).toBeUndefined()
    expect(measureUnlike('a', 'b'.repeat(32))).toBeUndefined()
  })
})
