import { describe, expect, it } from 'vitest'
import { kendallTau } from './kendall-tau.ts'

describe('Kendall’s τ-b', () => {
  it('12 2 1 12 2 and 1 4 7 1 0 give −.471405 (SciPy stats.kendalltau, its documentation)', () => {
    expect(kendallTau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])).toBeCloseTo(-0.47140452079103173, 12)
  })

  it('is 1 for the same order, −1 for the opposite one and NaN without any', () => {
    expect(kendallTau([1, 2, 3], [0.1, 0.5, 0.9])).toBe(1)
    expect(kendallTau([1, 2, 3], [3, 2, 1])).toBe(-1)
    expect(kendallTau([1, 1, 1], [3, 2, 1])).toBeNaN()
  })

  it('refuses lists of different length', () => {
    expect(() => kendallTau([1, 2], [1])).toThrow(RangeError)
  })
})
