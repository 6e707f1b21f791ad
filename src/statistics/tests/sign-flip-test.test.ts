import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairedTTest } from './paired-t-test.ts'
import { createRandom } from '../numbers/random.ts'
import { mcnemarMidP } from './mcnemar-mid-p.ts'
import { signFlipTest } from './sign-flip-test.ts'

const darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]

describe('sign-flip test', () => {
  it('Darwin’s maize: 1726 of 32768 (Fisher, The Design of Experiments, 1935, § 21)', () => {
    expect(signFlipTest(darwin)).toMatchObject({ pValue: 1726 / 32768, exact: true, permutations: 32768 })
  })

  it('weighted differences: 58 of 256 (NumPy 2.4, all sign vectors)', () => {
    const differences = [0.3, -0.1, 0.25, 0.05, 0.4, -0.2, 0.15, 0.1]
    const weights = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]
    expect(signFlipTest(differences, { weights }).pValue).toBe(58 / 256)
    expect(signFlipTest(differences, { weights: weights.map((w) => w * 1e300) }).pValue).toBe(58 / 256)
  })

  it('agrees with enumerating one sign vector at a time, counting ties in exact arithmetic', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -10, max: 10 }), { minLength: 1, maxLength: 11 }), (whole) => {
        let count = 0
        const observed = Math.abs(whole.reduce((sum, d) => sum + d, 0))
        for (let signs = 0; signs < 2 ** whole.length; signs++) {
          const sum = whole.reduce((total, d, i) => total + ((signs >> i) & 1 ? d : -d), 0)
          if (Math.abs(sum) >= observed) count++
        }
        expect(signFlipTest(whole.map((d) => d / 10)).pValue).toBe(count / 2 ** whole.length)
        expect(signFlipTest(whole.map((d) => d * 1e7 + d / 3)).pValue).toBe(count / 2 ** whole.length)
      }),
    )
  })

  it('is within 4 standard errors of the exact p for random flips of Darwin’s maize', () => {
    const test = signFlipTest(darwin, { exactUpTo: 0, permutations: 100_000, random: createRandom('flips') })
    const exact = 1726 / 32768
    expect(test).toMatchObject({ exact: false, permutations: 100_000 })
    expect(Math.abs(test.pValue - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 100_000))
  })

  it('agrees with the t test for 300 differences (large sample), so every sign is really drawn', () => {
    const random = createRandom('differences')
    const differences = Array.from({ length: 300 }, () => random() - 0.45)
    const test = signFlipTest(differences, { permutations: 50_000 })
    expect(Math.abs(test.pValue - pairedTTest(differences).pValue)).toBeLessThan(0.005)
  })

  it('gives the same p for the same data, and never 0: (b + 1)/(B + 1) (Phipson & Smyth 2010)', () => {
    const differences = Array.from({ length: 40 }, (_, i) => 0.5 + (i % 7) / 10)
    expect(signFlipTest(differences)).toEqual(signFlipTest(differences))
    expect(signFlipTest(differences).pValue).toBe(1 / 10_001)
  })

  it('is exact up to 15 differences and random above', () => {
    expect(signFlipTest(Array.from({ length: 15 }, () => 1))).toMatchObject({
      pValue: 2 / 32768,
      exact: true,
      permutations: 32768,
    })
    expect(signFlipTest(Array.from({ length: 16 }, () => 1)).exact).toBe(false)
    expect(
      signFlipTest(
        Array.from({ length: 16 }, () => 1),
        { exactUpTo: 16 },
      ).pValue,
    ).toBe(2 / 65536)
  })

  it('has p = 1 if all differences are 0, or there is only one', () => {
    expect(signFlipTest([0, 0, 0]).pValue).toBe(1)
    expect(signFlipTest(Array.from({ length: 50 }, () => 0)).pValue).toBe(1)
    expect(signFlipTest([0.7]).pValue).toBe(1)
  })

  it('equals a plain loop over sign vectors, with 32 signs per draw, added term by term (written out)', () => {
    const p = (differences: number[], weights: number[], permutations: number) => {
      const random = createRandom(20_100_101)
      const heaviest = Math.max(...weights)
      const relative = weights.map((weight) => weight / heaviest)
      const total = relative.reduce((sum, weight) => sum + weight, 0)
      const terms = differences.map((difference, i) => (relative[i]! * difference) / total)
      const threshold = Math.abs(terms.reduce((sum, term) => sum + term, 0)) - 1e-12
      let count = 0
      for (let permutation = 0; permutation < permutations; permutation++) {
        let bits = 0
        let [sum, ofEight] = [0, 0]
        for (const [i, term] of terms.entries()) {
          bits = i % 32 === 0 ? (random() * 2 ** 32) >>> 0 : bits >>> 1
          ofEight += bits & 1 ? term : -term
          if (i % 8 === 7 || i === terms.length - 1) [sum, ofEight] = [sum + ofEight, 0]
        }
        if (Math.abs(sum) >= threshold) count++
      }
      return (count + 1) / (permutations + 1)
    }
    const difference = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(-1, -0.5, 0, 0.5, 1))
    const pair = fc.tuple(difference, fc.double({ min: 0.01, max: 10, noNaN: true }))
    fc.assert(
      fc.property(
        fc.array(pair, { minLength: 1, maxLength: 150 }),
        fc.integer({ min: 1, max: 2500 }),
        (pairs, permutations) => {
          const [differences, weights] = [pairs.map(([d]) => d), pairs.map(([, weight]) => weight)]
          expect(signFlipTest(differences, { weights, permutations, exactUpTo: 0 }).pValue).toBe(
            p(differences, weights, permutations),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('rejects no differences, unpaired weights, no permutations and too much enumeration', () => {
    expect(() => signFlipTest([])).toThrow(RangeError)
    expect(() => signFlipTest([1, 2], { weights: [1] })).toThrow(RangeError)
    expect(() => signFlipTest([1], { permutations: 0 })).toThrow(RangeError)
    expect(() => signFlipTest([1], { exactUpTo: 40 })).toThrow(RangeError)
  })

  it('counts ties half in the mid-p, which for 0/1 differences is McNemar’s', () => {
    expect(signFlipTest([0.5, 0, 0, 0.5, 1, 0, 0.5, -0.5, 0, 0.5, 0.5, 0]).midP).toBe(0.0625)
    const nineToTwo = [...Array.from({ length: 9 }, () => 1), -1, -1]
    expect(signFlipTest(nineToTwo).midP).toBeCloseTo(mcnemarMidP(9, 2), 12)
    expect(signFlipTest([0.3, -0.3]).midP).toBe(1)
    const sampled = signFlipTest([...nineToTwo, ...Array.from({ length: 9 }, () => 0)])
    expect(sampled.exact).toBe(false)
    expect(sampled.midP).toBeCloseTo(mcnemarMidP(9, 2), 2)
  })

  it('flips the signs of whole clusters (worked value: 7 clusters of 14 cases)', () => {
    const a = [0.9, 0.8, 1, 0.7, 0.6, 0.5, 0.9, 1, 0.8, 0.7, 0.9, 0.6, 0.8, 0.9]
    const b = [0.7, 0.6, 0.7, 0.6, 0.7, 0.5, 0.6, 0.8, 0.5, 0.6, 0.4, 0.7, 0.7, 0.8]
    const test = signFlipTest(
      a.map((score, index) => score - b[index]!),
      { clusters: [...'aaabbcddeeefgg'] },
    )
    expect(test).toMatchObject({ midP: 0.09375, permutations: 2 ** 7 })
  })
})
