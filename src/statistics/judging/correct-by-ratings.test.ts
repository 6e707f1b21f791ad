import { clamp } from '../../contract/index.ts'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { correctByRatings, type RatedAnswer } from './correct-by-ratings.ts'

function repeat<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value)
}

const worked = {
  rated: [
    ...repeat(90, { human: 1, judge: 1 }),
    ...repeat(10, { human: 1, judge: 0 }),
    ...repeat(30, { human: 0, judge: 1 }),
    ...repeat(70, { human: 0, judge: 0 }),
  ],
  unrated: [...repeat(320, 1), ...repeat(480, 0)],
}

describe('correctByRatings', () => {
  // By hand: λ = .15 / (1.25 · .246647), mean = .5 − .2 λ, se² = λ² · .24 / 800 + .160852 / 200.
  it('gives the worked value of PPI++', () => {
    const corrected = correctByRatings(worked)
    expect(corrected.lambda).toBeCloseTo(0.486526, 6)
    expect(corrected.mean).toBeCloseTo(0.402695, 6)
    expect(corrected.low).toBeCloseTo(0.344709, 5)
    expect(corrected.high).toBeCloseTo(0.46068, 5)
    expect(corrected.rawMean).toBeCloseTo(0.44, 12)
    expect(corrected.method).toBe('ppi++')
  })

  // By hand: se² = λ² · var(f_unrated)/100 + var(Y − λf)/40, both by n.
  it('gives the published interval for graded ratings of which most are the same', () => {
    const rated = [...repeat(24, { human: 1, judge: 0.9 }), ...repeat(16, { human: 0.5, judge: 0.6 })]
    const unrated = [...repeat(60, 0.9), ...repeat(40, 0.6)]
    const published = correctByRatings({ rated, unrated })
    expect(published.low).toBeCloseTo(0.75815, 5)
    expect(published.high).toBeCloseTo(0.84185, 5)
    expect(published.method).toBe('ppi++')
    const careful = correctByRatings({ rated, unrated, interval: 'careful' })
    expect(careful.low).toBeLessThan(0.721)
    expect(careful.high).toBeGreaterThan(0.879)
    expect(careful.method).toBe('ppi++-careful')
  })

  it('is narrower than the ratings alone', () => {
    const alone = correctByRatings({ rated: worked.rated, unrated: [] })
    const corrected = correctByRatings(worked)
    expect(alone).toMatchObject({ mean: 0.5, lambda: 0, method: 'rated-only' })
    expect(corrected.high - corrected.low).toBeLessThan(alone.high - alone.low)
  })

  it('does not use a judge that disagrees', () => {
    const rated = Array.from({ length: 60 }, (_, index) => ({ human: (index % 5) / 4, judge: 1 - (index % 5) / 4 }))
    expect(correctByRatings({ rated, unrated: repeat(500, 0.9) })).toMatchObject({ mean: 0.5, lambda: 0 })
  })

  it('uses the rated answers alone if they are few, and says so', () => {
    const rated = Array.from({ length: 29 }, (_, index) => ({ human: (index % 4) / 3, judge: 0.5 }))
    expect(correctByRatings({ rated, unrated: repeat(500, 0.9) })).toMatchObject({ lambda: 0, method: 'rated-only' })
  })

  it('gives the exact interval if few ratings are of one class', () => {
    const rated = [...repeat(96, { human: 1, judge: 1 }), ...repeat(4, { human: 0, judge: 1 })]
    const { low, high, method } = correctByRatings({ rated, unrated: repeat(500, 1) })
    expect(method).toBe('exact')
    // R: binom.test(96, 100)$conf.int
    expect(low).toBeCloseTo(0.9007, 4)
    expect(high).toBeCloseTo(0.989, 4)
  })

  it('never claims certainty', () => {
    const same = { rated: repeat(40, { human: 0.1, judge: 0.5 }), unrated: repeat(10, 0.5) }
    const { low, high, method } = correctByRatings(same)
    expect(low).toBeLessThan(0.1)
    expect(high).toBeGreaterThan(0.1)
    expect(method).toBe('rated-only')
  })

  it.each([
    ['no ratings', { rated: [], unrated: [0.5] }],
    ['a rating on another scale', { rated: [{ human: 90, judge: 0.9 }], unrated: [] }],
    ['a score that is no number', { rated: [{ human: 1, judge: Number.NaN }], unrated: [] }],
    ['an unrated score above 1', { rated: [{ human: 1, judge: 1 }], unrated: [1.01] }],
  ])('rejects %s', (_name, input) => {
    expect(() => correctByRatings(input)).toThrow(RangeError)
  })
})

/** A person's score and what each judge makes of it. */
const people: Record<string, (random: () => number) => number> = {
  'pass or fail': (random) => (random() < 0.7 ? 1 : 0),
  graded: (random) => (random() + random()) / 2,
}
const judges: Record<string, (human: number, random: () => number) => number> = {
  good: (human, random) => clamp(human + (random() - 0.5) * 0.2),
  lenient: (human, random) => clamp(human + 0.3 + (random() - 0.5) * 0.2),
  noisy: (human, random) => clamp(human + (random() - 0.5) * 1.5),
  lying: (human, random) => clamp(1 - human + (random() - 0.5) * 0.2),
  careless: () => 0.8,
}
const means = { 'pass or fail': 0.7, graded: 0.5 }

describe('coverage', () => {
  it.each(Object.keys(people).flatMap((person) => Object.keys(judges).map((judge) => [person, judge] as const)))(
    '%s ratings, a %s judge',
    (person, judge) => {
      const random = createRandom(`ratings ${person} ${judge}`)
      const draw = (): RatedAnswer => {
        const human = people[person]!(random)
        return { human, judge: judges[judge]!(human, random) }
      }
      const trials = 400
      let covered = 0
      for (let trial = 0; trial < trials; trial++) {
        const { low, high } = correctByRatings({
          rated: Array.from({ length: 100 }, draw),
          unrated: Array.from({ length: 400 }, () => draw().judge),
        })
        const truth = means[person as keyof typeof means]
        if (low <= truth && high >= truth) covered++
      }
      // 94 %, less two standard errors of the simulation.
      expect(covered / trials).toBeGreaterThanOrEqual(0.916)
    },
  )
})
