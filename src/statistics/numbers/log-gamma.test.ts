import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logGamma } from './log-gamma.ts'

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
