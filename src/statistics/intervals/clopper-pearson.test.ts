import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clopperPearsonInterval } from './clopper-pearson.ts'

const expectInterval = (actual: { low: number; high: number }, low: number, high: number, digits: number) => {
  expect(actual.low).toBeCloseTo(low, digits)
  expect(actual.high).toBeCloseTo(high, digits)
}

describe('Clopper-Pearson', () => {
  it('81/263 is .2527–.3676 (R binom.test)', () => {
    expectInterval(clopperPearsonInterval(81, 263), 0.25273674558527126, 0.36762192260135135, 12)
  })

  it('682/925 is .7076683–.7654066 (R binom.test help page, Conover 1971)', () => {
    expectInterval(clopperPearsonInterval(682, 925), 0.7076683, 0.7654066, 7)
  })

  it('50/100 at 99 % is .36886–.63114, symmetric (SciPy 1.17 stats.beta)', () => {
    expectInterval(clopperPearsonInterval(50, 100, 0.99), 0.3688614373589241, 0.6311385626410759, 12)
  })

  it('accepts fractions: 7.3 of 12.6 and 0.4 of 1 (SciPy 1.17 stats.beta)', () => {
    expectInterval(clopperPearsonInterval(7.3, 12.6), 0.28046776662477896, 0.8403742952446516, 12)
    expectInterval(clopperPearsonInterval(0.4, 1), 5.530282125414887e-5, 0.9985479473068698, 12)
  })

  it('none of 10 is 0 to 1 − .025^(1/10), all of 10 its mirror (closed form)', () => {
    const bound = 1 - 0.025 ** 0.1
    const none = clopperPearsonInterval(0, 10)
    const all = clopperPearsonInterval(10, 10)
    expect([none.low, all.high]).toEqual([0, 1])
    expect(none.high).toBeCloseTo(bound, 13)
    expect(all.low).toBeCloseTo(1 - bound, 13)
    expect(none.method).toBe('clopper-pearson')
  })

  it('ignores a rounding error beyond none or all', () => {
    expect(clopperPearsonInterval(10 + 1e-14, 10)).toEqual(clopperPearsonInterval(10, 10))
    expect(clopperPearsonInterval(10 - 1e-14, 10)).toEqual(clopperPearsonInterval(10, 10))
    expect(clopperPearsonInterval(-1e-16, 10)).toEqual(clopperPearsonInterval(0, 10))
  })

  it('contains the observed rate, is in [0, 1] and mirrors if successes and failures are swapped', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e5, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (trials, rate) => {
          const { low, high } = clopperPearsonInterval(rate * trials, trials)
          expect(0 <= low && low <= rate && rate <= high && high <= 1).toBe(true)
          expectInterval(clopperPearsonInterval(trials - rate * trials, trials), 1 - high, 1 - low, 8)
        },
      ),
    )
  })

  it.each([
    [11, 10],
    [-1, 10],
    [0, 0],
    [NaN, 10],
    [1, Infinity],
  ])('rejects %s of %s', (successes, trials) => {
    expect(() => clopperPearsonInterval(successes, trials)).toThrow(RangeError)
  })

  it('rejects a level of 1', () => {
    expect(() => clopperPearsonInterval(1, 2, 1)).toThrow(RangeError)
  })
})
