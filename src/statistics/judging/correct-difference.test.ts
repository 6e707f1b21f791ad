import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { correctDifference, correctDifferenceByGroup, type CorrectDifferenceInput } from './correct-difference.ts'
import { drawNormal } from './testing/draw-normal.ts'
import { clipDifference } from '../tests/difference-interval.ts'

const rated = Array.from({ length: 30 }, (_, i) => ({
  human: [0, 0.1, -0.1, 0.2, 0.3, 0][i % 6]!,
  judge: [0.1, 0.1, 0, 0.3, 0.3, 0][i % 6]! + (i % 5 === 0 ? 0.1 : 0),
}))
const unrated = Array.from({ length: 120 }, (_, i) => [0.1, 0.2, 0, 0.3, -0.1][i % 5]!)

describe('correctDifference', () => {
  // Worked in Python from the formulas: covariance by n, the judge's variance of all by n + N − 1, of the unrated by N − 1.
  it('gives the worked value', () => {
    const corrected = correctDifference({ rated, unrated })
    expect(corrected.lambda).toBeCloseTo(0.62161, 6)
    expect(corrected.mean).toBeCloseTo(0.050181, 6)
    expect([corrected.low, corrected.high]).toEqual([expect.closeTo(0.017416, 6), expect.closeTo(0.082946, 6)])
    expect(corrected.method).toBe('ppi++')
  })

  it('says how far the judge leans towards A: its differences less those of people (by hand: .07)', () => {
    const { leaning, leaningInterval } = correctDifference({ rated, unrated })
    expect(leaning).toBeCloseTo(0.07, 12)
    expect(leaningInterval[0]).toBeGreaterThan(0.04)
    expect(leaningInterval[1]).toBeLessThan(0.1)
    const swapped = correctDifference({
      rated: rated.map(({ human, judge }) => ({ human: -human, judge: -judge })),
      unrated: unrated.map((value) => -value),
    })
    expect(swapped.leaning).toBeCloseTo(-0.07, 12)
    expect(swapped.mean).toBeCloseTo(-0.050181, 6)
  })

  // R: t.test(human[1:29])$conf.int, computed by Student's t with 28 degrees of freedom.
  it('uses the ratings alone below 30 of them, and says so', () => {
    const few = correctDifference({ rated: rated.slice(0, 29), unrated })
    const mean = rated.slice(0, 29).reduce((sum, { human }) => sum + human, 0) / 29
    const variance = rated.slice(0, 29).reduce((sum, { human }) => sum + (human - mean) ** 2, 0) / 28
    expect(few).toMatchObject({ lambda: 0, method: 'rated-only' })
    expect(few.mean).toBeCloseTo(mean, 12)
    expect(few.high - few.mean).toBeCloseTo(2.048407 * Math.sqrt(variance / 29), 6)
    expect(few.leaning).toBeGreaterThan(0)
  })

  it('uses the ratings alone without other cases', () => {
    expect(correctDifference({ rated, unrated: [] })).toMatchObject({ lambda: 0, method: 'rated-only' })
    expect(correctDifference({ rated, unrated: [0.1] })).toMatchObject({ lambda: 0, method: 'rated-only' })
  })

  it('never claims certainty', () => {
    const same = rated.map(() => ({ human: 0.1, judge: 0.2 }))
    for (const others of [[], unrated]) {
      const { low, high, leaning, leaningInterval } = correctDifference({ rated: same, unrated: others })
      expect(low).toBeLessThan(0.05)
      expect(high).toBeGreaterThan(0.15)
      expect(leaning).toBeCloseTo(0.1, 12)
      expect(leaningInterval[0]).toBeLessThan(0.05)
    }
  })

  it('only the ratios of weights matter, and copies in one cluster add nothing', () => {
    const plain = correctDifference({ rated, unrated })
    const heavy = correctDifference({
      rated: rated.map((own) => ({ ...own, weight: 3 })),
      unrated,
      unratedWeights: unrated.map(() => 3),
    })
    const twice = correctDifference({
      rated: rated.flatMap((own, index) => [own, own].map((copy) => ({ ...copy, cluster: `r${index}` }))),
      unrated: unrated.flatMap((value) => [value, value]),
      unratedClusters: unrated.flatMap((_, index) => [`u${index}`, `u${index}`]),
    })
    for (const field of ['mean', 'low', 'high', 'lambda', 'leaning'] as const) {
      expect(heavy[field]).toBeCloseTo(plain[field], 10)
      expect(twice[field]).toBeCloseTo(plain[field], 10)
    }
  })

  it.each([
    ['no ratings', { rated: [], unrated: [0.5] }],
    ['a rating on another scale', { rated: [{ human: 10, judge: 0.9 }], unrated: [] }],
    ['a score that is no number', { rated: [{ human: 0, judge: Number.NaN }], unrated: [] }],
    ['an unrated difference above 1', { rated: [{ human: 0, judge: 0 }], unrated: [1.01] }],
  ])('rejects %s', (_name, input) => {
    expect(() => correctDifference(input)).toThrow(RangeError)
  })

  it.each([30, 60])(
    '%i ratings of a judge that leans 6 points: at least 92 of 100 intervals hold the truth',
    (count) => {
      const random = createRandom(`leaning judge ${count}`)
      const trials = 1000
      let [covered, byJudge] = [0, 0]
      for (let trial = 0; trial < trials; trial++) {
        const cases = Array.from({ length: 200 }, () => {
          const human = 0.03 + 0.15 * drawNormal(random)
          return { human: clipDifference(human), judge: clipDifference(human + 0.06 + 0.1 * drawNormal(random)) }
        })
        const { low, high } = correctDifference({
          rated: cases.slice(0, count),
          unrated: cases.slice(count).map(({ judge }) => judge),
        })
        if (low <= 0.03 && 0.03 <= high) covered++
        const alone = correctDifference({ rated: cases.map(({ judge }) => ({ human: judge, judge })), unrated: [] })
        if (alone.low <= 0.03 && 0.03 <= alone.high) byJudge++
      }
      expect(covered / trials).toBeGreaterThanOrEqual(0.92)
      expect(byJudge / trials).toBeLessThan(0.2)
    },
  )

  it('holds it where people rated single cases of large clusters too', () => {
    const random = createRandom('partly rated clusters')
    const trials = 600
    let covered = 0
    for (let trial = 0; trial < trials; trial++) {
      const cases = Array.from({ length: 40 }, (_, cluster) => {
        const common = 0.15 * drawNormal(random)
        return Array.from({ length: 5 }, () => {
          const human = common + 0.08 * drawNormal(random)
          return {
            human: clipDifference(human),
            judge: clipDifference(human + 0.06 + 0.08 * drawNormal(random)),
            cluster,
            at: random(),
          }
        })
      })
      const order = cases.flat().sort((a, b) => a.at - b.at)
      const { low, high } = correctDifference({
        rated: order.slice(0, 70),
        unrated: order.slice(70).map(({ judge }) => judge),
        unratedClusters: order.slice(70).map(({ cluster }) => cluster),
      })
      if (low <= 0 && 0 <= high) covered++
    }
    expect(covered / trials).toBeGreaterThanOrEqual(0.92)
  })
})

describe('correctDifferenceByGroup', () => {
  const groups: Record<string, CorrectDifferenceInput> = {
    algebra: { rated: rated.slice(0, 12), unrated: unrated.slice(0, 40) },
    code: { rated: rated.slice(12, 23), unrated: unrated.slice(40, 90) },
    facts: { rated: rated.slice(23), unrated: unrated.slice(90) },
    style: { rated: rated.slice(0, 8), unrated: [] },
  }

  // By hand from the formulas: λ over all rated and unrated, the spread of the rest about the groups' means by n − 3.
  it('has λ and the spread of the rest from all groups with 8 ratings', () => {
    const found = correctDifferenceByGroup(groups)
    expect(Object.keys(found)).toEqual(['algebra', 'code', 'style'])
    const { algebra, code, style } = found
    expect(algebra!.lambda).toBe(code!.lambda)
    expect(style).toMatchObject({ lambda: 0, method: 'rated-only' })
    expect(algebra!.method).toBe('ppi++')

    const all = ['algebra', 'code', 'style'].map((name) => groups[name]!)
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
    const mean = (values: number[]) => sum(values) / values.length
    const squares = (values: number[]) => sum(values.map((value) => (value - mean(values)) ** 2))
    const human = all.flatMap((group) => group.rated.map((own) => own.human))
    const judge = all.flatMap((group) => group.rated.map((own) => own.judge))
    const others = all.flatMap((group) => group.unrated)
    const covariance = mean(human.map((value, i) => (value - mean(human)) * (judge[i]! - mean(judge))))
    const every = [...judge, ...others]
    const lambda = covariance / ((1 + human.length / others.length) * (squares(every) / (every.length - 1)))
    expect(algebra!.lambda).toBeCloseTo(lambda, 12)
    const restOf = (group: CorrectDifferenceInput) => group.rated.map((own) => own.human - lambda * own.judge)
    const spread = sum(all.map((group) => squares(restOf(group)))) / (human.length - 3)
    const own = groups['algebra']!
    const variance =
      (lambda ** 2 * squares([...own.unrated])) / (own.unrated.length - 1) / own.unrated.length + spread / 12
    expect(algebra!.mean).toBeCloseTo(lambda * mean([...own.unrated]) + mean(restOf(own)), 12)
    // Student's t with 31 − 3 degrees of freedom.
    expect(algebra!.high - algebra!.mean).toBeCloseTo(2.048407 * Math.sqrt(variance), 6)
  })

  it('is empty if no group has enough ratings', () => {
    expect(correctDifferenceByGroup({ a: { rated: rated.slice(0, 7), unrated } })).toEqual({})
  })
})
