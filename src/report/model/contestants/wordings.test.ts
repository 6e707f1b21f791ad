import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../contract/index.ts'
import { describeWordings } from '../../words/index.ts'
import { buildReport } from '../report.ts'

/** A − B by case and wording. */
function makeRun(differences: number[][], names = differences[0]!.map((_, index) => `w${index}`)): RunResult {
  const cells = differences.flatMap((row, i) =>
    row.map((difference, j) => ({ id: `c${i} ~ ${names[j]}`, i, j, difference })),
  )
  return {
    id: 'r',
    models: ['a', 'b'],
    testSuiteSnapshot: {
      name: 'S',
      testCases: cells.map(({ id, i, j }) => ({
        id,
        prompt: id,
        weight: 1,
        cluster: `c${i}`,
        metadata: { wording: names[j], wordingOf: `c${i}` },
      })),
    },
    results: cells.flatMap(({ id, difference }) => [
      { testCaseId: id, modelId: 'a', response: 'x', score: { score: 0.5 + difference } },
      { testCaseId: id, modelId: 'b', response: 'x', score: { score: 0.5 } },
    ]),
  }
}

describe('wordings', () => {
  it('are drawn at random as judges are: the worked value of the panel, computed apart from this code', () => {
    // The matrix, the variance and the interval of the statistics' specification (two-way layout, Shrout & Fleiss 1979).
    const { wordings } = buildReport(
      makeRun([
        [0.2, 0.1, 0.3],
        [0, -0.1, 0.2],
        [0.1, 0.1, 0.3],
        [0.3, 0.1, 0.2],
        [-0.1, 0, 0.1],
        [0.2, 0, 0.2],
        [0.1, -0.1, 0.3],
        [0.1, 0.1, 0.1],
      ]),
    )
    const [pair] = wordings!.pairs
    expect(pair!.low).toBeCloseTo(-0.112735, 6)
    expect(pair!.high).toBeCloseTo(0.346069, 6)
    expect(pair!.adjustedP).toBeCloseTo(0.166575, 6)
    expect(pair!.spread).toBeCloseTo(Math.sqrt(3 * 0.002639), 4)
    expect(pair!.isSignificant).toBe(false)
    // SE of the cases from the interval with fixed judges, [.055250, .178083]: half of it over t(.975; 7) = 2.364624.
    const caseVariance = ((0.178083 - 0.05525) / 2 / 2.364624) ** 2
    expect(pair!.share).toBeCloseTo(0.002639 / (0.002639 + caseVariance), 3)
    expect(pair!.gaps.map(({ gap }) => Math.round(gap * 1e4) / 1e4)).toEqual([0.1125, 0.025, 0.2125])
    expect(describeWordings(wordings)[0]).toMatch(
      /^a and b are too close to call over 3 wordings: between −11\.3 and 34\.6 points \(95 % CI\); least in “w1” \(2\.5 points\)\. From wording to wording the gap moves by 8\.9 points/,
    )
  })

  it('hold for others if the gap is the same in all', () => {
    const rows = Array.from({ length: 20 }, (_, i) => [0, 1, 2, 3].map((j) => 0.2 + ((i * 7 + j * 3) % 11) / 100))
    const { wordings } = buildReport(makeRun(rows))
    expect(wordings!.pairs[0]!.isSignificant).toBe(true)
    expect(describeWordings(wordings)[0]).toMatch(/^a beats b whatever the wording: by 25\.\d points/)
  })

  it('decide nothing if there are two, or few cases, and say which is worst', () => {
    const rows = Array.from({ length: 20 }, (_, i) => [0.3 + (i % 3) / 50, -0.1 + (i % 4) / 50])
    const [pair, ofA] = describeWordings(buildReport(makeRun(rows, ['plain', 'rude'])).wordings)
    expect(pair).toContain('in “rude” b is ahead of a by')
    expect(pair).toContain('Two wordings cannot show what others would do.')
    expect(ofA).toMatch(/^a scores worst in “rude” \(\d+\.\d\) and best in “plain”/)
  })

  it('are nothing to say where a suite has one', () => {
    expect(buildReport(makeRun([[0.1], [0.2]])).wordings).toBeUndefined()
  })
})
