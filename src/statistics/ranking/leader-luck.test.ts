import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { leaderLuck } from './leader-luck.ts'

const bits = (row: string) => Array.from(row, Number)

describe('leaderLuck', () => {
  it('gives the worked value of five models on eight cases', () => {
    const { leader, mean, luck } = leaderLuck(['11011110', '10011101', '01110110', '10010101', '11000110'].map(bits))
    expect([leader, mean]).toEqual([0, 0.75])
    expect(luck).toBeCloseTo(0.15, 6)
  })

  // Independently: the noise is the residual mean square of models × cases, divided by the number of cases.
  it.each([2, 3, 4, 12])('is the residual mean square of a two-way table with %i models', (models) => {
    const random = createRandom(`luck ${models}`)
    const cases = 40
    const scores = Array.from({ length: models }, (_, model) =>
      Array.from({ length: cases }, () => Math.min(1, random() * 0.6 + model / models / 2)),
    )
    const average = (values: number[]) => values.reduce((sum, value) => sum + value) / values.length
    const means = scores.map(average)
    const overall = average(means)
    let squares = 0
    for (const [model, row] of scores.entries())
      for (const [index, score] of row.entries())
        squares += (score - means[model]! - average(scores.map((other) => other[index]!)) + overall) ** 2
    const noise = squares / ((models - 1) * (cases - 1)) / cases
    const variance = means.reduce((sum, mean) => sum + (mean - overall) ** 2, 0) / (models - 1)
    const factor = models > 3 ? (models - 3) / (models - 1) : 1
    const keep = Math.max(0, 1 - (factor * noise) / variance)
    const { leader, mean, luck } = leaderLuck(scores)
    expect(leader).toBe(means.indexOf(Math.max(...means)))
    expect(mean).toBeCloseTo(means[leader]!, 12)
    expect(luck).toBeCloseTo((1 - keep) * (mean - overall), 12)
    expect(luck).toBeGreaterThan(0)
  })

  it('is the whole lead if noise explains all differences, or one case is all there is', () => {
    const { mean, luck } = leaderLuck([bits('1010'), bits('0101'), bits('1011')])
    expect(luck).toBeCloseTo(mean - (0.5 + 0.5 + 0.75) / 3, 12)
    expect(leaderLuck([[0.9], [0.5]])).toEqual({ leader: 0, mean: 0.9, luck: expect.closeTo(0.2, 12) })
  })

  it('is 0 for one model, for equal means and where every case has the same differences', () => {
    expect(leaderLuck([[0.2, 0.8]])).toEqual({ leader: 0, mean: 0.5, luck: 0 })
    expect(leaderLuck([bits('10'), bits('01')])).toEqual({ leader: 0, mean: 0.5, luck: 0 })
    const { leader, luck } = leaderLuck([
      [0.2, 0.4, 0.6],
      [0.3, 0.5, 0.7],
    ])
    expect(leader).toBe(1)
    expect(luck).toBeCloseTo(0, 12)
  })

  it('refuses no models, no cases and rows of different length', () => {
    expect(() => leaderLuck([])).toThrow(RangeError)
    expect(() => leaderLuck([[], []])).toThrow('scores[0] is empty')
    expect(() => leaderLuck([[1, 0], [1]])).toThrow('scores[0] and scores[1] differ in length')
  })
})
