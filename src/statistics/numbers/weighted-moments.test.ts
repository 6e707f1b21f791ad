import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weightedMoments } from './weighted-moments.ts'

const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 30 })
const score = fc.double({ min: 0, max: 1, noNaN: true })
const weight = fc.double({ min: 0.01, max: 100, noNaN: true })

describe('weighted moments', () => {
  it('of weighted values follow the formula (NumPy 2.4, written out)', () => {
    const moments = weightedMoments([0.2, 0.9, 0.5, 1, 0.7], [1, 2, 3, 0.5, 4])
    expect(moments.mean).toBeCloseTo(0.6476190476190476, 14)
    expect(moments.stdDev).toBeCloseTo(0.24736107211928074, 14)
    expect(moments.stdErr).toBeCloseTo(0.12957008539581372, 14)
    expect(moments.effectiveSize).toBeCloseTo(3.644628099173554, 13)
    expect(moments).toMatchObject({ n: 5, totalWeight: 10.5, min: 0.2, max: 1 })
  })

  it('of unweighted values are those of np.std with ddof=1 (NumPy 2.4)', () => {
    const moments = weightedMoments(new Float64Array([0.2, 0.9, 0.5, 1, 0.7]))
    expect(moments.mean).toBeCloseTo(0.66, 15)
    expect(moments.stdDev).toBeCloseTo(0.3209361307176242, 14)
    expect(moments.stdErr).toBeCloseTo(0.14352700094407322, 14)
    expect(moments.effectiveSize).toBe(5)
  })

  it('NIST StRD NumAcc4 (1,001 values around 1e7) has mean 10000000.2 and deviation 0.1', () => {
    const numAcc4 = [10000000.2, ...Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? 10000000.1 : 10000000.3))]
    const { mean, stdDev } = weightedMoments(numAcc4)
    expect(Math.abs(mean - 10000000.2)).toBeLessThan(2e-9)
    expect(Math.abs(stdDev - 0.1)).toBeLessThan(2e-9)
  })

  it('keep the deviation √2.5 of 0, 1, 2, 3, 4 after a shift by 1e9, whichever value comes first', () => {
    expect(weightedMoments([0, 1, 2, 3, 4].map((x) => x + 1e9)).stdDev).toBe(Math.sqrt(2.5))
    expect(weightedMoments([-1e9, 1e9 + 1, 1e9 + 2]).mean).toBeCloseTo((1e9 + 3) / 3, 6)
  })

  it('of equal values have a deviation of exactly 0, whatever the weights', () => {
    fc.assert(
      fc.property(score, fc.array(weight, { minLength: 1 }), (value, weights) => {
        const moments = weightedMoments(
          weights.map(() => value),
          weights,
        )
        expect(moments).toMatchObject({ mean: value, stdDev: 0, stdErr: 0 })
      }),
    )
  })

  it('of one value have deviation 0 and effective size 1', () => {
    expect(weightedMoments([0.4], [1e-300])).toEqual({
      n: 1,
      mean: 0.4,
      stdDev: 0,
      stdErr: 0,
      totalWeight: 1e-300,
      effectiveSize: 1,
      min: 0.4,
      max: 0.4,
    })
  })

  it('do not depend on the scale of the weights, from 1e-300 to 1e300, except for their total', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(score, weight), { minLength: 2 }),
        fc.constantFrom(1e-300, 1e-9, 7, 1e300),
        (pairs, scale) => {
          const scores = pairs.map(([value]) => value)
          const plain = weightedMoments(
            scores,
            pairs.map(([, w]) => w),
          )
          const scaled = weightedMoments(
            scores,
            pairs.map(([, w]) => w * scale),
          )
          expect(Math.abs(scaled.mean - plain.mean)).toBeLessThan(1e-14)
          expect(Math.abs(scaled.stdDev - plain.stdDev)).toBeLessThan(1e-13)
          expect(Math.abs(scaled.stdErr - plain.stdErr)).toBeLessThan(1e-13)
          expect(scaled.effectiveSize).toBeCloseTo(plain.effectiveSize, 10)
          expect(scaled.totalWeight / plain.totalWeight / scale).toBeCloseTo(1, 10)
        },
      ),
    )
  })

  it('are the same with equal weights as without', () => {
    fc.assert(
      fc.property(values, weight, (xs, w) => {
        expect(
          weightedMoments(
            xs,
            xs.map(() => w),
          ),
        ).toEqual({ ...weightedMoments(xs), totalWeight: expect.closeTo(w * xs.length, 8) })
      }),
    )
  })

  it.each([1, 1e-6, 1e-17, 1e-40, 1e-150])(
    'of 0.2 and 0.8 have deviation 0.6/√2 even with weights 1 and %s (exact)',
    (small) => {
      const { stdDev, mean } = weightedMoments([0.2, 0.8], [1, small])
      expect(stdDev).toBeCloseTo(0.6 / Math.SQRT2, 13)
      expect(mean).toBeCloseTo((0.2 + 0.8 * small) / (1 + small), 14)
    },
  )

  it('have a finite deviation even with weights of 1e-300 and 1e300', () => {
    expect(weightedMoments([0.2, 0.8], [1e-300, 1e300]).stdDev).toBeCloseTo(0.6 / Math.SQRT2, 13)
  })

  it('have a mean between the smallest and the largest value, and an effective size between 1 and n', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(score, weight), { minLength: 1 }), (pairs) => {
        const { mean, min, max, effectiveSize, n } = weightedMoments(
          pairs.map(([x]) => x),
          pairs.map(([, w]) => w),
        )
        expect(mean >= min && mean <= max).toBe(true)
        expect(effectiveSize >= 1 && effectiveSize <= n).toBe(true)
      }),
    )
  })

  it('handle a million values', () => {
    const million = Float64Array.from({ length: 1e6 }, (_, i) => (i % 1000) / 999)
    expect(
      weightedMoments(
        million,
        million.map((x) => x + 1),
      ).mean,
    ).toBeCloseTo(0.5 + 1001 / 999 / 18, 10)
  })

  it.each([
    [[], undefined],
    [[NaN], undefined],
    [[1, 2], [1]],
    [
      [1, 2],
      [1, 0],
    ],
  ])('reject values %j with weights %j', (xs, ws) => {
    expect(() => weightedMoments(xs, ws)).toThrow(RangeError)
  })
})
