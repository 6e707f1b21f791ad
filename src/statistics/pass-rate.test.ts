import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult, Suite } from '../contract/index.ts'
import { aggregateScores, createRandom, repeatStats, estimatePassRate, multiRunStats } from './index.ts'

const ones = (count: number, of: number) => Array.from({ length: of }, (_, index) => (index < count ? 1 : 0))

describe('the pass rate', () => {
  it('of 682 in 925 is .7373 (.7076683 to .7654066) (R binom.test help page, Conover 1971)', () => {
    const { passed, passRate, passRateConfidence95 } = estimatePassRate({ passes: ones(682, 925) })
    expect([passed, passRate]).toEqual([682, expect.closeTo(682 / 925, 14)])
    expect(passRateConfidence95).toEqual([expect.closeTo(0.7076683, 7), expect.closeTo(0.7654066, 7)])
  })

  it('with weights counts effective cases: 7.3 of 12.6 is .2804677 to .8403743 (SciPy 1.17 stats.beta)', () => {
    // (Σw)² / Σw² is 12.6, and every case passed in 73 of 126 runs.
    const weights = [5.266371015302533, ...Array.from({ length: 19 }, () => 1)]
    const [passes, answers] = [weights.map(() => 73), weights.map(() => 126)]
    const { passed, passRate, passRateConfidence95 } = estimatePassRate({ passes, answers, weights })
    expect([passed, passRate]).toEqual([20 * 73, expect.closeTo(7.3 / 12.6, 14)])
    expect(passRateConfidence95).toEqual([
      expect.closeTo(0.28046776662477896, 10),
      expect.closeTo(0.8403742952446516, 10),
    ])
  })

  it('does not get surer by repeating the same cases', () => {
    const once = estimatePassRate({ passes: ones(7, 10) })
    const tenTimes = estimatePassRate({
      passes: ones(7, 10).map((pass) => 10 * pass),
      answers: ones(10, 10).map(() => 10),
    })
    expect(tenTimes.passRateConfidence95).toEqual(once.passRateConfidence95)
    expect([once.passed, tenTimes.passed]).toEqual([7, 70])
  })

  it.each([5, 10, 30])('holds the true rate at least 94 times in 100, with 3 runs of %s cases (simulation)', (n) => {
    // The easiest and hardest cases always or never pass; the others pass as often as their difficulty says.
    for (const chanceOf of [(u: number) => u, (u: number) => (u < 0.8 ? 1 : 0.3), (u: number) => 0.9 + 0.1 * u]) {
      const random = createRandom(`pass rate at ${n}`)
      const truth = Array.from({ length: 10_000 }, (_, index) => chanceOf((index + 0.5) / 10_000))
      const rate = truth.reduce((sum, chance) => sum + chance, 0) / truth.length
      let held = 0
      for (let trial = 0; trial < 2000; trial++) {
        const passes = Array.from({ length: n }, () => {
          const chance = chanceOf(random())
          return [0, 0, 0].filter(() => random() < chance).length
        })
        const { passRateConfidence95 } = estimatePassRate({ passes, answers: passes.map(() => 3) })
        if (passRateConfidence95[0] <= rate && rate <= passRateConfidence95[1]) held++
      }
      expect(held / 2000).toBeGreaterThanOrEqual(0.94)
    }
  })
})

const suite: Suite = {
  name: 's',
  testCases: [
    { id: 'exact', scoringMethod: 'exact-match', weight: 2 },
    { id: 'judged', scoringMethod: 'llm-judge', weight: 1 },
    { id: 'own mark', scoringMethod: 'regex-match', passAt: 0.5, weight: 1 },
    {
      id: 'checks',
      checks: [
        { scoringMethod: 'boolean', weight: 1 },
        { scoringMethod: 'llm-judge', weight: 1 },
      ],
      weight: 1,
    },
  ],
}
const checksOf = (...scores: number[]) => ({
  score: scores.reduce((sum, score) => sum + score, 0) / scores.length,
  checks: scores.map((score) => ({ scoringMethod: 'any', weight: 1, score })),
})
const run = (id: string, cells: Record<string, CellResult['score']>): RunResult => ({
  id,
  models: ['m'],
  testSuiteSnapshot: suite,
  results: Object.entries(cells).map(([testCaseId, score]) => ({ testCaseId, modelId: 'm', ...(score && { score }) })),
})
const first = run('1', {
  exact: { score: 0.95 },
  judged: { score: 0.79 },
  'own mark': { score: 0.5 },
  checks: checksOf(1, 0.8),
})
const second = run('2', {
  exact: { score: 0.9 },
  judged: { score: 0.8 },
  'own mark': { score: 1 },
  checks: checksOf(0, 1),
})

describe('the pass rate of runs', () => {
  it('goes by the pass marks of their suite: of methods, of the case, of each check', () => {
    const { passed, passRate, count } = aggregateScores(first).get('m')!
    expect([passed, count, passRate]).toEqual([3, 4, expect.closeTo(4 / 5, 14)])
    expect(aggregateScores(second).get('m')!).toMatchObject({ passed: 2, passRate: expect.closeTo(2 / 5, 14) })
  })

  it('averages the runs of a case first, and counts all answers', () => {
    const { passed, count, passRate } = multiRunStats([first, second]).get('m')!
    expect([passed, count, passRate]).toEqual([5, 8, expect.closeTo((2 * 0.5 + 0.5 + 1 + 0.5) / 5, 14)])
  })

  it('leaves out answers without a score', () => {
    const cut = run('3', { exact: { score: 1 }, judged: undefined })
    expect(aggregateScores(cut).get('m')).toMatchObject({ passed: 1, count: 1, passRate: 1 })
    expect(multiRunStats([first, cut]).get('m')).toMatchObject({ passed: 4, count: 5 })
  })

  it('is what pass@k, pass^k and flaky cases go by', () => {
    const { passAtK, passHatK, flaky } = repeatStats([first, second], 'm')
    expect(flaky).toEqual(['exact', 'judged', 'checks'])
    expect([passAtK, passHatK]).toEqual([
      [5 / 8, 1],
      [5 / 8, 0.25],
    ])
  })

  it('goes by the given cases where they say how answers pass, else by the suite', () => {
    const given = suite.testCases.map(({ id }) => ({ id, weight: 1, ...(id === 'exact' && { passAt: 1 }) }))
    expect(aggregateScores(first, given).get('m')).toMatchObject({ passed: 2, passRate: 0.5 })
    const judged = [{ id: 'exact', scoringMethod: 'llm-judge' }]
    expect(aggregateScores(second, judged).get('m')).toMatchObject({ passed: 3 })
  })

  it('takes 1 as the mark of a case that nothing is known about', () => {
    const { testSuiteSnapshot: _suite, ...bare } = first
    expect(aggregateScores(bare).get('m')).toMatchObject({ passed: 0, passRate: 0 })
  })
})
