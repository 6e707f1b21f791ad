import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaQuantile, normalCdf, normalQuantile, tCdf, tQuantile, twoSidedTPValue, logGamma } from './distributions.ts'

const relativeError = (actual: number, expected: number) => Math.abs(actual / expected - 1)

describe('distributions', () => {
  it('the t distribution agrees with SciPy 1.17 stats.t at fractional degrees', () => {
    expect(relativeError(tCdf(-1.3, 4.4), 0.1287623311835811)).toBeLessThan(1e-12)
    expect(relativeError(tQuantile(0.975, 2.7), 3.3921483831737507)).toBeLessThan(1e-12)
  })

  it('the beta quantile agrees with SciPy 1.17 stats.beta', () => {
    expect(relativeError(betaQuantile(0.025, 2.5, 7.1), 0.05176711699223658)).toBeLessThan(1e-12)
  })

  it.each([
    [1e-300, -37.0470962993612],
    [1e-20, -9.262340089798409],
    [0.975, 1.959963984540054],
  ])('the normal quantile of %s is %s (SciPy 1.17 stats.norm)', (p, expected) => {
    expect(relativeError(normalQuantile(p), expected)).toBeLessThan(1e-13)
  })

  it('the normal quantile inverts the cdf, also where Newton replaces the library', () => {
    for (const p of [1e-12, 0.99e-4, 1e-4, 1.01e-4, 0.2])
      expect(relativeError(normalCdf(normalQuantile(p)), p)).toBeLessThan(1e-11)
  })

  it('the normal quantile is infinite at 0 and 1, and NaN outside', () => {
    expect(normalQuantile(0)).toBe(-Infinity)
    expect(normalQuantile(1)).toBe(Infinity)
    expect(normalQuantile(1.5)).toBeNaN()
  })

  it.each([
    [40, 9, 1.8982998449339822e-11],
    [12, 1e4, 5.97977960781125e-33],
    [-100, 30, 1.984611796727031e-39],
  ])('the two-sided p of t = %s at %s degrees is %s, not rounded to 0 (SciPy 1.17 2·stats.t.sf)', (t, df, expected) => {
    expect(relativeError(twoSidedTPValue(t, df), expected)).toBeLessThan(1e-10)
  })

  it('the two-sided p is symmetric in t and within [0, 1]', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        fc.double({ min: 0.5, max: 1e6, noNaN: true }),
        (t, df) => {
          const p = twoSidedTPValue(t, df)
          expect(p).toBe(twoSidedTPValue(-t, df))
          expect(p >= 0 && p <= 1).toBe(true)
        },
      ),
    )
  })
})

describe('log-gamma', () => {
  it.each([
    [1e-10, 23.025850929882733],
    [0.01, 4.599479878042022],
    [0.5, 0.5723649429247],
    [0.9, 0.06637623973474327],
    [1, 0],
    [1.5, -0.12078223763524526],
    [2, 0],
    [2.5, 0.2846828704729192],
    [7.7, 7.926541356269006],
    [50, 144.56574394634487],
    [123.4, 469.3360974421906],
    [1e5, 1051287.7089736569],
    [5e6, 72124735.55845618],
  ])('ln Γ(%s) is %s within 1e-13 (SciPy 1.17 special.gammaln)', (x, expected) => {
    expect(Math.abs(logGamma(x) - expected)).toBeLessThan(1e-13 * Math.max(1, Math.abs(expected)))
  })

  it('ln Γ(x + 1) = ln Γ(x) + ln x', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 170, noNaN: true }), (x) => {
        expect(logGamma(x + 1)).toBeCloseTo(logGamma(x) + Math.log(x), 11)
      }),
    )
  })

  it.each([0, -1, NaN])('rejects %s', (x) => {
    expect(() => logGamma(x)).toThrow(RangeError)
  })
})
