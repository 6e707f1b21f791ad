import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pooledTTest } from './pooled-t-test.ts'

const sleep1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
const sleep2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

describe('pooled t test', () => {
  it('sleep data: t = −1.8608, 18 degrees, p = .07919 (R t.test var.equal=TRUE), d = −.8322 (NumPy 2.4)', () => {
    const test = pooledTTest(sleep1, sleep2)
    expect(test.difference).toBeCloseTo(-1.58, 12)
    expect(test.tStatistic).toBeCloseTo(-1.8608134674868524, 12)
    expect(test.degreesOfFreedom).toBe(18)
    expect(test.pValue).toBeCloseTo(0.07918671421593822, 12)
    expect(test.effectSize).toBeCloseTo(-0.8321810813495395, 12)
    expect(test.stdErr).toBeCloseTo(1.58 / 1.8608134674868524, 12)
  })

  it('samples of unequal size: 1 2 3 4 against 2 4 gives s² = 7/4, so t = −.4364 (by hand)', () => {
    const test = pooledTTest([1, 2, 3, 4], [2, 4])
    expect(test.tStatistic).toBeCloseTo(-0.5 / Math.sqrt((7 / 4) * (1 / 4 + 1 / 2)), 12)
    expect(test.effectSize).toBeCloseTo(-0.5 / Math.sqrt(7 / 4), 12)
    expect(test.degreesOfFreedom).toBe(4)
  })

  it('has no test if neither sample varies, even if the means differ', () => {
    expect(pooledTTest([0.1 + 0.2, 0.3], [0.5, 0.5])).toEqual({
      difference: expect.closeTo(-0.2, 12),
      stdErr: 0,
      tStatistic: NaN,
      degreesOfFreedom: 2,
      pValue: NaN,
      effectSize: NaN,
    })
  })

  it('works if only one sample varies', () => {
    expect(pooledTTest([0.5, 0.5], [0.1, 0.3]).pValue).toBeGreaterThan(0)
  })

  it('changes sign but not p if the samples are swapped', () => {
    const sample = fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 2, maxLength: 20 })
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        fc.pre(new Set(a).size > 1 || new Set(b).size > 1)
        const test = pooledTTest(a, b)
        const swapped = pooledTTest(b, a)
        expect(swapped.tStatistic).toBeCloseTo(-test.tStatistic, 10)
        expect(swapped.pValue).toBeCloseTo(test.pValue, 12)
        expect(test.pValue >= 0 && test.pValue <= 1).toBe(true)
      }),
    )
  })

  it('rejects a sample of one', () => {
    expect(() => pooledTTest([1], [1, 2])).toThrow(RangeError)
  })
})
