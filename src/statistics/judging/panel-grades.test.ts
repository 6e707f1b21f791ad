import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult, ScoringResult } from '../../contract/index.ts'
import { compareAllModels } from '../compare-models.ts'
import { createRandom } from '../numbers/random.ts'
import { comparePanel } from './compare-panel.ts'

const PANEL = ['p', 'q', 'r']

/** How much each judge favours `a`. */
const LEANS: Record<string, number> = { p: 0.1, q: 0, r: -0.04 }

interface Graded {
  index: number
  isA: boolean
  random: () => number
}

const gradeBy =
  (judges: readonly string[]) =>
  ({ isA, random }: Graded): ScoringResult => {
    const base = 0.4 + 0.2 * random()
    const verdicts = judges.map((judgeModelId) => ({
      judgeModelId,
      score: base + (isA ? 0.05 + (LEANS[judgeModelId] ?? 0.08) : 0) + 0.1 * random(),
      reasoning: '',
    }))
    return { score: verdicts.reduce((sum, { score }) => sum + score, 0) / judges.length, judges: verdicts }
  }

const exact = ({ isA, random }: Graded): ScoringResult => ({ score: random() < (isA ? 0.9 : 0.6) ? 1 : 0 })

function makeRun(
  score: (graded: Graded) => ScoringResult,
  { cases = 40, seed = 'panel', ...change }: Partial<RunResult> & { cases?: number; seed?: string } = {},
): RunResult {
  const random = createRandom(seed)
  const results = Array.from({ length: cases }, (_, index) =>
    ['a', 'b'].map((modelId): CellResult => ({
      testCaseId: `case ${index}`,
      modelId,
      outcome: 'ok',
      score: score({ index, isA: modelId === 'a', random }),
    })),
  ).flat()
  return { id: seed, models: ['a', 'b'], results, ...change }
}

const compare = (...runs: RunResult[]) => compareAllModels(runs)[0]!.paired!

/** A − B by judge, case by case; a case that no judge graded is the same for all. */
function differencesOf({ results }: RunResult, judges: readonly string[]): number[][] {
  return Array.from({ length: results.length / 2 }, (_, index) => {
    const [a, b] = [results[2 * index]!.score!, results[2 * index + 1]!.score!]
    return judges.map((_judge, position) =>
      a.judges && b.judges ? a.judges[position]!.score - b.judges[position]!.score : a.score - b.score,
    )
  })
}

describe('judges in a comparison', () => {
  it('from 3 on are drawn at random: the interval of comparePanel', () => {
    const run = makeRun(gradeBy(PANEL))
    const { judging, shownInterval, verdictP } = compare(run)
    const expected = comparePanel(differencesOf(run, PANEL))
    expect(judging).toMatchObject({ judges: PANEL, spread: { judges: 3 } })
    expect(judging!.spread!.variance).toBeCloseTo(expected.judgeVariance!, 12)
    expect(expected.judgeVariance!).toBeGreaterThan(1e-4)
    expect(shownInterval[0]).toBeCloseTo(Math.min(0, expected.low), 12)
    expect(verdictP).toBeGreaterThanOrEqual(expected.p - 1e-12)
  })

  it('of whom two or one are fixed', () => {
    for (const judges of [['p'], ['p', 'q']]) {
      const run = makeRun(gradeBy(judges))
      const paired = compare(run)
      expect(paired.judging).toEqual({ judges })
      const fixed = comparePanel(differencesOf(run, judges).map((row) => [row.reduce((a, b) => a + b) / row.length]))
      expect(paired.confidence95[0]).toBeCloseTo(fixed.low, 12)
    }
  })

  it('in a suite that is half exact match count for their half', () => {
    const run = makeRun((graded) => (graded.index % 2 === 0 ? gradeBy(PANEL) : exact)(graded))
    const { judging } = compare(run)
    expect(judging!.spread!.variance).toBeCloseTo(comparePanel(differencesOf(run, PANEL)).judgeVariance!, 12)
    const judged = differencesOf(run, PANEL).filter((_, index) => index % 2 === 0)
    expect(judging!.spread!.variance / (comparePanel(judged).judgeVariance! / 4)).toBeCloseTo(1, 1)
  })

  it('of whom one graded half of the cases are compared on that half', () => {
    const run = makeRun(({ index, ...own }) => gradeBy(index % 2 === 0 ? PANEL : ['p', 'q'])({ index, ...own }))
    const complete = differencesOf(run, PANEL.slice(0, 2)).length
    expect(complete).toBe(40)
    const { judging } = compare(run)
    const half = { ...run, results: run.results.filter((_, index) => index % 4 < 2) }
    expect(judging!.spread!.variance).toBeCloseTo(comparePanel(differencesOf(half, PANEL)).judgeVariance!, 12)
  })

  it('of whom one missed cells of a mixed suite: the variance is for all judged cases, not for those it graded', () => {
    const run = makeRun((graded) =>
      graded.index < 20 ? exact(graded) : gradeBy(graded.index < 30 ? PANEL : ['p', 'q'])(graded),
    )
    const { judging } = compare(run)
    const seen = differencesOf({ ...run, results: run.results.slice(0, 60) }, PANEL)
    // Judged are 20 of 40 cases, and 10 of the 30 that all judges graded.
    expect(judging!.spread!.variance).toBeCloseTo(comparePanel(seen).judgeVariance! * (20 / 40 / (10 / 30)) ** 2, 12)
  })

  it('count as fixed where no two judged cases have grades by all: cases of their own, and one that graded one model only', () => {
    const apart = makeRun((graded) =>
      gradeBy(
        [
          ['p', 'q'],
          ['r', 's'],
        ][graded.index % 2]!,
      )(graded),
    )
    expect(compare(apart).judging).toEqual({ judges: ['p', 'q', 'r', 's'] })
    const oneSided = makeRun((graded) =>
      graded.index % 2 === 0 ? exact(graded) : gradeBy(graded.isA ? PANEL : ['p', 'q'])(graded),
    )
    expect(compare(oneSided).judging).toEqual({ judges: PANEL })
  })

  it('of checks with different panels count as fixed; of checks with the same one they add up', () => {
    const withChecks = (second: readonly string[]) =>
      makeRun((graded) => {
        const checks = [PANEL, second].map((judges, index) => ({
          ...gradeBy(judges)(graded),
          scoringMethod: 'llm-judge',
          weight: 1 + index,
        }))
        return { score: (checks[0]!.score + 2 * checks[1]!.score) / 3, checks }
      })
    expect(compare(withChecks(['x', 'y', 'z'])).judging).toEqual({ judges: [...PANEL, 'x', 'y', 'z'] })
    const same = withChecks(PANEL)
    const rows = Array.from({ length: 40 }, (_, index) =>
      PANEL.map((_judge, judge) => {
        const by = (cell: number) =>
          same.results[2 * index + cell]!.score!.checks!.reduce(
            (sum, { judges, weight }) => sum + (weight / 3) * judges![judge]!.score,
            0,
          )
        return by(0) - by(1)
      }),
    )
    expect(compare(same).judging!.spread!.variance).toBeCloseTo(comparePanel(rows).judgeVariance!, 12)
  })

  it('of a group of checks count by the weight of their check in it', () => {
    const grouped = makeRun((graded) => {
      const judged = { ...gradeBy(PANEL)(graded), scoringMethod: 'llm-judge', weight: 1 }
      const plain = { score: graded.random(), scoringMethod: 'exact-match', weight: 3 }
      const group = {
        score: (judged.score + 3 * plain.score) / 4,
        scoringMethod: 'group',
        weight: 1,
        checks: [judged, plain],
        // As the scorer stores it.
        judges: judged.judges!,
      }
      return { score: group.score, checks: [group] }
    })
    const rows = Array.from({ length: 40 }, (_, index) =>
      PANEL.map((_judge, judge) => {
        const by = (cell: number) => {
          const [judged, plain] = grouped.results[2 * index + cell]!.score!.checks![0]!.checks!
          return (judged!.judges![judge]!.score + 3 * plain!.score) / 4
        }
        return by(0) - by(1)
      }),
    )
    expect(compare(grouped).judging!.spread!.variance).toBeCloseTo(comparePanel(rows).judgeVariance!, 12)
  })

  it('who compare answers in pairs count as fixed: what one alone would give is not known', () => {
    const pairwise = makeRun(
      ({ isA, random }) => {
        const score = random() < 0.7 === isA ? 1 : 0
        const judges = PANEL.map((judgeModelId) => ({ judgeModelId, score, isConsistent: true, reasoning: '' }))
        return { score, comparisons: [{ opponentId: isA ? 'b' : 'a', score, judges }] }
      },
      { judgeModel: PANEL.join(', ') },
    )
    expect(compare(pairwise).judging).toEqual({ judges: PANEL })
  })

  it('of a series are averaged over its runs', () => {
    const runs = ['one', 'two'].map((seed) => makeRun(gradeBy(PANEL), { seed }))
    const [first, second] = runs.map((run) => differencesOf(run, PANEL))
    const rows = first!.map((row, index) => row.map((value, judge) => (value + second![index]![judge]!) / 2))
    expect(compare(...runs).judging!.spread!.variance).toBeCloseTo(comparePanel(rows).judgeVariance!, 12)
  })

  it('are absent where no judge graded', () => {
    expect(compare(makeRun(exact))).not.toHaveProperty('judging')
  })
})
