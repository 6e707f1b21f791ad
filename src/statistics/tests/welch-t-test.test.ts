import { describe, expect, it } from 'vitest'
import { welchTTest } from './welch-t-test.ts'

const sleep1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
const sleep2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

describe('Welch’s t test', () => {
  it('sleep data: t = −1.8608, df = 17.776, p = .07939, −3.3654832 to 0.2054832 (R t.test)', () => {
    const test = welchTTest(sleep1, sleep2)
    expect(test.tStatistic).toBeCloseTo(-1.8608134674868526, 12)
    expect(test.degreesOfFreedom).toBeCloseTo(17.776473516178488, 10)
    expect(test.pValue).toBeCloseTo(0.0793941401873583, 12)
    expect(test.confidence95[0]).toBeCloseTo(-3.3654832307117104, 10)
    expect(test.confidence95[1]).toBeCloseTo(0.20548323071171137, 10)
  })

  it('samples of 4 and 7: df = 5.8303, p = .43480 (SciPy 1.17 ttest_ind equal_var=False)', () => {
    const test = welchTTest([0.1, 0.5, 0.9, 0.4], [0.3, 0.2, 0.8, 0.6, 0.7, 1, 0.9])
    expect(test.tStatistic).toBeCloseTo(-0.8384395027849507, 12)
    expect(test.degreesOfFreedom).toBeCloseTo(5.8302869123244685, 10)
    expect(test.pValue).toBeCloseTo(0.4348039228662626, 12)
    expect(test.confidence95[0]).toBeCloseTo(-0.6612108834541353, 10)
    expect(test.stdErr).toBeCloseTo(Math.abs(test.difference / 0.8384395027849507), 12)
  })

  it('has the degrees of freedom of the other sample, n − 1, if one is constant', () => {
    expect(welchTTest([0.5, 0.5, 0.5], [0.1, 0.3, 0.6, 0.2]).degreesOfFreedom).toBeCloseTo(3, 12)
  })

  it('has no test and no interval if neither sample varies', () => {
    expect(welchTTest([1, 1], [0.5, 0.5])).toEqual({
      difference: 0.5,
      stdErr: 0,
      tStatistic: NaN,
      degreesOfFreedom: NaN,
      pValue: NaN,
      confidence95: [NaN, NaN],
    })
  })

  it('rejects a sample of one', () => {
    expect(() => welchTTest([1, 2], [1])).toThrow(RangeError)
  })
})
