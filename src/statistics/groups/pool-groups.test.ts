import { describe, expect, it } from 'vitest'
import { tInterval } from '../intervals/t-interval.ts'
import { createRandom } from '../numbers/random.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'
import { pairedTTest } from '../tests/paired-t-test.ts'
import { poolGroups } from './pool-groups.ts'

const worked = {
  algebra: [0.3, 0.1, 0.4, 0, 0.2],
  code: [0.1, -0.2, 0.3, 0, 0.1, 0.2, -0.1, 0.2],
  facts: [-0.1, 0, -0.3, 0.1, 0, -0.2],
  style: [0.5, 0.2, 0.6, 0.1],
}

/** The posterior of one group by numerical integration over the centre μ as well as τ, instead of its closed form. */
function integrate(groups: number[][], target: number) {
  const moments = groups.map((values) => weightedMoments(values))
  const freedom = moments.reduce((sum, { n }) => sum + n - 1, 0)
  const variance = moments.reduce((sum, { n, stdDev }) => sum + (n - 1) * stdDev ** 2, 0) / freedom
  let [total, first, second] = [0, 0, 0]
  for (let step = 0; step <= 100; step++) {
    const between = (step / 200) ** 2
    for (let centre = -3; centre <= 3; centre += 0.002) {
      const weight = moments.reduce((product, { n, mean }) => {
        const spread = variance / n + between
        return (product * Math.exp(-((mean - centre) ** 2) / (2 * spread))) / Math.sqrt(spread)
      }, 1)
      const { n, mean } = moments[target]!
      const own = variance / n
      const expected = (mean * between + centre * own) / (between + own)
      total += weight
      first += weight * expected
      second += weight * (expected ** 2 + (own * between) / (own + between))
    }
  }
  const estimate = first / total
  return { estimate, stdErr: Math.sqrt(second / total - estimate ** 2), freedom }
}

describe('poolGroups', () => {
  it('gives the worked values of four groups', () => {
    const pooled = poolGroups(worked)
    expect(Object.keys(pooled)).toEqual(['algebra', 'code', 'facts', 'style'])
    expect(pooled['algebra']!.estimate).toBeCloseTo(0.188638, 6)
    expect(pooled['code']!.estimate).toBeCloseTo(0.080783, 6)
    expect(pooled['facts']!.estimate).toBeCloseTo(-0.054302, 6)
    expect(pooled['style']!.estimate).toBeCloseTo(0.309088, 6)
    expect(pooled['style']!.low).toBeCloseTo(0.125899, 6)
    expect(pooled['style']!.high).toBeCloseTo(0.492277, 6)
    expect(pooled['style']!.raw).toBeCloseTo(0.35, 12)
  })

  it('is the posterior that numerical integration over the centre and the spread finds, on unequal groups', () => {
    const groups = [[0.9, 0.2], [-0.4, 0.1, 0, 0.3, -0.2, 0.1, 0.2, 0], [0.5], [0.1, 0.1, 0.4]]
    const pooled = Object.values(poolGroups(Object.fromEntries(groups.map((values, index) => [`g${index}`, values]))))
    for (const [index, { estimate, low, high }] of pooled.entries()) {
      const expected = integrate(groups, index)
      const interval = tInterval({
        mean: expected.estimate,
        stdErr: expected.stdErr,
        degreesOfFreedom: expected.freedom,
      })
      expect(estimate).toBeCloseTo(expected.estimate, 6)
      expect(low).toBeCloseTo(interval.low, 6)
      expect(high).toBeCloseTo(interval.high, 6)
    }
  })

  it('draws a small group further than a large one with the same mean', () => {
    const half = (count: number, mean: number) =>
      Array.from({ length: count }, (_, index) => mean + (index % 2 === 0 ? 0.2 : -0.2))
    const pooled = poolGroups({ small: half(4, 0.3), large: half(400, 0.3), other: half(40, 0), third: half(40, 0.05) })
    expect(0.3 - pooled['small']!.estimate).toBeGreaterThan(5 * (0.3 - pooled['large']!.estimate))
    expect(pooled['large']!.estimate).toBeLessThan(0.3)
  })

  it('gives one group alone the t interval of its mean', () => {
    const { raw, estimate, low, high } = poolGroups({ only: worked.code })['only']!
    const { meanDiff, confidence95 } = pairedTTest(worked.code)
    expect(raw).toBeCloseTo(meanDiff, 12)
    expect(estimate).toBeCloseTo(meanDiff, 12)
    expect(low).toBeCloseTo(confidence95[0], 10)
    expect(high).toBeCloseTo(confidence95[1], 10)
  })

  it('leaves groups apart that have no spread within, and never claims certainty', () => {
    const pooled = poolGroups({ a: [0.2, 0.2, 0.2], b: [-0.1], c: [0, 0] })
    for (const [name, mean] of Object.entries({ a: 0.2, b: -0.1, c: 0 })) {
      const { raw, estimate, low, high } = pooled[name]!
      expect([raw, estimate]).toEqual([mean, mean])
      expect(low).toBeLessThan(mean)
      expect(high).toBeGreaterThan(mean)
    }
  })

  it('stays finite for many values: weights far below the smallest number', () => {
    const random = createRandom('many')
    const values = (mean: number) => Array.from({ length: 50_000 }, () => mean + (random() - 0.5) / 10)
    const pooled = poolGroups({ a: values(-0.4), b: values(0), c: values(0.4) })
    expect(pooled['c']!.estimate).toBeCloseTo(0.4, 3)
    expect(pooled['c']!.high - pooled['c']!.low).toBeLessThan(0.001)
  })

  it('takes the names of groups as they are', () => {
    const groups = Object.fromEntries([
      ['__proto__', [0.1, 0.2]],
      ['constructor', [0, 0.3]],
    ])
    expect(Object.keys(poolGroups(groups))).toEqual(['__proto__', 'constructor'])
  })

  it('has nothing to say of no groups, and refuses an empty group and what is no number', () => {
    expect(poolGroups({})).toEqual({})
    expect(() => poolGroups({ a: [0.1], b: [] })).toThrow('groups["b"] is empty')
    expect(() => poolGroups({ a: [0.1, Number.NaN] })).toThrow('groups["a"][1] is NaN')
    expect(() => poolGroups({ a: [2, 2] })).toThrow('from −1 to 1')
  })
})
