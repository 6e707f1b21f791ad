import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairedTTest } from './paired-t-test.ts'

const sleep = [-1.2, -2.4, -1.3, -1.3, 0, -1, -1.8, -0.8, -4.6, -1.4]
const darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]

describe('paired t test', () => {
  it('sleep data: t = −4.0621, p = .002833, −2.4598858 to −0.7001142 (R t.test paired=TRUE)', () => {
    const test = pairedTTest(sleep)
    expect(test).toMatchObject({ n: 10, degreesOfFreedom: 9, meanDiff: expect.closeTo(-1.58, 12) })
    expect(test.tStatistic).toBeCloseTo(-4.062127683382037, 11)
    expect(test.pValue).toBeCloseTo(0.002832890197384273, 13)
    expect(test.confidence95[0]).toBeCloseTo(-2.459885763276983, 10)
    expect(test.confidence95[1]).toBeCloseTo(-0.7001142367230175, 10)
  })

  it('sleep data: Hedges’ g = −1.1739 with the exact J(9) (mpmath and NumPy 2.4)', () => {
    expect(pairedTTest(sleep).effectSize).toBeCloseTo(-1.1739249035142045, 12)
  })

  it('Darwin’s maize: t = 2.148 at 14 degrees, p = .0497 (Fisher 1935; SciPy 1.17 ttest_1samp)', () => {
    const test = pairedTTest(darwin)
    expect(test.tStatistic).toBeCloseTo(2.1479874613311205, 12)
    expect(test.pValue).toBeCloseTo(0.049702944021800866, 12)
  })

  it('weighted differences follow the formula (NumPy 2.4 and SciPy 1.17, written out)', () => {
    const test = pairedTTest([0.2, -0.1, 0.3, 0.05, 0.12], [1, 2, 3, 0.5, 4])
    expect(test.meanDiff).toBeCloseTo(0.1338095238095238, 13)
    expect(test.stdDev).toBeCloseTo(0.1623614794216904, 13)
    expect(test.stdErr).toBeCloseTo(0.08504648922088545, 13)
    expect(test.tStatistic).toBeCloseTo(1.573369165915708, 12)
    // Unequal weights: the effective size less 1.
    expect(test.degreesOfFreedom).toBeCloseTo(10.5 ** 2 / 30.25 - 1, 12)
    expect(test.effectSize).toBeCloseTo(0.6575731726286513, 12)
  })

  it('counts clusters and weights by their effective number (worked values)', () => {
    const a = [0.9, 0.8, 1, 0.7, 0.6, 0.5, 0.9, 1, 0.8, 0.7, 0.9, 0.6, 0.8, 0.9]
    const b = [0.7, 0.6, 0.7, 0.6, 0.7, 0.5, 0.6, 0.8, 0.5, 0.6, 0.4, 0.7, 0.7, 0.8]
    const differences = a.map((score, index) => score - b[index]!)
    const plain = pairedTTest(differences)
    expect(plain.stdErr).toBeCloseTo(0.044121, 6)
    expect(plain.confidence95).toEqual([expect.closeTo(0.061826, 6), expect.closeTo(0.25246, 6)])
    expect(plain.pValue).toBeCloseTo(0.003478, 6)
    const clustered = pairedTTest(differences, undefined, [...'aaabbcddeeefgg'])
    expect(clustered.meanDiff).toBe(plain.meanDiff)
    expect(clustered.stdErr).toBeCloseTo(0.053708, 6)
    expect(clustered.degreesOfFreedom).toBeCloseTo(5.125, 10)
    expect(clustered.confidence95).toEqual([expect.closeTo(0.020089, 6), expect.closeTo(0.294196, 6)])
    expect(clustered.pValue).toBeCloseTo(0.031833, 6)
  })

  it('naming clusters never narrows the interval', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 0, max: 4 })), {
          minLength: 2,
          maxLength: 20,
        }),
        (cases) => {
          const differences = cases.map(([difference]) => difference / 20)
          const plain = pairedTTest(differences).confidence95
          const clusters = cases.map(([, cluster]) => cluster)
          const clustered = pairedTTest(differences, undefined, clusters).confidence95
          expect(clustered[0]).toBeLessThanOrEqual(plain[0] + 1e-12)
          expect(clustered[1]).toBeGreaterThanOrEqual(plain[1] - 1e-12)
        },
      ),
    )
  })

  it('clips the interval to [−1, 1] only if all differences are in [−1, 1]', () => {
    expect(pairedTTest([1, -0.9, 0.8]).confidence95).toEqual([-1, 1])
    expect(pairedTTest([10, -9, 8]).confidence95[0]).toBeLessThan(-20)
  })

  it('has no test if all are equal, and the unseen-mass bound on [−1, 1] as its interval', () => {
    const seen = 0.05 ** (1 / 3)
    const test = pairedTTest([0.1 + 0.2, 0.3, 0.3])
    expect(test).toMatchObject({
      stdDev: 0,
      stdErr: 0,
      tStatistic: NaN,
      pValue: NaN,
      effectSize: NaN,
      degreesOfFreedom: 2,
    })
    expect(test.confidence95[0]).toBeCloseTo(2 * 0.65 * seen - 1, 12)
    expect(test.confidence95[1]).toBeCloseTo(2 * (0.65 * seen + 1 - seen) - 1, 12)
  })

  it('has an effect of 0 and an interval symmetric about 0 if all are 0', () => {
    const test = pairedTTest([0, 0, 0, 0])
    expect(test).toMatchObject({ effectSize: 0, pValue: NaN })
    expect(test.confidence95[1]).toBeCloseTo(1 - 0.05 ** (1 / 4), 12)
    expect(test.confidence95[0]).toBeCloseTo(-test.confidence95[1], 12)
  })

  it('has no test for one difference, and keeps 5 % of it', () => {
    const test = pairedTTest([0.5])
    expect(test).toMatchObject({ n: 1, tStatistic: NaN, pValue: NaN, effectSize: NaN, degreesOfFreedom: 0 })
    expect(test.confidence95[0]).toBeCloseTo(2 * 0.75 * 0.05 - 1, 12)
  })

  it('has no interval for equal differences of unknown range', () => {
    expect(pairedTTest([5, 5]).confidence95).toEqual([NaN, NaN])
  })

  it('has a test but no effect size for two differences, since J(1) does not exist', () => {
    expect(pairedTTest([0.1, 0.3]).pValue).toBeCloseTo(0.29516723530086653, 12)
    expect(pairedTTest([0.1, 0.3]).effectSize).toBeNaN()
  })

  it('changes sign with the differences, and its interval contains the mean', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 1, maxLength: 30 }), (whole) => {
        const test = pairedTTest(whole.map((d) => d / 100))
        const mirrored = pairedTTest(whole.map((d) => -d / 100))
        const [low, high] = test.confidence95
        expect(low <= test.meanDiff + 1e-12 && test.meanDiff <= high + 1e-12 && low >= -1 && high <= 1).toBe(true)
        expect(mirrored.confidence95[0]).toBeCloseTo(-high, 10)
        expect(mirrored.pValue).toEqual(Number.isNaN(test.pValue) ? NaN : expect.closeTo(test.pValue, 10))
      }),
    )
  })

  it('rejects no differences and unpaired weights', () => {
    expect(() => pairedTTest([])).toThrow(RangeError)
    expect(() => pairedTTest([1, 2], [1])).toThrow(RangeError)
  })
})
