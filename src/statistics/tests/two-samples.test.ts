import { describe, expect, it } from 'vitest'
import { compareSamples } from './two-samples.ts'

describe('two samples', () => {
  it('differ by the first mean less the second', () => {
    expect(compareSamples([1, 2, 3], [1, 1]).difference).toBe(1)
  })

  it('a rounding error is no variation, a varying sample is', () => {
    expect(compareSamples([0.1 + 0.2, 0.3], [1, 1]).neitherVaries).toBe(true)
    expect(compareSamples([0.1, 0.3], [1, 1]).neitherVaries).toBe(false)
    expect(compareSamples([1, 1], [0.1, 0.3]).neitherVaries).toBe(false)
  })

  it.each([
    [[1], [1, 2]],
    [[1, 2], []],
    [
      [1, NaN],
      [1, 2],
    ],
  ])('refuses %j and %j', (a, b) => {
    expect(() => compareSamples(a, b)).toThrow(RangeError)
  })
})
