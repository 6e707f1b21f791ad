import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import {
  alternativeAnnotatorTest,
  rejectBenjaminiYekutieli,
  type AnnotatedInstance,
} from './alternative-annotator-test.ts'

function makeInstances(
  count: number,
  make: (index: number) => { judge: number; ann: number; bob: number; cleo: number },
): AnnotatedInstance[] {
  return Array.from({ length: count }, (_, index) => {
    const { judge, ...ratings } = make(index)
    return { judge, ratings }
  })
}

describe('alternativeAnnotatorTest', () => {
  // On 8 of 40 the judge sides with Cleo against Ann and Bob. Leaving out Ann, the others are split there: she and the
  // judge agree with one of them each. Leaving out Cleo, she and the judge are both alone. Nobody is ever ahead.
  const worked = makeInstances(40, (index) => {
    const isHard = index < 8
    return { judge: isHard ? 0 : 1, ann: 1, bob: 1, cleo: isHard ? 0 : 1 }
  })

  it('calls ties a win for both', () => {
    const result = alternativeAnnotatorTest(worked)
    expect(result).toMatchObject({ alignment: 'accuracy', epsilon: 0.15 })
    const [ann, bob, cleo] = result.annotators
    expect(ann).toMatchObject({ name: 'ann', instances: 40, judgeAdvantage: 1, personAdvantage: 1, pValue: 0 })
    expect(bob).toMatchObject({ judgeAdvantage: 1, personAdvantage: 1, pValue: 0 })
    expect(cleo).toMatchObject({ judgeAdvantage: 1, personAdvantage: 1 })
    expect(result).toMatchObject({ winningRate: 1, advantage: 1, isWorthAPerson: true })
  })

  it('tests each person with a one-sided t-test against ε', () => {
    // The judge is wrong on 8 of 40 on which all three agree: each person is better there, else all tie.
    const instances = makeInstances(40, (index) => ({ judge: index < 8 ? 0 : 1, ann: 1, bob: 1, cleo: 1 }))
    const { annotators, winningRate, advantage, isWorthAPerson } = alternativeAnnotatorTest(instances)
    // Differences: 8 ones, 32 zeros. t = (.2 − .15) / (√(6.4 / 39) / √40) = .780625.
    for (const { pValue, judgeAdvantage, personAdvantage } of annotators) {
      expect(pValue).toBeCloseTo(studentCdf(0.780625, 39), 4)
      expect(judgeAdvantage).toBeCloseTo(0.8, 12)
      expect(personAdvantage).toBe(1)
    }
    expect(winningRate).toBe(0)
    expect(advantage).toBeCloseTo(0.8, 12)
    expect(isWorthAPerson).toBe(false)
  })

  it('agrees with a plain computation on random grades', () => {
    const random = createRandom('alternative annotator')
    const grade = (truth: number, noise: number) =>
      Math.round(Math.min(1, Math.max(0, truth + (random() - 0.5) * noise)) * 10) / 10
    for (const noise of [0.2, 0.6, 1.4]) {
      const instances = makeInstances(60, () => {
        const truth = random()
        return { judge: grade(truth, noise), ann: grade(truth, 0.4), bob: grade(truth, 0.6), cleo: grade(truth, 0.8) }
      })
      const result = alternativeAnnotatorTest(instances, { epsilon: 0.2 })
      const expected = computePlainly(instances, 0.2)
      expect(result.alignment).toBe('rmse')
      expect(result.winningRate).toBeCloseTo(expected.winningRate, 12)
      expect(result.advantage).toBeCloseTo(expected.advantage, 12)
      result.annotators.forEach(({ pValue }, index) => expect(pValue).toBeCloseTo(expected.pValues[index]!, 6))
    }
  })

  it('clusters of one instance change nothing; larger ones make it more careful', () => {
    const instances = makeInstances(60, (index) => ({ judge: index % 5 === 0 ? 0 : 1, ann: 1, bob: 1, cleo: 1 }))
    const alone = alternativeAnnotatorTest(instances, { epsilon: 0.3 })
    const own = instances.map((instance, index) => ({ ...instance, cluster: String(index) }))
    expect(alternativeAnnotatorTest(own, { epsilon: 0.3 })).toEqual(alone)
    // All wrong ones are of the same cases.
    const clustered = instances.map((instance, index) => ({ ...instance, cluster: `${index % 5} ${index % 3}` }))
    const { annotators } = alternativeAnnotatorTest(clustered, { epsilon: 0.3 })
    expect(annotators[0]!.pValue).toBeGreaterThan(alone.annotators[0]!.pValue)
  })

  it('finds a judge that guesses, and one that is as good as people', () => {
    const random = createRandom('judges')
    const make = (accuracy: number) =>
      makeInstances(100, () => {
        const truth = random() < 0.5 ? 1 : 0
        const say = (right: number) => (random() < right ? truth : 1 - truth)
        return { judge: say(accuracy), ann: say(0.9), bob: say(0.9), cleo: say(0.9) }
      })
    expect(alternativeAnnotatorTest(make(0.5)).isWorthAPerson).toBe(false)
    expect(alternativeAnnotatorTest(make(0.97)).isWorthAPerson).toBe(true)
  })

  it('leaves out answers of one person, and people with few answers', () => {
    const instances = makeInstances(40, () => ({ judge: 1, ann: 1, bob: 1, cleo: 1 }))
    const more = [
      ...instances.map((instance, index) =>
        index < 5 ? { ...instance, ratings: { ...instance.ratings, dan: 0 } } : instance,
      ),
      { judge: 0, ratings: { ann: 1 } },
    ]
    const { annotators } = alternativeAnnotatorTest(more)
    expect(annotators.map(({ name, instances: count }) => [name, count])).toEqual([
      ['ann', 40],
      ['bob', 40],
      ['cleo', 40],
    ])
  })

  it.each([
    [
      'two people',
      makeInstances(50, () => ({ judge: 1, ann: 1, bob: 1, cleo: 1 })).map(withoutCleo),
      {},
      /2 of 2 people/,
    ],
    [
      '29 answers',
      makeInstances(29, () => ({ judge: 1, ann: 1, bob: 1, cleo: 1 })),
      {},
      /0 of 3 people rated at least 30/,
    ],
    ['no answers', [], {}, /at least 3 people/],
    ['ε of 1', worked, { epsilon: 1 }, /epsilon is 1/],
    ['a rating that is no number', [{ judge: Number.NaN, ratings: {} }], {}, /A rating is NaN/],
  ])('refuses %s', (_name, instances, options, message) => {
    expect(() => alternativeAnnotatorTest(instances, options)).toThrow(message)
  })
})

function withoutCleo({ judge, ratings }: AnnotatedInstance): AnnotatedInstance {
  return { judge, ratings: { ann: ratings['ann']!, bob: ratings['bob']! } }
}

describe('rejectBenjaminiYekutieli', () => {
  // R: p.adjust(c(.001, .01, .03, .2), 'BY') = .008333, .041667, .083333, .416667
  it('rejects what R adjusts to at most .05', () => {
    expect(rejectBenjaminiYekutieli([0.2, 0.001, 0.03, 0.01], 0.05)).toEqual([false, true, false, true])
  })

  it('a later p that passes takes the earlier ones along', () => {
    // Thresholds for three: .009091, .018182, .027273.
    expect(rejectBenjaminiYekutieli([0.02, 0.025, 0.027], 0.05)).toEqual([true, true, true])
    expect(rejectBenjaminiYekutieli([0.02, 0.025, 0.03], 0.05)).toEqual([false, false, false])
  })
})

/** P(T ≤ t) of Student's t by Simpson's rule over its density. */
function studentCdf(t: number, df: number): number {
  const density = (x: number) => (1 + (x * x) / df) ** (-(df + 1) / 2)
  const integrate = (from: number, to: number, steps = 20_000) => {
    const width = (to - from) / steps
    let sum = density(from) + density(to)
    for (let i = 1; i < steps; i++) sum += density(from + i * width) * (i % 2 === 1 ? 4 : 2)
    return (sum * width) / 3
  }
  return integrate(-60, t) / integrate(-60, 60)
}

/** The test as the paper words it, for people who all rated everything and graded answers. */
function computePlainly(instances: readonly AnnotatedInstance[], epsilon: number) {
  const names = ['ann', 'bob', 'cleo']
  const distance = (value: number, others: number[]) =>
    -Math.sqrt(others.reduce((sum, other) => sum + (value - other) ** 2, 0) / others.length)
  const rounded = (value: number) => Math.round(value * 1e9)
  const perPerson = names.map((name) => {
    const differences: number[] = []
    let wins = 0
    for (const { judge, ratings } of instances) {
      const others = names.filter((other) => other !== name).map((other) => ratings[other]!)
      const [person, model] = [rounded(distance(ratings[name]!, others)), rounded(distance(judge, others))]
      if (model >= person) wins++
      differences.push((person >= model ? 1 : 0) - (model >= person ? 1 : 0))
    }
    const n = differences.length
    const mean = differences.reduce((sum, value) => sum + value, 0) / n
    const sd = Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1))
    return { advantage: wins / n, p: studentCdf((mean - epsilon) / (sd / Math.sqrt(n)), n - 1) }
  })
  const pValues = perPerson.map(({ p }) => p)
  const thresholds = [1, 2, 3].map((rank) => (rank / 3) * (0.05 / (1 + 1 / 2 + 1 / 3)))
  const sorted = pValues.toSorted((a, b) => a - b)
  const rejected = sorted.findLastIndex((p, index) => p <= thresholds[index]!) + 1
  return {
    pValues,
    winningRate: rejected / 3,
    advantage: perPerson.reduce((sum, { advantage }) => sum + advantage, 0) / 3,
  }
}
