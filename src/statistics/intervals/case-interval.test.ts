import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusteredMoments } from '../clusters/clustered-moments.ts'
import { caseInterval, clusterMeanInterval, effectiveTrials } from './case-interval.ts'
import { clopperPearsonInterval } from './clopper-pearson.ts'
import { createRandom } from '../numbers/random.ts'
import { tInterval } from './t-interval.ts'
import { unseenMassInterval } from './unseen-mass-interval.ts'
import { weightedMoments } from '../numbers/weighted-moments.ts'

type Draw = (random: () => number) => number

const bernoulli =
  (rate: number): Draw =>
  (random) =>
    random() < rate ? 1 : 0
/** Beta(a, b) with whole a and b is the a-th smallest of a + b − 1 uniform numbers. */
const beta =
  (a: number, b: number): Draw =>
  (random) =>
    Float64Array.from({ length: a + b - 1 }, random).sort()[a - 1]!
const exactMatch: Draw = (random) => {
  const draw = random()
  if (draw < 0.85) return 1
  return draw < 0.95 ? 0.95 : 0
}

const sizes = [2, 3, 5, 10, 20, 30, 50, 100]
const kinds: [name: string, draw: Draw, mean: number, least: number][] = [
  ['Bernoulli .5', bernoulli(0.5), 0.5, 0.94],
  ['Bernoulli .9', bernoulli(0.9), 0.9, 0.94],
  ['Bernoulli .99', bernoulli(0.99), 0.99, 0.94],
  ['Beta(2, 2)', beta(2, 2), 0.5, 0.85],
  ['Beta(8, 2)', beta(8, 2), 0.8, 0.85],
  ['uniform', (random) => random(), 0.5, 0.85],
  ['.95 nine times in ten, else 0', (random) => (random() < 0.9 ? 0.95 : 0), 0.855, 0.85],
  ['exact match: 1 / .95 / 0 at 85 / 10 / 5 %', exactMatch, 0.945, 0.85],
]

interface Simulation {
  draw: Draw
  mean: number
  size: number
  interval?: (scores: number[]) => { low: number; high: number }
}

function simulateCoverage({ draw, mean, size, interval = caseInterval }: Simulation): number {
  const random = createRandom(`coverage at ${size}`)
  const replications = 1000
  let held = 0
  for (let i = 0; i < replications; i++) {
    const { low, high } = interval(Array.from({ length: size }, () => draw(random)))
    if (low <= mean && mean <= high) held++
  }
  return held / replications
}

describe('case interval: real coverage of the 95 % interval', () => {
  it.each(kinds)('%s: contains the true mean often enough at every size (simulation)', (_, draw, mean, least) => {
    const coverage = sizes.map((size) => simulateCoverage({ draw, mean, size }))
    expect(Math.min(...coverage), coverage.join(' ')).toBeGreaterThanOrEqual(least)
  })

  it('contains a rate of .99 with 5 cases 94 times in 100, mean ± 1.96·s/√n less than 10 times', () => {
    const textbook = (scores: number[]) => {
      const { mean, stdErr } = weightedMoments(scores)
      return { low: mean - 1.96 * stdErr, high: mean + 1.96 * stdErr }
    }
    const simulation = { draw: bernoulli(0.99), mean: 0.99, size: 5 }
    expect(simulateCoverage({ ...simulation, interval: textbook })).toBeLessThan(0.1)
    expect(simulateCoverage(simulation)).toBeGreaterThanOrEqual(0.94)
  })
})

describe('case interval: choice of method', () => {
  it('uses Clopper-Pearson if all scores are 0 or 1, with the effective size if weighted', () => {
    expect(caseInterval([1, 0, 1, 1])).toEqual(clopperPearsonInterval(3, 4))
    const { mean, effectiveSize } = weightedMoments([1, 0, 1], [1, 2, 4])
    expect(caseInterval([1, 0, 1], [1, 2, 4])).toEqual(clopperPearsonInterval(mean * effectiveSize, effectiveSize))
    expect(caseInterval([1])).toEqual(clopperPearsonInterval(1, 1))
  })

  it('treats 0 and 1 with a rounding error as 0 and 1', () => {
    expect(caseInterval([0.1 + 0.2 + 0.7 - 1e-15, 1, 1e-17]).method).toBe('clopper-pearson')
  })

  it('uses Student’s t with n − 1 degrees of freedom if scores vary, clipped to [0, 1]', () => {
    const scores = [0.2, 0.9, 0.5, 1, 0.7]
    const { mean, stdErr } = weightedMoments(scores)
    expect(caseInterval(scores)).toEqual(tInterval({ mean, stdErr, degreesOfFreedom: 4, bounds: [0, 1] }))
    expect(caseInterval(scores, [7, 7, 7, 7, 7])).toEqual(caseInterval(scores))
    expect(caseInterval([0.1, 0.9]).method).toBe('t')
    expect(caseInterval([0.1, 0.9])).toMatchObject({ low: 0, high: 1 })
  })

  it('uses the hull of t and the unseen mass if one value has more than half of the weight, but not exactly half', () => {
    const scores = [0.9, 0.9, 0.9, 0.8]
    const { mean, stdErr } = weightedMoments(scores)
    const student = tInterval({ mean, stdErr, degreesOfFreedom: 3, bounds: [0, 1] })
    const unseen = unseenMassInterval(mean, 4)
    expect(caseInterval(scores)).toEqual({
      low: Math.min(student.low, unseen.low),
      high: Math.max(student.high, unseen.high),
      method: 't-and-unseen-mass',
    })
    expect(caseInterval([0.9, 0.9, 0.8, 0.7]).method).toBe('t')
    expect(caseInterval([0.9, 0.8, 0.7], [2.1, 1, 1]).method).toBe('t-and-unseen-mass')
    expect(caseInterval([0.9, 0.8, 0.7], [0.2, 0.1, 0.1]).method).toBe('t')
  })

  it('treats a value computed in two ways (.1 + .2 and .3) as one value', () => {
    expect(caseInterval([0.1 + 0.2, 0.3, 0.3, 0.9, 0.8]).method).toBe('t-and-unseen-mass')
    expect(caseInterval([0.1 + 0.2, 0.3]).method).toBe('unseen-mass')
  })

  it('uses the unseen mass alone if all scores are equal, or there is one, other than 0 or 1', () => {
    expect(caseInterval([0.5, 0.5, 0.5])).toEqual(unseenMassInterval(0.5, 3))
    expect(caseInterval([0.5], [3])).toEqual(unseenMassInterval(0.5, 1))
  })

  it('finds a majority in any order of scores', () => {
    const weighted = fc.tuple(fc.constantFrom(0.2, 0.5, 1), fc.integer({ min: 1, max: 5 }))
    fc.assert(
      fc.property(fc.array(weighted, { minLength: 2 }), (pairs) => {
        const scores = pairs.map(([score]) => score)
        fc.pre(new Set(scores).size > 1)
        const weightOf = (value?: number) =>
          pairs.reduce((sum, [score, w]) => sum + (score === (value ?? score) ? w : 0), 0)
        const majority = [0.2, 0.5, 1].some((value) => weightOf(value) > weightOf() / 2)
        const { method } = caseInterval(
          scores,
          pairs.map(([, w]) => w),
        )
        expect(method).toBe(majority ? 't-and-unseen-mass' : 't')
      }),
    )
  })

  it('contains the mean, is in [0, 1] and mirrors if every score is subtracted from 1', () => {
    const score = fc.oneof(
      fc.constantFrom(0, 1, 0.5),
      fc.integer({ min: 0, max: 1000 }).map((x) => x / 1000),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(score, fc.integer({ min: 1, max: 9 })), { minLength: 1 }), (pairs) => {
        const scores = pairs.map(([x]) => x)
        const weights = pairs.map(([, w]) => w)
        const { low, high } = caseInterval(scores, weights)
        const { mean } = weightedMoments(scores, weights)
        expect(0 <= low && low <= mean + 1e-12 && mean <= high + 1e-12 && high <= 1).toBe(true)
        const mirrored = caseInterval(
          scores.map((x) => 1 - x),
          weights,
        )
        expect(mirrored.low).toBeCloseTo(1 - high, 8)
        expect(mirrored.high).toBeCloseTo(1 - low, 8)
      }),
    )
  })

  it('handles a million scores', () => {
    const million = Float64Array.from({ length: 1e6 }, (_, i) => (i % 3 === 0 ? i / 1e6 : 0.75))
    expect(caseInterval(million).method).toBe('t-and-unseen-mass')
  })

  it.each([[[]], [[1.1, 0]], [[-0.1]], [[NaN]]])('rejects scores %j', (scores) => {
    expect(() => caseInterval(scores)).toThrow(RangeError)
  })
})

describe('cluster interval', () => {
  it('is the case interval of the cluster means, where each cluster counts once whatever its size', () => {
    const interval = clusterMeanInterval([[0, 1], [0.5, 0.7, 0.9], [0.2]])
    expect(interval.mean).toBeCloseTo((0.5 + 0.7 + 0.2) / 3, 14)
    const expected = caseInterval([0.5, 0.7, 0.2])
    expect(interval.low).toBeCloseTo(expected.low, 12)
    expect(interval.high).toBeCloseTo(expected.high, 12)
    expect(interval.method).toBe('t')
  })

  it('does not shrink if a value is repeated within its cluster', () => {
    const once = clusterMeanInterval([[0.2], [0.9], [0.6]])
    const often = clusterMeanInterval([
      [0.2, 0.2, 0.2],
      [0.9, 0.9],
      [0.6, 0.6, 0.6, 0.6],
    ])
    expect(often).toEqual(once)
  })

  it('rejects no clusters, empty clusters and scores outside [0, 1]', () => {
    expect(() => clusterMeanInterval([])).toThrow(RangeError)
    expect(() => clusterMeanInterval([[0.5], []])).toThrow(RangeError)
    expect(() => clusterMeanInterval([[1.5]])).toThrow(RangeError)
  })
})

describe('case interval: weights and clusters', () => {
  const heavy = [50, 1, 1, 1, 1, 50, 1, 1, 50, 1]

  it('counts a few heavy weights by their effective number (worked value)', () => {
    const scores = [0.9, 0.4, 0.8, 0.7, 0.6, 1, 0.2, 0.8, 0.5, 0.9]
    const { stdErr, degreesOfFreedom } = clusteredMoments(scores, heavy)
    expect([stdErr, degreesOfFreedom]).toEqual([expect.closeTo(0.14532, 6), expect.closeTo(2.283469, 6)])
    const { low, high } = caseInterval(scores, heavy)
    expect(low).toBeCloseTo(0.235894, 6)
    expect(high).toBe(1)
  })

  it('counts clusters (worked values): graded scores by t, 0/1 scores by Clopper-Pearson at n* = 4.908', () => {
    const a = [0.9, 0.8, 1, 0.7, 0.6, 0.5, 0.9, 1, 0.8, 0.7, 0.9, 0.6, 0.8, 0.9]
    const graded = caseInterval(a, undefined, [...'aaabbcddeeefgg'])
    expect(graded).toEqual({ low: expect.closeTo(0.663687, 6), high: expect.closeTo(0.922027, 6), method: 't' })
    const [passes, clusters] = [[...'111110001111001111'].map(Number), [...'aaabbcccddeeffgghh']]
    expect(effectiveTrials(clusteredMoments(passes, undefined, clusters))).toBeCloseTo(4.908292, 6)
    const passed = caseInterval(passes, undefined, clusters)
    expect(passed.low).toBeCloseTo(0.220844, 6)
    expect(passed.high).toBeCloseTo(0.983265, 6)
    expect(passed.method).toBe('clopper-pearson')
  })

  it('one cluster says nothing about others, and identical clusters as much as one case each', () => {
    expect(caseInterval([1, 0.5, 0.3], undefined, ['a', 'a', 'a'])).toMatchObject({ low: 0, high: 1 })
    expect(caseInterval([1, 1, 1, 1], undefined, ['a', 'a', 'b', 'b'])).toEqual(caseInterval([1, 1]))
    expect(caseInterval([0.5, 0.5, 0.5, 0.5], undefined, ['a', 'a', 'b', 'b'])).toEqual(caseInterval([0.5, 0.5]))
  })

  it('clusters of one case each change nothing', () => {
    const scores = [0.2, 0.9, 0.5, 1, 0.7]
    expect(caseInterval(scores, heavy.slice(0, 5), [...'abcde'])).toEqual(caseInterval(scores, heavy.slice(0, 5)))
    expect(caseInterval(scores, undefined, [...'abcde'])).toEqual(caseInterval(scores))
  })

  it('covers the mean of 20 clusters of 6 variants that stand and fall together (simulation)', () => {
    const random = createRandom('clustered scores')
    const trials = 400
    let held = 0
    let naive = 0
    for (let trial = 0; trial < trials; trial++) {
      const scores: number[] = []
      const clusters: number[] = []
      for (let cluster = 0; cluster < 20; cluster++) {
        const level = random()
        for (let variant = 0; variant < 6; variant++) {
          scores.push(0.8 * level + 0.2 * random())
          clusters.push(cluster)
        }
      }
      const contains = ({ low, high }: { low: number; high: number }) => low <= 0.5 && 0.5 <= high
      if (contains(caseInterval(scores, undefined, clusters))) held++
      if (contains(caseInterval(scores))) naive++
    }
    expect(held / trials).toBeGreaterThan(0.92)
    expect(naive / trials).toBeLessThan(0.7)
  })
})
