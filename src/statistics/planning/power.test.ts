import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { approximatePairsNeeded, pairsNeeded, powerOfPairedTest } from './power.ts'

describe('power of the paired t test', () => {
  it('is .8 for a difference of .5 with deviation 1 and 33.36713 pairs (R power.t.test type="paired")', () => {
    expect(powerOfPairedTest({ difference: 0.5, stdDev: 1, n: 33.36713 })).toBeCloseTo(0.8, 7)
  })

  it.each([
    [{ difference: 0.1, stdDev: 0.4, n: 50 }, 0.4103806417610208],
    [{ difference: -0.05, stdDev: 0.3, n: 200 }, 0.6501383364555895],
    [{ difference: 0.2, stdDev: 0.3, n: 5, alpha: 0.01 }, 0.055996462475249746],
  ])('%j has power %s (SciPy 1.17 stats.nct, both tails)', (input, expected) => {
    expect(powerOfPairedTest(input)).toBeCloseTo(expected, 9)
  })

  it('is alpha without a difference, 1 without spread and 1 for a huge difference', () => {
    expect(powerOfPairedTest({ difference: 0, stdDev: 1, n: 9 })).toBe(0.05)
    expect(powerOfPairedTest({ difference: 0.1, stdDev: 0, n: 2 })).toBe(1)
    expect(powerOfPairedTest({ difference: 1, stdDev: 1e-9, n: 2 })).toBe(1)
    expect(powerOfPairedTest({ difference: 39, stdDev: 1, n: 1e6 })).toBe(1)
  })

  it('grows with the number of pairs', () => {
    const spread = fc.double({ min: 0.05, max: 5, noNaN: true })
    fc.assert(
      fc.property(spread, fc.integer({ min: 2, max: 500 }), (stdDev, n) => {
        const power = (pairs: number) => powerOfPairedTest({ difference: 0.3, stdDev, n: pairs })
        expect(power(n + 1)).toBeGreaterThanOrEqual(power(n) - 1e-12)
      }),
    )
  })

  it.each([
    { difference: NaN, stdDev: 1, n: 5 },
    { difference: 1, stdDev: -1, n: 5 },
    { difference: 1, stdDev: 1, n: 1 },
    { difference: 1, stdDev: 1, n: 5, alpha: 1 },
  ])('rejects %j', (input) => {
    expect(() => powerOfPairedTest(input)).toThrow(RangeError)
  })
})

describe('pairs needed', () => {
  it.each([
    [{ difference: 0.5, stdDev: 1 }, 34],
    [{ difference: 0.05, stdDev: 0.3 }, 285],
    [{ difference: -0.1, stdDev: 0.4, power: 0.9 }, 171],
    [{ difference: 0.2, stdDev: 0.3, alpha: 0.01 }, 30],
    [{ difference: 1, stdDev: 0.5 }, 5],
    [{ difference: 0.02, stdDev: 0.45 }, 3976],
  ])('%j needs %s (SciPy 1.17 stats.nct, counted up from 2)', (input, expected) => {
    expect(pairsNeeded(input)).toBe(expected)
  })

  it('is the first number that reaches the power', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        fc.double({ min: 0.06, max: 0.99, noNaN: true }),
        (stdDev, power) => {
          const n = pairsNeeded({ difference: 1, stdDev, power })
          expect(powerOfPairedTest({ difference: 1, stdDev, n })).toBeGreaterThanOrEqual(power)
          if (n > 2) expect(powerOfPairedTest({ difference: 1, stdDev, n: n - 1 })).toBeLessThan(power)
        },
      ),
    )
  })

  it('is Infinity for no difference, 2 for no spread', () => {
    expect(pairsNeeded({ difference: 0, stdDev: 1 })).toBe(Infinity)
    expect(pairsNeeded({ difference: 0, stdDev: 0 })).toBe(Infinity)
    expect(pairsNeeded({ difference: 0.1, stdDev: 0 })).toBe(2)
  })

  it('is 7.84886·s²/d² for tiny differences (SciPy 1.17, normal limit with both tails), and Infinity if too large', () => {
    const n = pairsNeeded({ difference: 1e-6, stdDev: 1 })
    expect(n / 7848860509326).toBeCloseTo(1, 9)
    expect(pairsNeeded({ difference: 1e-9, stdDev: 1 })).toBe(Infinity)
  })

  it('rejects a power of 1', () => {
    expect(() => pairsNeeded({ difference: 1, stdDev: 1, power: 1 })).toThrow(RangeError)
  })
})

describe('the approximate number of pairs', () => {
  it.each([0.02, 0.05, 0.1, 0.3])('is within 2 of the exact one: difference %d', (difference) => {
    const input = { difference, stdDev: 0.35 }
    expect(Math.abs(approximatePairsNeeded(input) - pairsNeeded(input))).toBeLessThanOrEqual(2)
  })
})

describe('with judges who are drawn at random', () => {
  const panel = { judges: 3, variance: 0.05 ** 2 }
  const plan = { stdDev: 0.3, alpha: 0.05, panel }

  // Without any noise of cases 80 % power takes t(.975; 2)·.05 + z(.8)·.05 = (4.302653 + .841621)·.05 = .257214.
  it('no number of cases detects less than the judges differ by', () => {
    expect(pairsNeeded({ ...plan, difference: 0.2572 })).toBe(Infinity)
    expect(pairsNeeded({ ...plan, difference: 0.2573 })).toBeGreaterThan(10_000)
  })

  it('more cases are needed than without, and as many as reach the power', () => {
    const needed = pairsNeeded({ ...plan, difference: 0.3 })
    expect(needed).toBeGreaterThan(pairsNeeded({ ...plan, difference: 0.3, panel: undefined }))
    expect(powerOfPairedTest({ ...plan, difference: 0.3, n: needed })).toBeGreaterThanOrEqual(0.8)
    expect(powerOfPairedTest({ ...plan, difference: 0.3, n: needed - 1 })).toBeLessThan(0.8)
    const agreed = { judges: 3, variance: 0 }
    expect(pairsNeeded({ ...plan, difference: 0.3, panel: agreed })).toBe(
      pairsNeeded({ ...plan, difference: 0.3, panel: undefined }),
    )
  })
})
