import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import { describe, expect, it } from 'vitest'
import { compareTexts } from './exact-match.ts'

const score = (response: string, expected: string, options = {}) => compareTexts(response, expected, options).score

/** Levenshtein distance by the textbook's dynamic programme (Wagner and Fischer, 1974), to check the fast one. */
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

describe('exact match, the table of the methodology row by row', () => {
  it('identical is 1', () => expect(score('Paris', 'Paris')).toBe(1))
  it('equal ignoring case is 0.95', () => expect(score('PARIS', 'Paris')).toBe(0.95))
  it('expected inside the response is 0.95 − 0.35·x, x the share of other text', () => {
    expect(score('Paris!', 'Paris')).toBeCloseTo(0.95 - 0.35 / 6, 12)
    expect(score('The capital is Paris', 'Paris')).toBeCloseTo(0.95 - 0.35 * 0.75, 12)
  })
  it('is never below 0.60 however long the response', () => {
    expect(score(`${'x'.repeat(100_000)} Paris`, 'Paris')).toBeCloseTo(0.6, 4)
    expect(score(`${'x'.repeat(100_000)} Paris`, 'Paris')).toBeGreaterThanOrEqual(0.6)
  })
  it('inside the response ignoring case is 0.90 − 0.35·x, at least 0.55', () => {
    expect(score('It is PARIS', 'Paris')).toBeCloseTo(0.9 - 0.35 * (6 / 11), 12)
    expect(score(`${'x'.repeat(100_000)} PARIS`, 'Paris')).toBeGreaterThanOrEqual(0.55)
  })
  it('similarity above 0.5 gives 0.7 times it: kitten and sitting differ by 3 of 7', () => {
    expect(score('kitten', 'sitting')).toBeCloseTo(0.7 * (1 - 3 / 7), 12)
  })
  it('similarity of exactly 0.5 and of exactly 0.2 are in the low band', () => {
    expect(score('ab', 'ax')).toBeCloseTo(0.4 * 0.5, 12)
    expect(score('abcde', 'axxxx')).toBeCloseTo(0.4 * 0.2, 12)
  })
  it('less than 0.2 similar is 0', () => expect(score('abcdef', 'auvwxy')).toBe(0))
  it('similarity minds case', () => expect(score('KITTEN', 'sitting')).toBe(0))
})

describe('exact match', () => {
  it('with partial: false is 1 or 0 only', () => {
    expect(score(' Paris ', 'Paris', { partial: false })).toBe(1)
    expect(score('paris', 'Paris', { partial: false })).toBe(0)
  })
  it('an empty answer scores 0, and so does any answer where none is expected', () => {
    expect(score('', 'Paris')).toBe(0)
    expect(score('Paris', '')).toBe(0)
    expect(score('', '')).toBe(1)
  })
  it('composed and decomposed letters are the same', () => {
    expect(score('Cafe\u0301', 'Café')).toBe(1)
    expect(score('Ａ', 'A')).not.toBe(1)
  })
  it('handles surrogate pairs, right-to-left text and letters that change length with case', () => {
    expect(score('👍🏽', '👍🏽')).toBe(1)
    expect(score('שלום', 'שלום')).toBe(1)
    expect(score('İstanbul', 'i̇stanbul')).toBe(0.95)
    expect(score('ΟΔΟΣΑ', 'ΟΔΟΣ')).toBeCloseTo(0.95 - 0.35 * 0.2, 12)
  })
  it('leaves similarity out above 100,000 characters and says so', () => {
    const result = compareTexts('a'.repeat(100_001), `b${'a'.repeat(99_000)}`)
    expect(result.score).toBe(0)
    expect(result.notes).toContain('100,000')
  })
})

describe('exact match, for all texts', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[abAB ]{0,12}$/))

  it('stays within 0 and 1', () => {
    fc.assert(
      fc.property(text, text, (response, expected) => {
        const value = score(response, expected)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
    )
  })
  it('is 1 for a text against itself, with any blanks around it', () => {
    const blanks = fc.stringMatching(/^[ \n\t\u00a0]{0,3}$/)
    fc.assert(
      fc.property(text, blanks, blanks, (value, before, after) => {
        expect(score(before + value + after, value)).toBe(1)
      }),
    )
  })
  it('below the containment rows it is symmetric, as edit distance is', () => {
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
  it('the library in use agrees with the textbook algorithm on edit distance', () => {
    const short = fc.stringMatching(/^[abc]{0,80}$/)
    fc.assert(
      fc.property(short, short, (a, b) => {
        expect(distance(a, b)).toBe(editDistance(a, b))
      }),
    )
  })
})
