import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { casesForEquivalence, testEquivalence } from './equivalence.ts'

const close = [0.1, -0.1, 0, 0.05, -0.05, 0.1, -0.05, 0, 0.05, -0.1, 0.05, 0, -0.05, 0.1]
const repeat = (value: number, count: number) => Array.from({ length: count }, () => value)

describe('practically the same', () => {
  it('takes the hull of t and Hall’s interval for graded differences (worked value)', () => {
    const { low, high, verdict } = testEquivalence(close, { margin: 0.1 })
    expect([low, high]).toEqual([expect.closeTo(-0.034573, 6), expect.closeTo(0.047745, 6)])
    expect(verdict).toBe('practically the same')
  })

  it('adds Agresti and Min’s interval for 0/1 scores: 3 won and 1 lost of 40 (worked value)', () => {
    const differences = [...repeat(1, 3), -1, ...repeat(0, 36)]
    const { low, high, verdict } = testEquivalence(differences, { margin: 0.1, isPassFail: true })
    expect([low, high]).toEqual([expect.closeTo(-0.059038, 6), expect.closeTo(0.176962, 6)])
    expect(verdict).toBe('not worse')
  })

  it('plans 171 cases for a spread of .2 and a margin of .05 (worked value)', () => {
    expect(casesForEquivalence({ margin: 0.05, stdDev: 0.2 })).toBe(171)
  })

  it('says the first that fits', () => {
    const verdictOf = (differences: number[], margin: number) => testEquivalence(differences, { margin }).verdict
    const around = (mean: number) => close.map((difference) => mean + difference)
    expect(verdictOf(around(0.3), 0.1)).toBe('better by more than the margin')
    expect(verdictOf(around(0.1), 0.3)).toBe('better, by less than the margin')
    expect(verdictOf(around(0.1), 0.1)).toBe('better')
    expect(verdictOf(around(-0.3), 0.1)).toBe('worse by more than the margin')
    expect(verdictOf(around(0.02), 0.05)).toBe('not worse')
    expect(verdictOf(around(-0.035), 0.05)).toBe('not better')
    expect(verdictOf(close, 0.01)).toBe('too close to call')
  })

  it('is wider for more pairs and for clusters', () => {
    const width = (options: object) => {
      const { low, high } = testEquivalence(close, { margin: 0.1, ...options })
      return high - low
    }
    expect(width({ pairs: 10 })).toBeGreaterThan(width({}))
    expect(width({ clusters: close.map((_, index) => index % 4) })).toBeGreaterThan(width({}))
  })

  it('of two differences is that of t: two values have no skewness, however they round', () => {
    // .415 ± t(.975; 1)·.035 (any table of Student's t)
    const { low, high } = testEquivalence([0.45, 0.38], { margin: 0.1 })
    expect([low, high]).toEqual([expect.closeTo(0.415 - 12.706205 * 0.035, 6), expect.closeTo(0.415 + 0.444717, 6)])
  })

  it('identical answers are the same only within what has not been seen: 30 ties leave 9.5 points', () => {
    expect(testEquivalence(repeat(0, 30), { margin: 0.09 }).verdict).toBe('too close to call')
    expect(testEquivalence(repeat(0, 30), { margin: 0.1 }).verdict).toBe('practically the same')
  })

  it.each([0, -0.1, Number.NaN, 5])('refuses a margin of %s: points are not shares', (margin) => {
    expect(() => testEquivalence(close, { margin })).toThrow(RangeError)
    expect(() => testEquivalence([0.1, 0.2], { margin: 0 })).toThrow('margin is 0: it must be a number above 0')
  })

  it('calls models the same at most 5 % of the time if they differ by the margin through rare failures (simulation)', () => {
    const random = createRandom('rare failures')
    const trials = 500
    let same = 0
    for (let trial = 0; trial < trials; trial++) {
      const differences = Array.from({ length: 60 }, () => (random() < 0.05 ? 1 : 0))
      if (testEquivalence(differences, { margin: 0.05, isPassFail: true }).verdict === 'practically the same') same++
    }
    expect(same / trials).toBeLessThanOrEqual(0.05)
  })
})
