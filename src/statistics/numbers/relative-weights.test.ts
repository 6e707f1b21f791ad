import { describe, expect, it } from 'vitest'
import { relativeWeights } from './relative-weights.ts'

describe('relative weights', () => {
  it('are shares of the largest weight, and 1 without weights', () => {
    expect([...relativeWeights(2)]).toEqual([1, 1])
    expect([...relativeWeights(3, [1e300, 5e299, 1e300])]).toEqual([1, 0.5, 1])
    expect([...relativeWeights(2, [5e-324, 1e-323])]).toEqual([0.5, 1])
  })

  it('never underflow to 0, which would make the spread of two values 0/0', () => {
    expect(relativeWeights(2, [1e-300, 1e300])[0]).toBeGreaterThan(0)
  })

  it.each([0, -1, NaN, Infinity])('reject a weight of %s', (weight) => {
    expect(() => relativeWeights(2, [1, weight])).toThrow(RangeError)
  })

  it('need as many weights as values', () => {
    expect(() => relativeWeights(2, [1])).toThrow('values and weights differ in length')
  })
})
