import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import { describe, expect, it } from 'vitest'
import { compareTexts } from './exact-match.ts'

const score = (response: string, expected: string, options = {}) => compareTexts(response, expected, options).score

/** Levenshtein distance by the textbook dynamic programme (Wagner and Fischer, 1974), to check the fast one. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    previous = row
  }
  return previous[b.length]!
}

describe('exact match, by the table in the methodology', () => {
  it('scores identical texts 1', () => expect(score('Paris', 'Paris')).toBe(1))
  it('scores texts that differ only in case 0.95', () => expect(score('PARIS', 'Paris')).toBe(0.95))
  it('scores a response that contains the expected text 0.95 − 0.35·x, where x is the share of other text', () => {
    expect(score('Paris!', 'Paris')).toBeCloseTo(0.95 - 0.35 / 6, 12)
    expect(score('The capital is Paris', 'Paris')).toBeCloseTo(0.95 - 0.35 * 0.75, 12)
  })
  it('scores it at least 0.60, however long the response', () => {
    expect(score(`${'x'.repeat(100_000)} Paris`, 'Paris')).toBeCloseTo(0.6, 4)
    expect(score(`${'x'.repeat(100_000)} Paris`, 'Paris')).toBeGreaterThanOrEqual(0.6)
  })
  it('scores it 0.90 − 0.35·x, at least 0.55, if the case differs', () => {
    expect(score('It is PARIS', 'Paris')).toBeCloseTo(0.9 - 0.35 * (6 / 11), 12)
    expect(score(`${'x'.repeat(100_000)} PARIS`, 'Paris')).toBeGreaterThanOrEqual(0.55)
  })
  it('scores 0.7 times a similarity above 0.5: kitten and sitting differ by 3 of 7', () => {
    expect(score('kitten', 'sitting')).toBeCloseTo(0.7 * (1 - 3 / 7), 12)
  })
  it('puts similarities of exactly 0.5 and exactly 0.2 in the low band', () => {
    expect(score('ab', 'ax')).toBeCloseTo(0.4 * 0.5, 12)
    expect(score('abcde', 'axxxx')).toBeCloseTo(0.4 * 0.2, 12)
  })
  it('scores a similarity below 0.2 as 0', () => expect(score('abcdef', 'auvwxy')).toBe(0))
  it('computes similarity with case', () => expect(score('KITTEN', 'sitting')).toBe(0))
})

describe('exact match', () => {
  it('is 1 or 0 with partial: false', () => {
    expect(score(' Paris ', 'Paris', { partial: false })).toBe(1)
    expect(score('paris', 'Paris', { partial: false })).toBe(0)
  })
  it('scores an empty answer 0, and any answer to an empty expected text', () => {
    expect(score('', 'Paris')).toBe(0)
    expect(score('Paris', '')).toBe(0)
    expect(score('', '')).toBe(1)
  })
  it('treats composed and decomposed letters as equal', () => {
    expect(score('Cafe\u0301', 'Café')).toBe(1)
    expect(score('Ａ', 'A')).not.toBe(1)
  })
  it('handles surrogate pairs, right-to-left text and letters that change length with case', () => {
    expect(score('👍🏽', '👍🏽')).toBe(1)
    expect(score('שלום', 'שלום')).toBe(1)
    expect(score('İstanbul', 'i̇stanbul')).toBe(0.95)
    expect(score('ΟΔΟΣΑ', 'ΟΔΟΣ')).toBeCloseTo(0.95 - 0.35 * 0.2, 12)
  })
  it('computes no similarity above 100,000 characters and notes that', () => {
    const result = compareTexts('a'.repeat(100_001), `b${'a'.repeat(99_000)}`)
    expect(result.score).toBe(0)
    expect(result.notes).toContain('100,000')
  })
})

describe('exact match, for all texts', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[abAB ]{0,12}$/))

  it('is between 0 and 1', () => {
    fc.assert(
      fc.property(text, text, (response, expected) => {
        const value = score(response, expected)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
    )
  })
  it('is 1 for a text and itself, with any whitespace around it', () => {
    const blanks = fc.stringMatching(/^[ \n\t\u00a0]{0,3}$/)
    fc.assert(
      fc.property(text, blanks, blanks, (value, before, after) => {
        expect(score(before + value + after, value)).toBe(1)
      }),
    )
  })
  it('is symmetric where only similarity counts', () => {
    const apart = fc.tuple(text, text).filter(([a, b]) => {
      const [x, y] = [a.trim().normalize('NFC').toLowerCase(), b.trim().normalize('NFC').toLowerCase()]
      return !x.includes(y) && !y.includes(x)
    })
    fc.assert(
      fc.property(apart, ([a, b]) => {
        expect(score(a, b)).toBe(score(b, a))
      }),
    )
  })
  it('ignores case as lower-casing both texts does, whatever the letters', () => {
    const letter = fc.constantFrom(
      'i',
      'I',
      'İ',
      'ı',
      '\u0307',
      'σ',
      'ς',
      'Σ',
      'ß',
      'ẞ',
      'K',
      'k',
      'ж',
      'Ж',
      '𐐀',
      '𐐨',
      'a',
    )
    const letters = fc.array(letter, { minLength: 1, maxLength: 4 }).map((drawn) => drawn.join('').normalize())
    fc.assert(
      fc.property(letters, letters, (response, expected) => {
        fc.pre(response !== expected)
        const [lower, lowerExpected] = [response.toLowerCase(), expected.toLowerCase()]
        const isFound = lower === lowerExpected || response.includes(expected) || lower.includes(lowerExpected)
        expect(/ignoring case|found/.test(compareTexts(response, expected).notes ?? '')).toBe(isFound)
      }),
      {
        numRuns: 20_000,
        // Letters whose lower case is longer move what follows them.
        examples: [
          ['aİ', 'i\u0307'],
          ['İi\u0307', 'i\u0307İ'],
        ],
      },
    )
  })

  it('computes the same edit distance as the textbook algorithm', () => {
    const short = fc.stringMatching(/^[abc]{0,80}$/)
    fc.assert(
      fc.property(short, short, (a, b) => {
        expect(distance(a, b)).toBe(editDistance(a, b))
      }),
    )
  })
})
