import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pearsonCorrelation } from './pearson-correlation.ts'

const x1 = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
const y1 = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
const x4 = [8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8]
const y4 = [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89]

describe('Pearson correlation', () => {
  it('Anscombe’s first and fourth set: .81642 and .81652 (Anscombe 1973; SciPy 1.17 pearsonr)', () => {
    expect(pearsonCorrelation(x1, y1)).toBeCloseTo(0.8164205163448395, 12)
    expect(pearsonCorrelation(x4, y4)).toBeCloseTo(0.8165214368885028, 12)
  })

  it('is NaN if either is constant, apart from rounding errors', () => {
    expect(pearsonCorrelation([1, 1, 1], [1, 2, 3])).toBeNaN()
    expect(pearsonCorrelation([1, 2], [0.1 + 0.2, 0.3])).toBeNaN()
    expect(pearsonCorrelation([0, 0], [1, 2])).toBeNaN()
    expect(pearsonCorrelation([1], [2])).toBeNaN()
  })

  it('works on a tiny scale', () => {
    expect(pearsonCorrelation([1e-15, 2e-15, 4e-15], [1, 2, 4])).toBeCloseTo(1, 12)
  })

  it('is in [−1, 1], is symmetric, and changes sign with one side', () => {
    const pairs = fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), {
      minLength: 2,
    })
    fc.assert(
      fc.property(pairs, (points) => {
        const x = points.map(([a]) => a)
        const y = points.map(([, b]) => b)
        fc.pre(new Set(x).size > 1 && new Set(y).size > 1)
        const r = pearsonCorrelation(x, y)
        expect(Math.abs(r)).toBeLessThanOrEqual(1)
        expect(pearsonCorrelation(y, x)).toBeCloseTo(r, 12)
        expect(
          pearsonCorrelation(
            x.map((a) => 5 - 3 * a),
            y,
          ),
        ).toBeCloseTo(-r, 10)
      }),
    )
  })

  it('rejects unpaired values', () => {
    expect(() => pearsonCorrelation([1, 2], [1])).toThrow(RangeError)
  })
})
