import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareNumbers, scoreRelativeError } from './numeric-tolerance.ts'

const score = (response: string, expected: string | number, options = {}) =>
  compareNumbers(response, expected, options).score

describe('numeric tolerance, the worked values of the methodology', () => {
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
  it('with tolerance 0 the curve is pure: 1 % off is 80', () => {
    expect(score('101', '100', { tolerance: 0 })).toBeCloseTo(0.8, 12)
    expect(score('100', '100', { tolerance: 0 })).toBe(1)
  })
  it('an error that is 1 % but for rounding is within 1 %', () => {
    expect((1.01 - 1) / 1).toBeGreaterThan(0.01)
    expect(score('1.01', '1')).toBe(1)
  })
  it('a tolerance beyond 25 % still scores 1 up to it', () => expect(score('130', '100', { tolerance: 0.5 })).toBe(1))
})

describe('numeric tolerance', () => {
  it('takes the number nearest the expected one and says which of how many', () => {
    const result = compareNumbers('Between 10 and 45, so 42.', '42')
    expect(result.score).toBe(1)
    expect(result.notes).toContain('42 counted (nearest of 3 numbers)')
  })
  it('answer: last takes the last one', () => {
    expect(score('42, no, 7', '42', { answer: 'last' })).toBe(0)
    expect(score('7, no, 42', '42', { answer: 'last' })).toBe(1)
  })
  it('for an expected 0 the error is the absolute value', () => {
    expect(score('0', '0')).toBe(1)
    expect(score('0.005', '0')).toBe(1)
    expect(score('0.0625', '0')).toBeCloseTo(0.5, 12)
    expect(score('1', '0')).toBe(0)
  })
  it('a negative expected number is matched with its sign', () => {
    expect(score('−5', '-5')).toBe(1)
    expect(score('5', '-5')).toBe(0)
  })
  it('no number in the response is 0', () =>
    expect(compareNumbers('none', '5')).toEqual({ score: 0, notes: 'no number in the response' }))
  it.each(['', 'none', '1,2', '3 or 4'])('refuses %j as expected output', (expected) => {
    expect(() => compareNumbers('5', expected)).toThrow(expect.objectContaining({ code: 'invalid-expected-output' }))
  })
  it('takes a number with words around it as expected output', () => expect(score('42', 'about $42.00 in all')).toBe(1))
  it.each([Number.NaN, -0.1, Infinity])('refuses a tolerance of %d', (tolerance) => {
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
  it('is 1 for any finite number written by JavaScript itself', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(score(String(value), value)).toBe(1)
      }),
    )
  })
})
