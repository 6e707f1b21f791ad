import { describe, expect, it } from 'vitest'
import { checkAtLeast, checkFraction, checkNumbers, checkSameLength, checkWhole } from './check-arguments.ts'

describe('checks', () => {
  it('name the list and the index of a value that is not finite', () => {
    expect(() => checkNumbers([1, NaN], 'scores')).toThrow(
      new RangeError('scores[1] is NaN: every value must be a finite number.'),
    )
    expect(() => checkNumbers([Infinity], 'scores')).toThrow(RangeError)
    expect(() => checkNumbers([], 'scores')).toThrow('scores is empty')
    expect(() => checkNumbers([0, -1e300], 'scores')).not.toThrow()
  })

  it('reject lists of different lengths', () => {
    expect(() => checkSameLength([1], [1, 2], 'x and y')).toThrow('x and y differ in length (1 and 2)')
    expect(() => checkSameLength([1], [2], 'x and y')).not.toThrow()
  })

  it.each([0, 1, NaN, -0.1, 1.1])('%s is not a fraction', (value) => {
    expect(() => checkFraction(value, 'level')).toThrow(RangeError)
    expect(() => checkFraction(0.5, 'level')).not.toThrow()
  })

  it.each([1, NaN, Infinity])('%s is not a finite number of at least 2', (value) => {
    expect(() => checkAtLeast(value, 2, 'n')).toThrow(RangeError)
    expect(() => checkAtLeast(2, 2, 'n')).not.toThrow()
  })

  it.each([1, 2.5, NaN, 2 ** 53])('%s is not a whole number of at least 2', (value) => {
    expect(() => checkWhole(value, 2, 'n')).toThrow(RangeError)
    expect(() => checkWhole(2, 2, 'n')).not.toThrow()
  })
})
