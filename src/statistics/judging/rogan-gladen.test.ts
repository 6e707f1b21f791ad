import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { roganGladen } from './rogan-gladen.ts'

const worked = { observedRate: 0.4, n: 1000, specificity: 0.7, negatives: 200, sensitivity: 0.9, positives: 200 }

describe('roganGladen', () => {
  it('gives the worked value', () => {
    const { rate, low, high } = roganGladen(worked)
    expect(rate).toBeCloseTo(0.1 / 0.6, 12)
    expect(low).toBeCloseTo(0.056351, 6)
    expect(high).toBeCloseTo(0.262733, 6)
  })

  it('changes nothing about a perfect judge’s rate', () => {
    const { rate, low, high } = roganGladen({ ...worked, specificity: 1, sensitivity: 1 })
    expect(rate).toBeCloseTo(0.4, 12)
    expect(low).toBeLessThan(0.4)
    expect(high).toBeGreaterThan(0.4)
  })

  it('stays between 0 and 1', () => {
    expect(roganGladen({ ...worked, observedRate: 0.1 })).toMatchObject({ rate: 0, low: 0 })
    expect(roganGladen({ ...worked, observedRate: 1 })).toMatchObject({ rate: 1, high: 1 })
  })

  it('says nothing if the few ratings leave room for a judge that guesses', () => {
    const few = { observedRate: 0.5, n: 100, specificity: 0, negatives: 3, sensitivity: 1, positives: 1 }
    expect(() => roganGladen(few)).toThrow(/no better than chance/)
    expect(roganGladen({ ...few, specificity: 1 / 3 })).toMatchObject({ low: 0, high: 1 })
  })

  it.each([
    [{ specificity: 0.4, sensitivity: 0.6 }, /no better than chance/],
    [{ observedRate: 1.2 }, /observedRate is 1.2/],
    [{ sensitivity: Number.NaN }, /sensitivity is NaN/],
    [{ n: 0 }, /n is 0/],
    [{ positives: 1.5 }, /positives is 1.5/],
  ])('rejects %o', (change, message) => {
    expect(() => roganGladen({ ...worked, ...change })).toThrow(message)
  })

  it.each([
    [0.5, 0.9, 0.9],
    [0.1, 0.7, 0.95],
    [0.9, 0.6, 0.8],
  ])(
    'covers a true rate of %d with a judge of specificity %d and sensitivity %d',
    (truth, specificity, sensitivity) => {
      const random = createRandom(`rogan-gladen ${truth}`)
      const count = (n: number, chance: number) => Array.from({ length: n }, random).filter((u) => u < chance).length
      const observed = truth * sensitivity + (1 - truth) * (1 - specificity)
      const trials = 2000
      let covered = 0
      for (let trial = 0; trial < trials; trial++) {
        const { low, high } = roganGladen({
          observedRate: count(300, observed) / 300,
          n: 300,
          specificity: count(60, specificity) / 60,
          negatives: 60,
          sensitivity: count(60, sensitivity) / 60,
          positives: 60,
        })
        if (low <= truth && high >= truth) covered++
      }
      expect(covered / trials).toBeGreaterThanOrEqual(0.94)
    },
  )
})
