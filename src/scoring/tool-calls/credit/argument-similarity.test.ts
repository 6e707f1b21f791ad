import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AcceptedValues } from './accepted-values.ts'
import { argumentSimilarity } from './argument-similarity.ts'

const parse = (text: string): unknown => JSON.parse(text)
const nest = (depth: number): unknown => parse('['.repeat(depth) + ']'.repeat(depth))

describe('argument similarity (SPEC section 5)', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, 1],
    [1, parse('1.0'), 1],
    [true, 1, 0],
    [1, true, 0],
    [0, false, 0],
    ['1', 1, 0],
    [null, null, 1],
    [null, 0, 0],
    [null, {}, 0],
    [{}, { a: 1 }, 1],
    [[], [1, 2], 1],
    [{}, [], 0],
    [[], {}, 0],
    [{ a: 1, b: 2 }, { a: 1 }, 0.5],
    [{ a: 1, b: 2 }, { a: 1, b: 3, c: 4 }, 0.5],
    [[1, 2], [2, 1], 1],
    [[1, 1], [1], 1],
    [[1, 2, 3, 4], [1], 0.25],
    [
      [{ a: 1, b: 2 }],
      [
        { a: 1, b: 0 },
        { a: 0, b: 2 },
      ],
      0.5,
    ],
    [{ list: [1, 2] }, { list: [] }, 0],
  ])('%j against %j is %d', (expected, actual, similarity) => {
    expect(argumentSimilarity(expected, actual)).toBe(similarity)
  })

  it('is between 0 and 1, and 1 between a value and itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (expected, actual) => {
        const similarity = argumentSimilarity(expected, actual)
        expect(similarity).toBeGreaterThanOrEqual(0)
        expect(similarity).toBeLessThanOrEqual(1)
        expect(argumentSimilarity(expected, expected)).toBeCloseTo(1, 12)
      }),
    )
  })

  it('never drops when keys are added to the actual object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (expected, extra) => {
          expect(argumentSimilarity(expected, { ...extra, ...expected })).toBeCloseTo(1, 12)
        },
      ),
    )
  })

  it('treats __proto__ and constructor as ordinary keys, and pollutes nothing', () => {
    const expected = parse('{"__proto__": {"x": 1}, "constructor": 2}')
    expect(argumentSimilarity(expected, parse('{"__proto__": {"x": 1}, "constructor": 2}'))).toBe(1)
    expect(argumentSimilarity(expected, {})).toBe(0)
    expect(argumentSimilarity(parse('{"toString": 1}'), {})).toBe(0)
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  it('handles one deep side, and rejects two sides 100,000 levels deep without overflowing the stack', () => {
    expect(argumentSimilarity([1], nest(100_000))).toBe(0)
    expect(argumentSimilarity(nest(100_000), 1)).toBe(0)
    expect(() => argumentSimilarity(nest(100_000), nest(100_000))).toThrow(
      expect.objectContaining({ code: 'json-too-deep' }),
    )
  })

  it('accepts any of the accepted values, and an optional argument may be omitted (BFCL possible answers)', () => {
    const expected = {
      city: new AcceptedValues(['New York', 'NYC'], { looseText: true }),
      unit: new AcceptedValues(['C', ''], { isOptional: true }),
    }
    expect(argumentSimilarity(expected, { city: 'new-york' })).toBe(1)
    expect(argumentSimilarity(expected, { city: 'NYC', unit: 'C' })).toBe(1)
    expect(argumentSimilarity(expected, { city: 'NYC', unit: 'F' })).toBe(0.5)
    expect(argumentSimilarity(expected, { unit: 'C' })).toBe(0.5)
  })
})
