import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { drawNormal } from './testing/draw-normal.ts'
import { comparePanel } from './compare-panel.ts'

const differences = [
  [0.2, 0.1, 0.3],
  [0, -0.1, 0.2],
  [0.1, 0.1, 0.3],
  [0.3, 0.1, 0.2],
  [-0.1, 0, 0.1],
  [0.2, 0, 0.2],
  [0.1, -0.1, 0.3],
  [0.1, 0.1, 0.1],
]

describe('two models by a panel', () => {
  it('draws judges at random as well as cases (worked value)', () => {
    const { judgeVariance, low, high, p } = comparePanel(differences)
    expect(judgeVariance).toBeCloseTo(0.002639, 6)
    expect([low, high]).toEqual([expect.closeTo(-0.112735, 6), expect.closeTo(0.346069, 6)])
    expect(p).toBeCloseTo(0.166575, 6)
  })

  it('has the interval of fixed judges below three of them, and if they agree on the difference', () => {
    const means = differences.map((row) => row.reduce((sum, value) => sum + value, 0) / 3)
    const fixed = comparePanel(means.map((mean) => [mean]))
    expect(fixed.judgeVariance).toBeNull()
    expect([fixed.low, fixed.high]).toEqual([expect.closeTo(0.05525, 6), expect.closeTo(0.178083, 6)])
    const agreed = comparePanel(means.map((mean) => [mean, mean, mean]))
    expect(agreed).toMatchObject({ judgeVariance: 0, low: fixed.low, high: fixed.high })
    expect(agreed.p).toBeCloseTo(fixed.p, 12)
  })

  it('p is below .05 exactly if 0 is outside the interval', () => {
    const random = createRandom('panel p')
    for (let trial = 0; trial < 200; trial++) {
      const shift = 0.3 * random()
      const rows = Array.from({ length: 8 }, () => Array.from({ length: 3 }, () => shift + 0.2 * (random() - 0.5)))
      const { low, high, p } = comparePanel(rows)
      expect(p < 0.05).toBe(low > 0 || high < 0)
    }
  })

  it('counts clusters of cases: copies of a case add nothing', () => {
    const twice = differences.flatMap((row) => [row, row])
    const clusters = differences.flatMap((_, index) => [index, index])
    const once = comparePanel(differences)
    const clustered = comparePanel(twice, { clusters })
    expect(clustered.judgeVariance).toBeCloseTo(once.judgeVariance!, 12)
    expect([clustered.low, clustered.high]).toEqual([expect.closeTo(once.low, 12), expect.closeTo(once.high, 12)])
  })

  it('three judges that each lean by 4 points (SD) make at most 7 % false verdicts, fixed ones many (simulation)', () => {
    const random = createRandom('leaning judges')
    const trials = 400
    let [drawn, fixed] = [0, 0]
    for (let trial = 0; trial < trials; trial++) {
      const leanings = Array.from({ length: 3 }, () => 0.04 * drawNormal(random))
      const rows = Array.from({ length: 100 }, () => {
        const ofCase = 0.1 * drawNormal(random)
        return leanings.map((leaning) => ofCase + leaning + 0.05 * drawNormal(random))
      })
      if (comparePanel(rows).p < 0.05) drawn++
      if (comparePanel(rows.map((row) => [(row[0]! + row[1]! + row[2]!) / 3])).p < 0.05) fixed++
    }
    expect(drawn / trials).toBeLessThan(0.07)
    expect(fixed / trials).toBeGreaterThan(0.3)
  })
})
