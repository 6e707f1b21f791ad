import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readNumber } from './read-number.ts'

it('reads numbers as people type them', () => {
  expect(['0.5', ' 0.5 ', '0,5', '.5', '5e-1', '+0.5'].map((text) => readNumber(text, {}))).toEqual(
    Array.from({ length: 6 }, () => ({ value: 0.5 })),
  )
})
it('accepts an empty field only if the number is optional', () => {
  expect(readNumber(' ', { isOptional: true })).toEqual({ value: undefined })
  expect(readNumber('', { min: 0, max: 2 })).toEqual({ error: 'must be a number from 0 to 2' })
})
it('explains which numbers are allowed', () => {
  expect(readNumber('3', { min: 0, max: 2 })).toEqual({ error: 'must be a number from 0 to 2' })
  expect(readNumber('0', { min: 0, isMinExcluded: true, isOptional: true })).toEqual({
    error: 'must be a number greater than 0',
  })
  expect(readNumber('1.5', { min: 1, isWhole: true })).toEqual({ error: 'must be a whole number of at least 1' })
  expect(readNumber('9', { min: 0, isMinExcluded: true, max: 5 })).toEqual({
    error: 'must be a number greater than 0 and at most 5',
  })
})
it.each(['abc', '1,000', '1 000', '0x10', 'Infinity', '1e999', '--1', '1.2.3', '$5'])('rejects %s', (text) => {
  expect(readNumber(text, { isOptional: true })).toHaveProperty('error')
})
it('reads back every number as JavaScript writes it', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(readNumber(String(value), {})).toEqual({ value: value === 0 ? expect.closeTo(0) : value })
    }),
  )
})
