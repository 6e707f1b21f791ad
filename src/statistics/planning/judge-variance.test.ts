import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { normalQuantile } from '../numbers/distributions.ts'
import { splitJudgedVariance } from './judge-variance.ts'
import { splitVariance } from './variance-components.ts'

/** Six targets rated by four judges (Shrout & Fleiss, Psychological Bulletin 86, 1979, table 2). */
const ratings = [
  [9, 2, 5, 8],
  [6, 1, 3, 2],
  [8, 4, 6, 8],
  [7, 1, 2, 6],
  [10, 5, 6, 9],
  [6, 2, 4, 7],
]

describe('the variance of judged scores', () => {
  it('Shrout & Fleiss: BMS 11.24, JMS 32.49, EMS 1.02 give 2.56 for cases, 5.24 for judges, 1.02 for the rest', () => {
    const parts = splitJudgedVariance(ratings.map((row) => [row]))
    expect(parts.caseVariance).toBeCloseTo((11.2417 - 1.0194) / 4, 3)
    expect(parts.judgeVariance).toBeCloseTo((32.4861 - 1.0194) / 6, 3)
    expect(parts.caseJudgeVariance).toBeCloseTo(1.0194, 3)
    expect(parts.runVariance).toBeNull()
    // ICC(2,1) of the same table.
    const total = parts.caseVariance + parts.judgeVariance + parts.caseJudgeVariance
    expect(parts.caseVariance / total).toBeCloseTo(0.29, 2)
  })

  it('recovers what it was made of: judges × (runs : cases)', () => {
    const random = createRandom('components')
    const draw = (variance: number) => Math.sqrt(variance) * normalQuantile(random())
    const truth = { cases: 4, runs: 1, judges: 2, caseJudge: 0.5, rest: 0.25 }
    const sums = { cases: 0, runs: 0, judges: 0, caseJudge: 0, rest: 0 }
    const trials = 60
    for (let trial = 0; trial < trials; trial++) {
      const judges = Array.from({ length: 5 }, () => draw(truth.judges))
      const grades = Array.from({ length: 40 }, () => {
        const ofCase = draw(truth.cases)
        const ofJudge = judges.map((judge) => judge + draw(truth.caseJudge))
        return Array.from({ length: 3 }, () => {
          const answer = ofCase + draw(truth.runs)
          return ofJudge.map((judge) => answer + judge + draw(truth.rest))
        })
      })
      const parts = splitJudgedVariance(grades)
      sums.cases += parts.caseVariance / trials
      sums.runs += parts.runVariance! / trials
      sums.judges += parts.judgeVariance / trials
      sums.caseJudge += parts.caseJudgeVariance / trials
      sums.rest += parts.restVariance! / trials
    }
    expect(sums.cases).toBeCloseTo(truth.cases, 0)
    expect(Math.abs(sums.runs - truth.runs)).toBeLessThan(0.1)
    expect(Math.abs(sums.judges - truth.judges)).toBeLessThan(0.6)
    expect(Math.abs(sums.caseJudge - truth.caseJudge)).toBeLessThan(0.05)
    expect(Math.abs(sums.rest - truth.rest)).toBeLessThan(0.02)
  })

  it('judges who always say the same leave the variance of cases and runs as without judges', () => {
    const scores = [
      [0.2, 0.4, 0.3],
      [0.9, 0.7, 0.8],
      [0.5, 0.1, 0.6],
    ]
    const parts = splitJudgedVariance(scores.map((answers) => answers.map((score) => [score, score])))
    const plain = splitVariance(scores)
    expect(parts.caseVariance).toBeCloseTo(plain.caseVariance, 12)
    expect(parts.runVariance).toBeCloseTo(plain.runVariance!, 12)
    expect([parts.judgeVariance, parts.caseJudgeVariance, parts.restVariance!].every((part) => part < 1e-12)).toBe(true)
  })

  it.each([
    [[[[1, 2]]]],
    [[[[1]], [[2]]]],
    [
      [
        [[1, 2]],
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ],
    [[[[1, 2]], [[1, NaN]]]],
  ])('refuses %j', (grades) => {
    expect(() => splitJudgedVariance(grades)).toThrow(RangeError)
  })
})
