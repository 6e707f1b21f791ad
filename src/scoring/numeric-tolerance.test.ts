import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareNumbers, scoreRelativeError } from './numeric-tolerance.ts'

const score = (response: string, expected: string | number, options = {}) =>
  compareNumbers(response, expected, options).score

describe('numeric tolerance, by the examples in the methodology', () => {
  it.each([
    ['100', 1],
    ['101', 1],
    ['106.25', 0.5],
    ['125', 0],
    ['75', 0],
    ['200', 0],
  ])('%s for an expected 100 scores %d', (response, expected) => {
    expect(score(response, '100')).toBeCloseTo(expected, 12)
  })
  it('follows the curve alone with tolerance 0: 1 % off scores 80', () => {
    expect(score('101', '100', { tolerance: 0 })).toBeCloseTo(0.8, 12)
    expect(score('100', '100', { tolerance: 0 })).toBe(1)
  })
  it('accepts an error of 1 % despite floating-point rounding', () => {
    expect((1.01 - 1) / 1).toBeGreaterThan(0.01)
    expect(score('1.01', '1')).toBe(1)
  })
  it('scores 1 up to a tolerance above 25 %', () => expect(score('130', '100', { tolerance: 0.5 })).toBe(1))
})

describe('numeric tolerance', () => {
  it('uses the number nearest to the expected one and notes how many there are', () => {
    const result = compareNumbers('Between 10 and 45, so 42.', '42')
    expect(result.score).toBe(1)
    expect(result.notes).toContain('42 counted (nearest of 3 numbers)')
  })
  it('uses the last number with answer: last', () => {
    expect(score('42, no, 7', '42', { answer: 'last' })).toBe(0)
    expect(score('7, no, 42', '42', { answer: 'last' })).toBe(1)
  })
  it('uses the absolute error if 0 is expected', () => {
    expect(score('0', '0')).toBe(1)
    expect(score('0.005', '0')).toBe(1)
    expect(score('0.0625', '0')).toBeCloseTo(0.5, 12)
    expect(score('1', '0')).toBe(0)
  })
  it('matches a negative expected number with its sign', () => {
    expect(score('−5', '-5')).toBe(1)
    expect(score('5', '-5')).toBe(0)
  })
  it('scores a response without a number 0', () =>
    expect(compareNumbers('none', '5')).toEqual({ score: 0, notes: 'no number in the response' }))
  it.each(['', 'none', '1,2', '3 or 4'])('rejects %j as expected output', (expected) => {
    expect(() => compareNumbers('5', expected)).toThrow(expect.objectContaining({ code: 'invalid-expected-output' }))
  })
  it('accepts a number with words around it as expected output', () =>
    expect(score('42', 'about $42.00 in all')).toBe(1))
  it.each([Number.NaN, -0.1, Infinity])('rejects a tolerance of %d', (tolerance) => {
    expect(() => compareNumbers('5', '5', { tolerance })).toThrow(expect.objectContaining({ code: 'invalid-options' }))
  })
  it('never scores a larger error higher', () => {
    const error = fc.double({ min: 0, max: 1, noNaN: true })
    const tolerance = fc.double({ min: 0, max: 0.3, noNaN: true })
    fc.assert(
      fc.property(error, error, tolerance, (one, other, allowed) => {
        const [smaller, larger] = one < other ? [one, other] : [other, one]
        expect(scoreRelativeError(smaller, allowed)).toBeGreaterThanOrEqual(scoreRelativeError(larger, allowed))
      }),
    )
  })
  it('is 1 for any finite number as JavaScript prints it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(score(String(value), value)).toBe(1)
      }),
    )
  })
})
