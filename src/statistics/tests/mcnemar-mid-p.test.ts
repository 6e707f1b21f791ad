import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mcnemarMidP } from './mcnemar-mid-p.ts'

/** The binomial written out with whole numbers. */
function midPByCounting(wins: number, losses: number): number {
  const trials = wins + losses
  const choose = (k: number) => {
    let ways = 1n
    for (let i = 0; i < k; i++) ways = (ways * BigInt(trials - i)) / BigInt(i + 1)
    return ways
  }
  const smaller = Math.min(wins, losses)
  let numerator = choose(smaller)
  for (let k = 0; k < smaller; k++) numerator += 2n * choose(k)
  return Math.min(1, Number(numerator) / 2 ** trials)
}

describe('McNemar’s mid-p', () => {
  it('airway hyper-responsiveness, 1 : 7: .039 (Fagerland, Lydersen & Laake 2013, table 4)', () => {
    expect(mcnemarMidP(1, 7)).toBeCloseTo(0.0390625, 10)
  })

  it('5 : 0 is 1/32, 0 : 0 is 1, and sides do not matter', () => {
    expect(mcnemarMidP(5, 0)).toBeCloseTo(1 / 32, 12)
    expect(mcnemarMidP(0, 0)).toBe(1)
    expect(mcnemarMidP(3, 9)).toBe(mcnemarMidP(9, 3))
  })

  it('equals the binomial counted in whole numbers', () => {
    const count = fc.integer({ min: 0, max: 25 })
    fc.assert(
      fc.property(count, count, (wins, losses) => {
        expect(mcnemarMidP(wins, losses)).toBeCloseTo(midPByCounting(wins, losses), 10)
      }),
    )
  })

  it('takes many cases', () => {
    expect(mcnemarMidP(5200, 4800)).toBeCloseTo(6.3e-5, 5)
    expect(mcnemarMidP(50_000, 50_000)).toBeGreaterThan(0.99)
  })

  it('rejects fractions and negative counts', () => {
    expect(() => mcnemarMidP(1.5, 2)).toThrow(RangeError)
    expect(() => mcnemarMidP(-1, 2)).toThrow(RangeError)
  })
})
