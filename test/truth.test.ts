/** Short versions of the simulations in bench/truth. Their generators are seeded, so the same code gives the same rates. */
import { describe, expect, it } from 'vitest'
import { kinds } from '../bench/truth/kinds.ts'
import {
  measureIntervals,
  measurePlans,
  measureRatings,
  measureRunIntervals,
  measureVerdicts,
} from '../bench/truth/simulations.ts'

const skewed = kinds.filter(({ name }) => name.startsWith('A always'))

describe('verdicts', () => {
  it.each(kinds)('call at most 7 % of equal models different: $name', (kind) => {
    for (const size of [6, 12, 30]) {
      const { ours, coverage } = measureVerdicts({ kind, size, replications: 500 })
      expect(ours).toBeLessThanOrEqual(0.07)
      expect(coverage).toBeGreaterThanOrEqual(0.92)
    }
  })

  it.each(skewed)('call at most 1.1 % of equal but skewed models different up to 30 cases: $name', (kind) => {
    for (const size of [6, 10, 20, 30])
      expect(measureVerdicts({ kind, size, replications: 160 }).ours).toBeLessThanOrEqual(0.011)
  })

  it('of scores that are 0 or 1 have as much power as a paired t test, within 5 points from 50 cases on', () => {
    for (const kind of kinds.slice(0, 2)) {
      const { ours, pairedT } = measureVerdicts({ kind, size: 50, gap: 0.2, replications: 160 })
      expect(ours).toBeGreaterThanOrEqual(pairedT - 0.05)
    }
  })
})

describe('intervals', () => {
  it.each(kinds)('over cases cover the mean: $name', (kind) => {
    const least = kind.name.startsWith('0 or 1') ? 0.94 : 0.85
    for (const size of [5, 10, 30, 100])
      expect(measureIntervals({ kind, size, replications: 1000 }).ours).toBeGreaterThanOrEqual(least)
  })

  it.each([
    [10, 2],
    [10, 3],
    [30, 3],
  ])('over runs cover a model that is right 99 times in 100: %d cases, %d runs', (cases, runs) => {
    const { ours, seed } = measureRunIntervals({ rate: 0.99, cases, runs, replications: 1000 })
    expect(ours).toBeGreaterThanOrEqual(0.94)
    expect(seed).toBeLessThan(0.6)
  })

  it.each([2, 3, 6])('of the ratings of %d models cover at least 92 in 100', (models) => {
    for (const isPassFail of [true, false])
      expect(
        measureRatings({ models, cases: 30, isPassFail, spread: 0.6, replications: 400 / models }),
      ).toBeGreaterThanOrEqual(0.92)
  })
})

describe('plans', () => {
  it.each(kinds.filter((_, index) => index % 2 === 0))(
    'from 20 cases reach 78 to 95 % power, tested on the new cases alone: $name',
    (kind) => {
      const { power } = measurePlans({ kind, size: 20, gap: Math.min(0.1, kind.mean), replications: 160 })
      expect(power).toBeGreaterThanOrEqual(0.78)
      expect(power).toBeLessThanOrEqual(0.95)
    },
  )
})
