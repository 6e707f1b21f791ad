import { describe, expect, it } from 'vitest'
import { compareSamples } from './two-samples.ts'

describe('two samples', () => {
  it('differ by the first mean minus the second', () => {
    expect(compareSamples([1, 2, 3], [1, 1]).difference).toBe(1)
  })

  it('do not vary if they differ only by rounding errors', () => {
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
  ])('rejects %j and %j', (a, b) => {
    expect(() => compareSamples(a, b)).toThrow(RangeError)
  })
})
