import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { confidenceSequence } from './confidence-sequence.ts'
import { drawOrder } from './drawn-order.ts'
import { sequentialTest } from './sequential-test.ts'

const outcomes = (wins: number, losses: number) => [
  ...Array.from({ length: wins }, () => 1),
  ...Array.from({ length: losses }, () => -1),
]

describe('the sequential test', () => {
  // 2^(k+l)·B(2+k, 2+l)/B(2, 2) in fractions: 5:0 is 32·6/56, 10:0 is 1024·6/156, 9:1 is 1024·6·2/1716.
  it.each([
    [5, 0, 3.428571],
    [10, 0, 39.384615],
    [9, 1, 7.160839],
    [20, 8, 3.631419],
    [30, 30, 0.235916],
  ])('%i wins to %i losses are evidence of %d', (wins, losses, evidence) => {
    expect(sequentialTest(outcomes(wins, losses)).evidence).toBeCloseTo(evidence, 6)
  })

  it('decides at the first case that reaches 1/alpha, and stays decided', () => {
    expect(sequentialTest(outcomes(10, 0))).toMatchObject({ decided: true, at: 9, winner: 'a' })
    expect(sequentialTest(outcomes(0, 10))).toMatchObject({ decided: true, at: 9, winner: 'b' })
    expect(sequentialTest(outcomes(9, 9))).toMatchObject({ decided: true, at: 9, winner: 'a' })
    expect(sequentialTest(outcomes(8, 0))).toMatchObject({ decided: false, at: null, winner: null })
    expect(sequentialTest([])).toEqual({ evidence: 1, decided: false, at: null, winner: null })
  })

  it('ties change nothing', () => {
    expect(sequentialTest([...outcomes(5, 0), 0, 0, 0]).evidence).toBe(sequentialTest(outcomes(5, 0)).evidence)
  })

  it('treats graded differences as it treats whole ones', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(-1, 0, 1), { minLength: 1, maxLength: 60 }), (whole) => {
        const graded = [...whole, 1e-13]
        expect(Math.log(sequentialTest(graded).evidence)).toBeCloseTo(Math.log(sequentialTest(whole).evidence), 3)
      }),
    )
  })

  it('is fair: whatever is bet, the next evidence is on average the present one', () => {
    const past = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 30 })
    const next = fc.double({ min: 0.01, max: 1, noNaN: true })
    fc.assert(
      fc.property(past, next, next, (before, up, down) => {
        const start = [...before, 0.5]
        const now = sequentialTest(start).evidence
        // Up with chance down/(up + down), else down: mean 0.
        const mean =
          (down * sequentialTest([...start, up]).evidence + up * sequentialTest([...start, -down]).evidence) /
          (up + down)
        expect(mean / now).toBeCloseTo(1, 8)
      }),
    )
  })

  it.each([Number.NaN, 1.5, -2, Infinity])('rejects a difference of %d', (difference) => {
    expect(() => sequentialTest([0, difference])).toThrow(RangeError)
  })
})

type Draw = (random: () => number) => number

/** Differences of models that are equally good. */
const nulls: Record<string, Draw> = {
  'right or wrong, three in ten differ': (random) => (random() < 0.3 ? (random() < 0.5 ? 1 : -1) : 0),
  uniform: (random) => random() - random(),
  'always .95 against right 95 % of the time': (random) => 0.95 - (random() < 0.95 ? 1 : 0),
  'rarely and far': (random) => (random() < 0.02 ? 0.98 : -0.02),
}

describe('looked at after every case', () => {
  it.each(Object.entries(nulls))('%s: at most one false alarm in twenty', (name, draw) => {
    const random = createRandom(`sequential ${name}`)
    const trials = 400
    let alarms = 0
    for (let trial = 0; trial < trials; trial++)
      if (sequentialTest(Array.from({ length: 150 }, () => draw(random))).decided) alarms++
    // 5 % of 400 is 20; two standard errors above it are 28.
    expect(alarms).toBeLessThanOrEqual(28)
  })

  // A suite is drawn without replacement: what has been seen is missing from the rest.
  it.each([
    ['right or wrong', [...outcomes(20, 20), ...Array.from({ length: 60 }, () => 0)]],
    [
      'many small wins, few large losses',
      [...Array.from({ length: 95 }, () => 0.05), ...Array.from({ length: 5 }, () => -0.95)],
    ],
  ])('%s, a suite whose mean difference is 0: at most one false alarm in twenty orders', (name, suite) => {
    const orders = 200
    let alarms = 0
    for (let order = 0; order < orders; order++)
      if (sequentialTest(drawOrder(suite, `${name} ${order}`)).decided) alarms++
    // Two standard errors above 5 % of 200 are 16.
    expect(alarms).toBeLessThanOrEqual(16)
  })

  it('finds 10 points within 250 of 1,000 cases, in the median', () => {
    const random = createRandom('sequential power')
    const stops = Array.from({ length: 41 }, () => {
      const differences = Array.from({ length: 1000 }, () => (random() < 0.2 ? (random() < 0.75 ? 1 : -1) : 0))
      return sequentialTest(differences).at ?? Infinity
    })
    expect(stops.toSorted((a, b) => a - b)[20]).toBeLessThan(250)
  })
})

describe('the confidence sequence', () => {
  it.each(Object.entries(nulls))('%s: covers the mean when the test has stopped', (name, draw) => {
    const random = createRandom(`confidence sequence ${name}`)
    const trials = 40
    let covered = 0
    for (let trial = 0; trial < trials; trial++) {
      const differences = Array.from({ length: 40 }, () => draw(random))
      const { at } = sequentialTest(differences)
      const { low, high } = confidenceSequence(differences.slice(0, at ?? undefined))
      if (low <= 0 && high >= 0) covered++
    }
    expect(covered).toBeGreaterThanOrEqual(35)
  })

  it('excludes 0 where the test has just decided, and contains the mean of what was seen', () => {
    const { low, high } = confidenceSequence(outcomes(9, 0))
    expect(low).toBeGreaterThan(0)
    expect(high).toBeGreaterThan(0.99)
    const even = confidenceSequence([0.2, -0.1, 0.05, 0.3])
    expect(even.low).toBeLessThan(0.1125)
    expect(even.high).toBeGreaterThan(0.1125)
  })

  // One case in twenty has ten times the weight, and the other sign: half of the series of 15 see none of them.
  it('covers the weighted mean, even if the heavy cases have not been seen', () => {
    const random = createRandom('weighted confidence sequence')
    const truth = (0.05 * -1 + 0.95 * 0.1 * 0.5) / (0.05 + 0.95 * 0.1)
    const trials = 40
    let covered = 0
    for (let trial = 0; trial < trials; trial++) {
      const cases = Array.from({ length: 15 }, () => (random() < 0.05 ? { d: -1, w: 1 } : { d: 0.5, w: 0.1 }))
      const weights = cases.map(({ w }) => w)
      const { low, high } = confidenceSequence(
        cases.map(({ d }) => d),
        { weights },
      )
      if (low <= truth && high >= truth) covered++
    }
    expect(covered).toBeGreaterThanOrEqual(36)
  })

  it('narrows with more cases', () => {
    const width = (cases: number) => {
      const { low, high } = confidenceSequence(Array.from({ length: cases }, (_, index) => (index % 2 ? 0.2 : 0)))
      return high - low
    }
    expect(width(400)).toBeLessThan(width(40) / 2)
  })
})
