import { describe, expect, it } from 'vitest'
import { costRatio, meanCost } from './cost-interval.ts'

/**
 * Computed in Python with SciPy 1.x from the formulas of Cochran (Sampling Techniques, chapter 6), the delta method and
 * Hall's transformation, not by this code.
 */
const a = [1.2, 0.8, 2.5, 1.1, 3, 0.9, 1.4, 2.2, 0.7, 1.6, 5, 1.3]
const b = [4, 2.9, 7.5, 3.8, 8.8, 3.1, 4.9, 6.1, 2.5, 5.2, 12, 4.4]
const clusters = [...'aaabbbcccddd']

describe('costRatio', () => {
  it('is the ratio of the means, with an interval from the residuals', () => {
    const { mean, low, high } = costRatio(a, b)!
    expect(mean).toBeCloseTo(0.3328220858895705, 12)
    expect(low).toBeCloseTo(0.29340098765339745, 9)
    expect(high).toBeCloseTo(0.40630502438230254, 9)
  })

  it('is less certain with clusters', () => {
    const { low, high } = costRatio(a, b, clusters)!
    expect(low).toBeCloseTo(0.2758223701683106, 9)
    expect(high).toBeCloseTo(0.5570414728892217, 9)
  })

  it('is known exactly if one always costs the same share of the other', () => {
    const { mean, low, high } = costRatio(
      a,
      a.map((cost) => cost * 4),
    )!
    expect(mean).toBeCloseTo(0.25, 12)
    expect(low).toBeCloseTo(0.25, 6)
    expect(high).toBeCloseTo(0.25, 6)
  })

  it('has no interval of one case or one cluster, and no value where the other costs nothing', () => {
    expect(costRatio([1], [2])).toEqual({ mean: 0.5 })
    expect(costRatio([1, 1.5], [2, 2], ['g', 'g'])).toEqual({ mean: 0.625 })
    expect(costRatio([1, 2], [0, 0])).toBeUndefined()
    expect(costRatio([0, 0], [1, 2])).toEqual({ mean: 0, low: 0, high: 0 })
  })

  it('refuses costs below 0 and lists of other lengths', () => {
    expect(() => costRatio([1, -1], [1, 1])).toThrow('costs of A[1] is -1: a cost is at least 0.')
    expect(() => costRatio([1], [1, 1])).toThrow('differ in length')
  })
})

describe('meanCost', () => {
  it('never reaches below nothing', () => {
    const { mean, low, high } = meanCost(a)
    expect(mean).toBeCloseTo(1.8083333333333333, 12)
    expect(low).toBeCloseTo(1.0266580149663938, 9)
    expect(high).toBeCloseTo(3.2654160101456537, 9)
    expect(meanCost([0, 0, 0, 10]).low).toBeGreaterThan(0)
  })

  it('takes clusters as units', () => {
    const { low, high } = meanCost(a, clusters)
    expect(low).toBeCloseTo(0.6780941231949249, 9)
    expect(high).toBeCloseTo(6.2543474871492295, 9)
  })
})
