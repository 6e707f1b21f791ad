import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalCdf, tCdf } from '../numbers/distributions.ts'
import { noncentralTCdf } from './noncentral-t.ts'

/** t, degrees of freedom, noncentrality, SciPy 1.17 stats.nct.cdf. */
const grid: [number, number, number, number][] = [
  [-5, 1, -2, 0.30646258251210157],
  [-1, 1, 0.7, 0.09629165886013363],
  [0.4, 1, 0, 0.6211189415908434],
  [2.04, 1, 2.8, 0.21749204270666775],
  [6, 1, 8, 0.18844541724270603],
  [40, 1, 8, 0.8415294388629957],
  [-5, 1, 2.8, 0.00012109829274809733],
  [-5, 2.5, -2, 0.13541996103094997],
  [-1, 2.5, 0.7, 0.06843011368746857],
  [0.4, 2.5, 0, 0.6395903655346387],
  [2.04, 2.5, 2.8, 0.2319266749408334],
  [6, 2.5, 8, 0.17333802285308766],
  [40, 2.5, 8, 0.979160434373588],
  [-5, 2.5, 2.8, 7.3917067730499705e-6],
  [-5, 9, -2, 0.027464890703835638],
  [-1, 9, 0.7, 0.05153951316147237],
  [0.4, 9, 0, 0.6507579541643174],
  [2.04, 9, 2.8, 0.2300394905447051],
  [6, 9, 8, 0.10601175775510631],
  [40, 9, 8, 0.9999882924217937],
  [-5, 9, 2.8, 1.3034177637523278e-8],
  [-5, 32.36713, -2, 0.005622311671231592],
  [-1, 32.36713, 0.7, 0.04652177952221809],
  [0.4, 32.36713, 0, 0.6541078859440353],
  [2.04, 32.36713, 2.8, 0.22596127357912568],
  [6, 32.36713, 8, 0.05101578378510389],
  [40, 32.36713, 8, 0.9999999999999977],
  [-5, 32.36713, 2.8, 8.061725236445255e-12],
  [-5, 199, -2, 0.0018367883173802816],
  [-1, 199, 0.7, 0.04488435067353602],
  [0.4, 199, 0, 0.6552072260311266],
  [2.04, 199, 2.8, 0.22404171978109036],
  [6, 199, 8, 0.027300922063022027],
  [40, 199, 8, 1.0],
  [-5, 199, 2.8, 1.9019120569430865e-14],
  [-5, 100000, -2, 0.0013507845652459371],
  [-1, 100000, 0.7, 0.04456609758933691],
  [0.4, 100000, 0, 0.6554213144175702],
  [2.04, 100000, 2.8, 0.22362813135580262],
  [6, 100000, 8, 0.022759040810832035],
  [40, 100000, 8, 1.0],
  [-5, 100000, 2.8, 2.4963695609993097e-15],
]

describe('noncentral t', () => {
  it.each(grid)('P(T ≤ %s) at %s degrees and δ = %s is %s (SciPy 1.17 stats.nct)', (t, df, noncentrality, expected) => {
    expect(Math.abs(noncentralTCdf(t, df, noncentrality) - expected)).toBeLessThan(1e-11)
  })

  it('P(T ≤ 4.3) at 1e9 degrees and δ = 4 is .6179114212500711 (mpmath, 30 digits; SciPy 1.17 is off by 2e-9)', () => {
    expect(noncentralTCdf(4.3, 1e9, 4)).toBeCloseTo(0.6179114212500711, 13)
  })

  it('P(T ≤ −300) at 1 degree and δ = 8 is 2.008e-19 (mpmath, 30 digits; SciPy 1.17 gives NaN)', () => {
    expect(noncentralTCdf(-300, 1, 8) / 2.0080789540541752e-19).toBeCloseTo(1, 8)
  })

  const anyT = fc.double({ min: -60, max: 60, noNaN: true })
  const degrees = fc.oneof(fc.double({ min: 1, max: 50, noNaN: true }), fc.integer({ min: 1, max: 1e7 }))
  const shift = fc.double({ min: -30, max: 30, noNaN: true })

  it('is Student’s t without noncentrality', () => {
    fc.assert(
      fc.property(anyT, degrees, (t, df) => {
        expect(noncentralTCdf(t, df, 0)).toBeCloseTo(tCdf(t, df), 10)
      }),
    )
  })

  it('mirrors: P(T ≤ t; δ) = 1 − P(T ≤ −t; −δ), and is in [0, 1]', () => {
    fc.assert(
      fc.property(anyT, degrees, shift, (t, df, noncentrality) => {
        const below = noncentralTCdf(t, df, noncentrality)
        expect(below).toBeCloseTo(1 - noncentralTCdf(-t, df, -noncentrality), 10)
        expect(below >= 0 && below <= 1).toBe(true)
      }),
    )
  })

  it('is Φ(−δ) at 0 and continuous there; 0 and 1 at the ends', () => {
    expect(noncentralTCdf(0, 7, 1.3)).toBe(normalCdf(-1.3))
    expect(noncentralTCdf(1e-13, 7, 1.3)).toBeCloseTo(normalCdf(-1.3), 11)
    expect(noncentralTCdf(-Infinity, 7, 1.3)).toBe(0)
    expect(noncentralTCdf(Infinity, 7, 1.3)).toBe(1)
  })

  it.each([
    [NaN, 5, 1],
    [1, 0.5, 1],
    [1, 5, NaN],
  ])('rejects t = %s, df = %s, δ = %s', (t, df, noncentrality) => {
    expect(() => noncentralTCdf(t, df, noncentrality)).toThrow(RangeError)
  })
})
