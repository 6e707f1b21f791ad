import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjustHolm } from './holm.ts'

const pValues = fc.array(fc.double({ min: 0, max: 1, noNaN: true }))

describe('Holm', () => {
  it('.01 .04 .03 .005 become .03 .06 .06 .02 (R p.adjust)', () => {
    const adjusted = adjustHolm([0.01, 0.04, 0.03, 0.005])
    expect(adjusted.map((p) => Number(p.toFixed(12)))).toEqual([0.03, 0.06, 0.06, 0.02])
  })

  it('keeps NaN and does not count it', () => {
    expect(adjustHolm([0.01, NaN, 0.04])).toEqual([0.02, NaN, 0.04])
    expect(adjustHolm([])).toEqual([])
  })

  it('is at least p, at most 1 and at most Bonferroni, and keeps the order of the p-values', () => {
    fc.assert(
      fc.property(pValues, (ps) => {
        const adjusted = adjustHolm(ps)
        for (const [i, p] of ps.entries()) {
          expect(adjusted[i]! >= p && adjusted[i]! <= Math.min(1, p * ps.length)).toBe(true)
          for (const [j, q] of ps.entries()) if (p < q) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!)
        }
      }),
    )
  })

  it.each([-0.1, 1.1])('rejects p = %s', (p) => {
    expect(() => adjustHolm([p])).toThrow(RangeError)
  })
})
