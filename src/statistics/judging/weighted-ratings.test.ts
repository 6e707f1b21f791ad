import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { skewedInterval } from '../intervals/skewed-interval.ts'
import { correctByRatings, intervalOfRatings } from './correct-by-ratings.ts'

const random = createRandom('weighted ratings')
const rated = Array.from({ length: 60 }, () => {
  const human = random()
  return { human, judge: Math.min(1, human * 0.5 + random() * 0.5) }
})
const unrated = Array.from({ length: 200 }, () => random())

describe('weights of cases', () => {
  it('only their ratios matter', () => {
    const plain = correctByRatings({ rated, unrated })
    const heavy = correctByRatings({
      rated: rated.map((answer) => ({ ...answer, weight: 7 })),
      unrated,
      unratedWeights: unrated.map(() => 7),
    })
    for (const field of ['mean', 'low', 'high', 'lambda', 'rawMean'] as const)
      expect(heavy[field]).toBeCloseTo(plain[field], 12)
  })

  it('move the means: a case of weight 3 counts like three', () => {
    const weighted = rated.map((answer, index) => ({ ...answer, weight: index < 20 ? 3 : 1 }))
    const repeated = [...rated, ...rated.slice(0, 20), ...rated.slice(0, 20)]
    const once = correctByRatings({ rated: weighted, unrated: [] })
    const thrice = correctByRatings({ rated: repeated, unrated: [] })
    expect(once.mean).toBeCloseTo(thrice.mean, 12)
    // It is still one case: what it says is less sure than three.
    expect(once.high - once.low).toBeGreaterThan(thrice.high - thrice.low)
  })

  it('a pass rate whose heavy cases fail has a wider interval than the same number of equal ones', () => {
    const ratings = Array.from({ length: 40 }, (_, index) => (index < 8 ? 0 : 1))
    const equal = intervalOfRatings(
      ratings,
      ratings.map(() => 1),
    )
    const heavy = intervalOfRatings(
      ratings,
      ratings.map((rating) => (rating === 0 ? 4 : 1)),
    )
    expect(heavy.mean).toBe(0.5)
    expect(heavy.high - heavy.low).toBeGreaterThan(equal.high - equal.low)
  })
})

describe('the careful interval', () => {
  it('is a little wider than the published one, and the same estimate', () => {
    const published = correctByRatings({ rated, unrated })
    const careful = correctByRatings({ rated, unrated, interval: 'careful' })
    expect(careful.mean).toBe(published.mean)
    const ratio = (careful.high - careful.low) / (published.high - published.low)
    expect(ratio).toBeGreaterThan(1.01)
    expect(ratio).toBeLessThan(1.15)
  })

  // Hall (1992): g⁻¹(x) = 3/d · (∛(1 + d(x − d/6)) − 1) with d = .2 and t = 2.009575 (df 49): 1.755… and −2.459….
  it('reaches further on the side of the longer tail', () => {
    const { low, high } = skewedInterval({ mean: 0, stdErr: 1, skewness: 0.2, degreesOfFreedom: 49 })
    const t = 2.009575
    expect(low).toBeCloseTo(-t, 5)
    expect(high).toBeCloseTo(-15 * (Math.cbrt(1 + 0.2 * (-t - 0.2 / 6)) - 1), 5)
    const mirrored = skewedInterval({ mean: 0, stdErr: 1, skewness: -0.2, degreesOfFreedom: 49 })
    expect(mirrored).toEqual({ low: -high, high: -low })
    expect(skewedInterval({ mean: 0, stdErr: 1, skewness: 0, degreesOfFreedom: 49 }).high).toBeCloseTo(t, 5)
  })
})
