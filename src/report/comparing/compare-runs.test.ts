import { describe, expect, it } from 'vitest'
import { toScoreTable, type CellResult, type RunResult, type Suite } from '../../contract/index.ts'
import { compareAllModels, compareColumns, compareWithEarlier } from '../../statistics/index.ts'
import {
  describeChanges,
  describeNotCompared,
  describePassChanges,
  describeSuiteChanges,
  describeVerdict,
} from '../words/index.ts'
import { filterChanges } from './case-changes.ts'
import { compareRuns } from './compare-runs.ts'

type Case = Suite['testCases'][number]
const makeCase = (id: string, more: Partial<Case> = {}): Case => ({
  id,
  prompt: `What is ${id}?`,
  expectedOutput: '4',
  scoringMethod: 'exact-match',
  weight: 1,
  ...more,
})
const makeSuite = (testCases: Case[], more: Partial<Suite> = {}): Suite => ({ name: 'Sums', ...more, testCases })

interface Answers {
  [caseId: string]: number | 'error' | 'unscored' | 'cancelled'
}
const makeCell = (modelId: string, testCaseId: string, answer: Answers[string]): CellResult => {
  if (typeof answer === 'number') return { testCaseId, modelId, outcome: 'ok', score: { score: answer } }
  if (answer === 'unscored') return { testCaseId, modelId, outcome: 'ok', unscored: { code: 'x', message: '' } }
  return { testCaseId, modelId, outcome: answer, error: 'no' }
}
const makeRun = (id: string, suite: Suite | undefined, answers: Record<string, Answers>): RunResult => ({
  id,
  models: Object.keys(answers),
  ...(suite && { testSuiteSnapshot: suite }),
  results: Object.entries(answers).flatMap(([modelId, byCase]) =>
    Object.entries(byCase).map(([testCaseId, answer]) => makeCell(modelId, testCaseId, answer)),
  ),
})

const ids = Array.from({ length: 12 }, (_, index) => `c${index}`)
const suite = makeSuite(ids.map((id) => makeCase(id)))
const scores = (score: (index: number) => Answers[string]): Answers =>
  Object.fromEntries(ids.map((id, index) => [id, score(index)]))

describe('compareRuns', () => {
  const old = makeRun('old', suite, { x: scores((index) => (index < 6 ? 0 : 1)) })

  it('does not compare across runs what was compared in pairs within each', () => {
    const pairs = makeSuite(ids.map((id) => makeCase(id, { scoringMethod: 'pairwise' })))
    const withOpponents = (run: RunResult): RunResult => ({
      ...run,
      results: run.results.map((cell) => ({ ...cell, score: { ...cell.score!, comparisons: [] } })),
    })
    const before = withOpponents(makeRun('before', pairs, { x: scores(() => 1), weak: scores(() => 0) }))
    const after = withOpponents(makeRun('after', pairs, { x: scores(() => 0), strong: scores(() => 1) }))
    const { suite: changes, pairs: compared } = compareRuns({ runs: [before] }, { runs: [after] })
    expect(describeSuiteChanges(changes)[0]).toBe(
      '12 cases changed between the runs (opponents) and are left out of the comparison: c0, c1, c2, c3, c4 and 7 more.',
    )
    expect(compared.every(({ comparison }) => comparison?.paired === undefined)).toBe(true)
    expect(compareWithEarlier([after], [before], ['x']).get('x')?.paired).toBeUndefined()
    const within = compareRuns({ runs: [before], models: ['x'] }, { runs: [before], models: ['weak'] })
    expect(within.pairs[0]!.comparison?.paired?.n).toBe(12)
  })

  it('compares different models of different runs, paired by case', () => {
    const now = makeRun('now', suite, { y: scores((index) => (index < 9 ? 1 : 0.5)) })
    const { pairs } = compareRuns({ runs: [old] }, { runs: [now] })
    expect(pairs).toHaveLength(1)
    const [{ before, after, comparison, changes }] = pairs as [(typeof pairs)[0]]
    expect([before, after]).toEqual(['x', 'y'])
    expect(comparison).toMatchObject({ modelA: 'y', modelB: 'x', paired: { n: 12, wins: 6, losses: 3, ties: 3 } })
    expect(comparison!.paired!.meanDiff).toBeCloseTo((6 - 1.5) / 12, 12)
    expect(changes).toMatchObject({ better: 6, worse: 3, same: 3, lost: 3, gained: 6 })
    expect(describeChanges(changes)).toBe('6 got better, 3 got worse, 3 stayed the same.')
    expect(describeChanges(changes, { after: 'y' })).toBe('y is better on 6 cases, worse on 3, the same on 3.')
    expect(describePassChanges(changes)).toBe(
      '3 cases passed in A and fail in B (25.0 %, 95 % CI 5.5 to 57.2); 6 failed in A and pass in B (50.0 %, 21.1 to 78.9); 9 of 12 changed in all (75.0 %, 42.8 to 94.5).',
    )
  })

  it('counts flips with exact intervals: 50 cases, 4 harmful, 9 helpful', () => {
    const fifty = makeSuite(Array.from({ length: 50 }, (_, index) => makeCase(`f${index}`)))
    const passes = (isPassed: (index: number) => boolean) =>
      Object.fromEntries(fifty.testCases.map(({ id }, index) => [id, isPassed(index) ? 1 : 0]))
    const before = makeRun('before', fifty, { x: passes((index) => index < 30) })
    const after = makeRun('after', fifty, { x: passes((index) => (index >= 4 && index < 30) || index >= 41) })
    const { harmful, helpful, churn } = compareRuns({ runs: [before] }, { runs: [after] }).pairs[0]!.changes.flips!
    expect([harmful.count, helpful.count, churn.count]).toEqual([4, 9, 13])
    expect(harmful.interval.map((end) => end.toFixed(6))).toEqual(['0.022228', '0.192343'])
    expect(helpful.interval.map((end) => end.toFixed(6))).toEqual(['0.085762', '0.314369'])
    expect(churn.interval.map((end) => end.toFixed(6))).toEqual(['0.146301', '0.403448'])
  })

  it('counts as flips only what clearly passed or failed in most runs of both sides, by one pass mark', () => {
    const repeats = (id: string, scored: number[]) =>
      makeRun(id, suite, { x: { c0: scored[0]!, c1: scored[1]!, c2: scored[2]! } })
    // c1 passes in one of two runs: neither passed nor failed.
    const before = [repeats('a', [1, 1, 1]), repeats('b', [1, 0, 1])]
    const after = [repeats('c', [0, 0, 1]), repeats('d', [0, 0, 1])]
    expect(compareRuns({ runs: before }, { runs: after }).pairs[0]!.changes.flips).toMatchObject({
      harmful: { count: 1, rate: 0.5 },
      helpful: { count: 0 },
      churn: { count: 1 },
    })
    const marked = makeSuite([makeCase('c0', { passAt: 0.2 }), ...suite.testCases.slice(1)])
    const other = makeRun('e', marked, { x: { c0: 0.5, c2: 1 } })
    const [pair] = compareRuns({ runs: [repeats('a', [1, 1, 1])] }, { runs: [other] }).pairs
    expect(pair!.changes.flips).toMatchObject({ churn: { count: 0, rate: 0 } })
    const none = compareRuns({ runs: [makeRun('f', suite, { x: { c0: 'error' } })] }, { runs: [other] })
    expect(none.pairs[0]!.changes.flips).toBeUndefined()
  })

  it('counts them for two models of one run beside a margin, from B to A', () => {
    const run = makeRun('r', suite, {
      x: scores((index) => (index < 2 ? 0 : 1)),
      y: scores((index) => (index >= 11 ? 0 : 1)),
    })
    const compared = (options: { sameWithin?: number }) => compareAllModels(run, undefined, options)[0]!
    expect(compared({}).paired!.flips).toBeUndefined()
    const { modelA, paired } = compared({ sameWithin: 0.5 })
    expect(modelA).toBe('y')
    expect(paired!.flips).toMatchObject({
      harmful: { count: 1 },
      helpful: { count: 2 },
      churn: { count: 3, rate: 0.25 },
    })
    expect(describeVerdict({ ...compared({ sameWithin: 0.9 }) })).toMatch(
      /practically the same \(within 90 points\): .* Only y passes 2 of 12 cases, only x 1: they disagree on 3 \(25\.0 %, 95 % CI 5\.5 to 57\.2\)\.$/,
    )
  })

  it('counts clusters in their intervals, in either comparison: two of six fail as a whole', () => {
    const inPairs = makeSuite(ids.map((id, index) => makeCase(id, { cluster: `k${index >> 1}` })))
    const failing = scores((index) => (index < 4 ? 0 : 1))
    const [before, after] = [makeRun('a', inPairs, { x: scores(() => 1) }), makeRun('b', inPairs, { x: failing })]
    const { flips } = compareRuns({ runs: [before] }, { runs: [after] }).pairs[0]!.changes
    // With SciPy: 4 of 12, V = 6/5·(2·(4/3)² + 4·(2/3)²)/12², n* = m(1−m)/V·(t(.975; 11)/t(.975; 5))².
    expect(flips!.harmful.interval).toEqual([expect.closeTo(0.015304, 6), expect.closeTo(0.871321, 6)])
    const within = makeRun('r', inPairs, { x: scores(() => 1), y: failing })
    const [compared] = compareAllModels(within, undefined, { sameWithin: 0.5 })
    expect(compared!.paired!.flips!.helpful.interval).toEqual([
      expect.closeTo(0.015304, 6),
      expect.closeTo(0.871321, 6),
    ])
  })

  it('lists what passed before and fails now first, then by size', () => {
    const [before, after] = [
      makeRun('a', suite, { x: { c0: 0, c1: 1, c2: 0.2, c3: 0.5, c4: 1, c5: 0.9 } }),
      makeRun('b', suite, { x: { c0: 1, c1: 0.9, c2: 0.8, c3: 0.5, c4: 0.2, c5: 0 } }),
    ]
    const [{ changes }] = compareRuns({ runs: [before] }, { runs: [after] }).pairs as [never]
    const shown = (filter: 'all' | 'worse' | 'better') =>
      filterChanges(changes, filter)
        .filter(({ kind }) => kind !== 'not compared')
        .map(({ id }) => id)
    // c4 and c1 passed (0.95 for exact match); c5 did not.
    expect(shown('all')).toEqual(['c4', 'c1', 'c0', 'c5', 'c2', 'c3'])
    expect(shown('worse')).toEqual(['c4', 'c1', 'c5'])
    expect(shown('better')).toEqual(['c0', 'c2'])
  })

  it('counts errors, unscored and unasked cells as neither better nor worse, and names them apart', () => {
    const stopped = makeRun('now', suite, { x: { c0: 1, c1: 'error', c2: 'unscored', c3: 'cancelled' } })
    const [{ changes, comparison }] = compareRuns({ runs: [old] }, { runs: [stopped] }).pairs as [never]
    expect(changes).toMatchObject({
      better: 1,
      worse: 0,
      same: 0,
      lost: 0,
      notCompared: { error: 1, unscored: 1, skipped: 9, changed: 0, 'only before': 0 },
    })
    expect(comparison).toMatchObject({ paired: { n: 1 } })
    expect(describeNotCompared(changes['notCompared'])).toBe('Not compared: 1 error, 1 unscored, 9 not run.')
  })

  it('leaves changed cases out of the test, names them, and compares them on request', () => {
    const changed = makeSuite([
      makeCase('c0', { prompt: 'Another question' }),
      makeCase('c1', { expectedOutput: '5' }),
      makeCase('c2', { scoringMethod: 'regex-match' }),
      makeCase('c3', { weight: 3, metadata: { tags: ['new'] } }),
      makeCase('c4', { passAt: 0.5 }),
      ...ids.slice(5).map((id) => makeCase(id)),
    ])
    const now = makeRun('now', changed, { x: scores(() => 1) })
    const { pairs, suite: found } = compareRuns({ runs: [old] }, { runs: [now] })
    expect([...found.changed]).toEqual([
      ['c0', ['prompt']],
      ['c1', ['expected output']],
      ['c2', ['scoring']],
    ])
    expect([...found.otherMark]).toEqual(['c4'])
    expect(pairs[0]).toMatchObject({
      comparison: { paired: { n: 9, wins: 3 } },
      changes: { better: 3, gained: 2, notCompared: { changed: 3 } },
    })
    expect(describeSuiteChanges(found)).toEqual([
      '3 cases changed between the runs (prompt, expected output and scoring) and are left out of the comparison: c0, c1 and c2.',
      '1 case has another pass mark in the other run: scores are compared, passes are not.',
    ])
    const all = compareRuns({ runs: [old] }, { runs: [now] }, { isChangedCompared: true })
    expect(all.pairs[0]).toMatchObject({ comparison: { paired: { n: 12 } }, changes: { better: 6 } })
  })

  it('does not take another order of keys or an undefined field for a change', () => {
    const reordered = makeSuite(
      ids.map((id) => ({ weight: 1, scoringMethod: 'exact-match', expectedOutput: '4', prompt: `What is ${id}?`, id })),
    )
    const { suite: found } = compareRuns({ runs: [old] }, { runs: [makeRun('now', reordered, { x: { c0: 1 } })] })
    expect(describeSuiteChanges(found)).toEqual([])
  })

  it('names renamed cases and settings that differ, without leaving cases out for them', () => {
    const renamed = makeSuite([makeCase('zero', { prompt: 'What is c0?' }), ...suite.testCases.slice(1)], {
      systemPrompt: 'Be brief.',
    })
    const now = makeRun('now', renamed, { x: { ...scores(() => 1), zero: 1 } })
    now.results = now.results.filter(({ testCaseId }) => testCaseId !== 'c0')
    const { suite: found, pairs } = compareRuns({ runs: [old] }, { runs: [now] })
    expect(describeSuiteChanges(found)).toEqual([
      '1 case has another id in the other run and is not compared: c0 → zero.',
      'The runs also differ in the system prompt.',
    ])
    expect(pairs[0]!.changes.notCompared).toMatchObject({ 'only before': 1, 'only after': 1 })
    expect(pairs[0]!.comparison!.paired!.n).toBe(11)
  })

  it('compares nothing if no case is in both, and says so', () => {
    const other = makeSuite([makeCase('d0', { prompt: 'Other' })])
    const { pairs } = compareRuns({ runs: [old] }, { runs: [makeRun('now', other, { x: { d0: 1 } })] })
    expect(pairs[0]!.comparison!.paired).toBeUndefined()
    expect(describeChanges(pairs[0]!.changes)).toBe('No case can be compared.')
  })

  it('averages the repeats of a series; a case passes if most of its answers did', () => {
    const series = [0, 1, 1].map((score, index) => makeRun(`now-${index}`, suite, { x: { c0: score, c11: 1 - score } }))
    const [{ changes }] = compareRuns({ runs: [old] }, { runs: series }).pairs as [never]
    expect(filterChanges(changes, 'all').slice(0, 2)).toMatchObject([
      { id: 'c11', kind: 'worse', pass: 'lost', after: { passed: 1, scored: 3 } },
      { id: 'c0', kind: 'better', pass: 'gained', after: { passed: 2, scored: 3 } },
    ])
  })

  it('keeps hostile names apart: __proto__, constructor, very long, right to left', () => {
    const names = ['__proto__', 'constructor', 'x'.repeat(300), '\u202Etxet\u202C', 'toString']
    const odd = makeSuite(names.map((id) => makeCase(id)))
    // Not an object literal: __proto__ would be its prototype.
    const answers = (score: number) => names.map((id) => makeCell('__proto__', id, score))
    const run = (id: string, score: number): RunResult => ({
      id,
      models: ['__proto__', '__proto__'],
      testSuiteSnapshot: odd,
      results: answers(score),
    })
    const { pairs } = compareRuns({ runs: [run('a', 0)] }, { runs: [run('b', 1)] })
    expect(pairs).toHaveLength(1)
    expect(pairs[0]).toMatchObject({ before: '__proto__', changes: { better: 5, gained: 5 } })
    expect(pairs[0]!.changes.cases.map(({ id }) => id).toSorted()).toEqual(names.toSorted())
  })

  it('pairs every model with every other if none is in both, with Holm’s correction over all', () => {
    const [a, b] = [
      makeRun('a', suite, { p: scores((index) => index % 2), q: scores((index) => (index % 3 ? 1 : 0)) }),
      makeRun('b', suite, { r: scores(() => 1), s: scores((index) => (index < 4 ? 0 : 1)) }),
    ]
    const { pairs } = compareRuns({ runs: [a] }, { runs: [b] })
    expect(pairs.map(({ before, after }) => `${before}-${after}`)).toEqual(['p-r', 'p-s', 'q-r', 'q-s'])
    const [alone] = compareRuns({ runs: [a] }, { runs: [b] }, { chosen: { before: 'p', after: 'r' } }).pairs
    expect(pairs[0]!.comparison!.paired!.adjustedP).toBeCloseTo(4 * alone!.comparison!.paired!.adjustedP, 12)
  })
})

describe('compareColumns', () => {
  it('gives the same figures as a comparison with earlier runs', () => {
    const [a, b] = [
      [makeRun('a', suite, { x: scores((index) => index % 2), y: scores(() => 1) })],
      [makeRun('b', suite, { x: scores(() => 1), y: scores((index) => (index % 4 ? 1 : 0)) })],
    ]
    const earlier = compareWithEarlier(b, a, ['x', 'y'])
    const columns = compareColumns(
      ['x', 'y'].map((modelId) => [
        { scores: toScoreTable(b), modelId },
        { scores: toScoreTable(a), modelId },
      ]),
    )
    expect(columns.map((comparison) => comparison!.paired)).toEqual([...earlier.values()].map(({ paired }) => paired))
    expect(
      compareColumns([
        [
          { scores: toScoreTable(a), modelId: 'x' },
          { scores: toScoreTable(b), modelId: 'none' },
        ],
      ]),
    ).toEqual([undefined])
  })
})
