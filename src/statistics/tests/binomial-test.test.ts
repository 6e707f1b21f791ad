import { describe, expect, it } from 'vitest'
import { binomialTest } from './binomial-test.ts'

describe('the exact binomial test', () => {
  it("682 of 925 against ¾ is .3825 (Mendel's peas: Conover 1971, p. 97; R's help of binom.test)", () => {
    expect(binomialTest(682, 925, { probability: 0.75 })).toBeCloseTo(0.38249156, 8)
  })

  it.each([
    [6, 6, 0.03125],
    [12, 15, 0.03515625],
    [9, 15, 0.607238769531],
    [0, 10, 0.001953125],
    [5, 10, 1],
    [0, 0, 1],
  ])('%i of %i against ½ is %d (scipy.stats.binomtest)', (successes, trials, p) => {
    expect(binomialTest(successes, trials)).toBeCloseTo(p, 10)
  })

  it('one-sided, 5 of 5 is 1/32 and 0 of 5 is 1', () => {
    expect(binomialTest(5, 5, { alternative: 'greater' })).toBeCloseTo(1 / 32, 12)
    expect(binomialTest(0, 5, { alternative: 'greater' })).toBeCloseTo(1, 12)
  })

  it('refuses counts that cannot be', () => {
    expect(() => binomialTest(6, 5)).toThrow('trials')
    expect(() => binomialTest(-1, 5)).toThrow('successes')
    expect(() => binomialTest(1, 5, { probability: 1 })).toThrow('probability')
  })
})
