import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDollars, toMoney } from './money.ts'

describe('money', () => {
  it('is kept to the twelfth decimal', () => {
    expect(toMoney(0)).toBe(0n)
    expect(toMoney(0.1)).toBe(100_000_000_000n)
    expect(toMoney(3.75e-8)).toBe(37_500n)
    expect(toMoney(1e-12)).toBe(1n)
    expect(toMoney(1_000_000)).toBe(10n ** 18n)
    expect(toMoney(0.1 + 0.2)).toBe(300_000_000_000n)
  })

  it('every amount of up to 15 digits comes back as the same number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (picodollars) => {
        expect(toMoney(toDollars(picodollars))).toBe(picodollars)
      }),
    )
  })

  it('a sum past 2^53 is the nearest number to the exact one', () => {
    expect(toDollars(18_000_002_769_134_000_001n)).toBe(18_000_002.769_134)
    expect(toDollars(9_007_199_254_740_993n)).toBe(Number('9007.199254740993'))
  })
})
