import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sumDollars, toDollars, toMoney } from './money.ts'

describe('money', () => {
  it('has twelve decimals', () => {
    expect(toMoney(0)).toBe(0n)
    expect(toMoney(0.1)).toBe(100_000_000_000n)
    expect(toMoney(3.75e-8)).toBe(37_500n)
    expect(toMoney(1e-12)).toBe(1n)
    expect(toMoney(1_000_000)).toBe(10n ** 18n)
    expect(toMoney(0.1 + 0.2)).toBe(300_000_000_000n)
  })

  it('preserves every amount of up to 15 digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (picodollars) => {
        expect(toMoney(toDollars(picodollars))).toBe(picodollars)
      }),
    )
  })

  it('converts a sum above 2^53 to the nearest number', () => {
    expect(toDollars(18_000_002_769_134_000_001n)).toBe(18_000_002.769_134)
    expect(toDollars(9_007_199_254_740_993n)).toBe(Number('9007.199254740993'))
  })

  it('adds up exactly, in any order', () => {
    const priced = fc.bigInt({ min: 0n, max: 10n ** 10n }).map(toDollars)
    const any = fc.double({ min: 0, max: 1e9, noNaN: true })
    const near = fc.constantFrom(
      0,
      0.1,
      0.2,
      0.1 + 0.2,
      1e-12,
      0.5e-12,
      1.5e-12,
      999.999_999_999_999,
      1000,
      1000.000_000_000_1,
      8999.123_456_789,
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(priced, any, near), { maxLength: 40 }), (amounts) => {
        const exact = toDollars(amounts.reduce((sum, amount) => sum + toMoney(amount), 0n))
        expect(sumDollars(amounts)).toBe(exact)
        expect(sumDollars(amounts.toReversed())).toBe(exact)
      }),
      { numRuns: 2000 },
    )
  })

  it('rejects invalid amounts', () => {
    for (const amount of [-1, Number.NaN, Number.POSITIVE_INFINITY, -1e-13])
      expect(() => sumDollars([1, amount])).toThrow('not a valid amount of dollars')
  })
})
