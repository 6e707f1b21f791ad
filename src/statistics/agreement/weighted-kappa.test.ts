import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quadraticWeightedKappa } from './weighted-kappa.ts'

const a = [
  3, 3, 4, 5, 1, 1, 5, 5, 2, 2, 5, 3, 2, 5, 2, 3, 4, 3, 1, 1, 5, 4, 5, 3, 5, 2, 3, 4, 1, 2, 1, 3, 5, 1, 2, 3, 5, 2, 3,
  2,
]
const b = [
  2, 4, 3, 4, 1, 1, 4, 5, 3, 3, 4, 4, 1, 5, 3, 2, 5, 2, 1, 2, 5, 4, 4, 2, 5, 2, 3, 5, 1, 2, 2, 4, 5, 1, 3, 3, 5, 2, 3,
  1,
]

describe('quadratic weighted kappa', () => {
  it('40 ratings from 1 to 5: .86072 (NumPy 2.4 from the confusion matrix, the definition of sklearn)', () => {
    expect(quadraticWeightedKappa(a, b)).toBeCloseTo(0.8607154162709718, 12)
  })

  it('is 1 for agreement, 0 for two constants, −1 for opposites', () => {
    expect(quadraticWeightedKappa(a, a)).toBe(1)
    expect(quadraticWeightedKappa([1, 1], [2, 2])).toBe(0)
    expect(quadraticWeightedKappa([0, 1], [1, 0])).toBeCloseTo(-1, 12)
  })

  it('is NaN without expected disagreement', () => {
    expect(quadraticWeightedKappa([0.1, 0.1, 0.1], [0.1, 0.1, 0.1])).toBeNaN()
  })

  it('agrees with the double sum, in either order of the raters', () => {
    const ratings = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
      minLength: 1,
      maxLength: 20,
    })
    fc.assert(
      fc.property(ratings, (pairs) => {
        const expected =
          pairs.flatMap(([x]) => pairs.map(([, y]) => (x - y) ** 2)).reduce((s, d) => s + d, 0) / pairs.length
        const observed = pairs.reduce((sum, [x, y]) => sum + (x - y) ** 2, 0)
        const kappa = quadraticWeightedKappa(
          pairs.map(([x]) => x),
          pairs.map(([, y]) => y),
        )
        expect(kappa).toEqual(expected === 0 ? NaN : expect.closeTo(1 - observed / expected, 9))
        const swapped = quadraticWeightedKappa(
          pairs.map(([, y]) => y),
          pairs.map(([x]) => x),
        )
        expect(swapped).toEqual(expected === 0 ? NaN : expect.closeTo(kappa, 9))
      }),
    )
  })

  it('rejects unpaired and missing ratings', () => {
    expect(() => quadraticWeightedKappa([1], [1, 2])).toThrow(RangeError)
    expect(() => quadraticWeightedKappa([], [])).toThrow(RangeError)
  })
})
