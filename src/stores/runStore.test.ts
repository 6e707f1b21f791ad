import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../contract/index.ts'
import { createRunStore } from './runStore.ts'

/** A run from scores by model; null is a cell without a score. */
function makeRun(id: string, scores: Record<string, (number | null)[]>): RunResult {
  const results = Object.entries(scores).flatMap(([modelId, values]) =>
    values.map((score, index): CellResult => {
      const cell = { testCaseId: `case-${index + 1}`, modelId }
      return score === null
        ? { ...cell, unscored: { code: 'judge-unreadable', message: 'no number' } }
        : { ...cell, score: { score } }
    }),
  )
  return { id, models: Object.keys(scores), results }
}
const weighted = (...weights: number[]) => weights.map((weight, index) => ({ id: `case-${index + 1}`, weight }))

describe('aggregate scores of a run', () => {
  const store = createRunStore([makeRun('r', { a: [1, 0.5, 0], b: [1, 1, null], c: [null, null, null] })])

  it('are weighted means: (1·3 + 0.5·1 + 0·1) / 5', () => {
    expect(store.getAggregateScores('r')).toEqual(
      new Map([
        ['a', 0.5],
        ['b', 1],
      ]),
    )
    expect(store.getAggregateScores('r', weighted(3, 1, 1)).get('a')).toBeCloseTo(0.7, 12)
  })
  it('default to the weights of the suite stored with the run', () => {
    const run = makeRun('r', { a: [1, 0] })
    const testCases = weighted(3, 1).map((testCase) => ({ ...testCase, prompt: '?', scoringMethod: 'boolean' }))
    const withSuite = createRunStore([{ ...run, testSuiteSnapshot: { name: 'S', testCases } }])
    expect(withSuite.getAggregateScores('r').get('a')).toBe(0.75)
  })
  it('include spread, interval and method in the detailed form', () => {
    const detail = store.getDetailedAggregateScores('r').get('a')!
    expect(detail).toMatchObject({ mean: 0.5, stdDev: 0.5, min: 0, max: 1, count: 3, totalWeight: 3, method: 't' })
    // t(0.975, 2) = 4.302653 (any table of Student's t); 0.5 ± 4.302653 · 0.5/√3 leaves [0, 1] on both sides.
    expect(detail.confidence95).toEqual([0, 1])
  })
  it('exclude cells without a score, count them, and give the bounds of the mean', () => {
    const detail = store.getDetailedAggregateScores('r').get('b')!
    expect(detail).toMatchObject({
      mean: 1,
      count: 2,
      missing: { unscored: 1, errors: 0, reasons: { 'judge-unreadable': 1 } },
    })
    expect(detail.boundsWithMissing[0]).toBeCloseTo(2 / 3, 12)
    expect(detail.boundsWithMissing[1]).toBe(1)
    expect(store.getDetailedAggregateScores('r').has('c')).toBe(false)
  })
  it('reject invalid scores, invalid weights and a second result for a cell', () => {
    for (const score of [Number.NaN, 1.1, -0.1, Infinity, null, '0.5', true, [0.5]]) {
      const results = [{ testCaseId: 'case-1', modelId: 'a', score: { score: score as never } }]
      expect(() => createRunStore([{ id: 'r', models: ['a'], results }]).getAggregateScores('r')).toThrow(
        /^run r: model a has score .+ on test case case-1; scores must be 0 to 1$/,
      )
    }
    for (const weight of [0, -1, Number.NaN, Infinity])
      expect(() => store.getAggregateScores('r', weighted(weight, 1, 1))).toThrow(/weight/)
    const twice = makeRun('r', { a: [1] })
    twice.results.push(...twice.results)
    expect(() => createRunStore([twice]).getAggregateScores('r')).toThrow(/two results of model a for test case case-1/)
  })
  it('reject an unknown run and a duplicate run id', () => {
    expect(() => store.getAggregateScores('x')).toThrow(/there is no run "x"/)
    expect(() => createRunStore([makeRun('r', { a: [1] }), makeRun('r', { a: [1] })])).toThrow(
      /two runs have the id "r"/,
    )
  })
  it('treat __proto__ and similar as names', () => {
    const oddNames = createRunStore([makeRun('__proto__', { constructor: [1, 0] })])
    expect(oddNames.getAggregateScores('__proto__').get('constructor')).toBe(0.5)
  })
})

it('says whether two models are practically the same, if asked', () => {
  const a = Array.from({ length: 40 }, (_, index) => 0.5 + (index % 3) / 100)
  const store = createRunStore([makeRun('r', { a, b: a.toReversed() })])
  expect(store.compareAllModels(['r'], undefined, { sameWithin: 0.05 })[0]!.paired!.equivalence).toMatchObject({
    margin: 0.05,
    verdict: 'practically the same',
  })
  expect(store.compareAllModels(['r'])[0]!.paired!.equivalence).toBeUndefined()
})

describe('statistics over runs', () => {
  const store = createRunStore([
    makeRun('r1', { a: [1, 0.8, 0.6], b: [0.5, 0.5, 0.5], c: [0.2] }),
    makeRun('r2', { a: [1, 0.9, 0.8], b: [0.5, 0.5, 0.5] }),
    makeRun('r3', { a: [1, 1, 0.7], b: [0.5, 0.5, 0.5] }),
  ])
  const stats = store.getMultiRunStats(['r1', 'r2', 'r3'])

  it('are the mean, sample SD and Student’s t interval over runs', () => {
    const a = stats.get('a')!
    expect(a.runIds).toEqual(['r1', 'r2', 'r3'])
    expect(a.scores.map((score) => score.toFixed(6))).toEqual(['0.800000', '0.900000', '0.900000'])
    expect(a.mean).toBeCloseTo(0.8666667, 6)
    expect(a.stdDev).toBeCloseTo(0.057735, 6)
    // SciPy 1.17 stats.t.interval(.95, 2, .8666667, .0577350/3**.5)
    expect(a.confidence95[0]).toBeCloseTo(0.7232449, 6)
    expect(a.confidence95[1]).toBe(1)
    expect(a.method).toBe('t')
  })
  it('name the method when runs are identical, allow for changes not seen yet, and still give the uncertainty over cases', () => {
    expect(stats.get('b')).toMatchObject({ method: 'identical-runs', stdDev: 0 })
    const { runIds, overCases, confidence95 } = stats.get('b')!
    const unseen = 1 - 0.05 ** (1 / (overCases.n * (runIds.length - 1)))
    expect(confidence95[0]).toBeCloseTo(Math.max(0, 0.5 - unseen), 12)
    expect(confidence95[1]).toBeCloseTo(Math.min(1, 0.5 + unseen), 12)
    expect(stats.get('b')!.overCases).toMatchObject({ method: 'unseen-mass', n: 3 })
  })
  it('use the interval over cases for a single run', () => {
    const single = store.getMultiRunStats(['r1']).get('a')!
    const overCases = store.getDetailedAggregateScores('r1').get('a')!
    expect(single).toMatchObject({ stdDev: 0, confidence95: overCases.confidence95, method: overCases.method })
    expect(stats.get('c')!.scores).toEqual([0.2])
  })
  it('count a run once if its id is given twice', () =>
    expect(store.getMultiRunStats(['r1', 'r1']).get('a')!.scores).toHaveLength(1))
})

describe('comparing two models', () => {
  it('runs the pooled t-test over runs: SciPy 1.17 ttest_ind([.8, .85, .9], [.6, .7, .65]) has t = 4.898979, p = .0080499', () => {
    const store = createRunStore([
      makeRun('1', { a: [0.8], b: [0.6] }),
      makeRun('2', { a: [0.85], b: [0.7] }),
      makeRun('3', { a: [0.9], b: [0.65] }),
    ])
    const comparison = store.compareModels(['1', '2', '3'], 'a', 'b')!
    expect(comparison).toMatchObject({ modelA: 'a', modelB: 'b', isSignificant: true, effectSizeWord: 'large' })
    expect(comparison.scoreDiff).toBeCloseTo(0.2, 12)
    expect(comparison.pooledStdErr).toBeCloseTo(0.0408248, 6)
    expect(comparison.tStatistic).toBeCloseTo(4.898979, 5)
    expect(comparison.pValue).toBeCloseTo(0.0080499, 7)
    expect(comparison.effectSize).toBeCloseTo(4, 10)
    expect(comparison.welch).toMatchObject({ df: expect.closeTo(4, 8), pValue: expect.closeTo(0.0080499, 7) })
  })
  it('returns null with fewer than two runs of either model', () => {
    const store = createRunStore([makeRun('1', { a: [1], b: [0] }), makeRun('2', { a: [1] })])
    expect(store.compareModels(['1'], 'a', 'b')).toBeNull()
    expect(store.compareModels(['1', '2'], 'a', 'b')).toBeNull()
    expect(store.compareModels(['1', '2'], 'a', 'unknown')).toBeNull()
  })
  it('if neither model varies between runs, t, p and d are NaN with a note, and the paired test decides', () => {
    const a = Array.from({ length: 50 }, (_, index) => (index < 45 ? 1 : 0))
    const b = Array.from({ length: 50 }, (_, index) => (index < 39 ? 1 : 0))
    const store = createRunStore(['1', '2', '3'].map((id) => makeRun(id, { a, b })))
    const comparison = store.compareModels(['1', '2', '3'], 'a', 'b')!
    expect(comparison.isSignificant).toBe(false)
    expect([comparison.tStatistic, comparison.pValue, comparison.effectSize]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ])
    expect(comparison.note).toContain('use the paired comparison')
    expect(JSON.parse(JSON.stringify(comparison))).toMatchObject({ tStatistic: null, pValue: null, effectSize: null })
    expect(comparison.paired).toMatchObject({ n: 50, wins: 6, ties: 44, losses: 0, isSignificant: true })
    // Six wins, no losses: the two-sided sign-flip p is 2/2⁶ = .03125 regardless of ties; here from 10,000 flips.
    expect(comparison.paired!.permutationP).toBeCloseTo(0.03125, 2)
  })
  it('pairs by case id, regardless of the order of results', () => {
    const original = makeRun('1', { a: [1, 0, 0.5], b: [0.9, 0.2, 0.1] })
    const reversed = { ...original, id: '2', results: original.results.toReversed() }
    const paired = (run: RunResult) => createRunStore([run]).compareAllModels([run.id])[0]!.paired!
    const [first, second] = [paired(original), paired(reversed)]
    expect(first.meanDiff).toBeCloseTo(0.1, 12)
    expect(second.meanDiff).toBeCloseTo(first.meanDiff, 12)
    expect(second.permutationP).toBe(first.permutationP)
  })
  it('refuses to compare a model with itself', () => {
    const store = createRunStore([makeRun('1', { a: [1] }), makeRun('2', { a: [1] })])
    expect(() => store.compareModels(['1', '2'], 'a', 'a')).toThrow(/with itself/)
  })
  it('is antisymmetric', () => {
    const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(scores, scores, scores, scores, (a1, a2, b1, b2) => {
        const store = createRunStore([makeRun('1', { a: a1, b: b1 }), makeRun('2', { a: a2, b: b2 })])
        const forward = store.compareModels(['1', '2'], 'a', 'b')!
        const back = store.compareModels(['1', '2'], 'b', 'a')!
        expect(back.scoreDiff).toBeCloseTo(-forward.scoreDiff, 12)
        expect(back.paired!.meanDiff).toBeCloseTo(-forward.paired!.meanDiff, 12)
        expect(back.paired!.permutationP).toBe(forward.paired!.permutationP)
        expect(back.paired!.wins).toBe(forward.paired!.losses)
      }),
    )
  })
})

describe('comparing all models', () => {
  const better = Array.from({ length: 12 }, () => 0.9)
  const middle = better.map((score, index) => score - 0.1 * (index % 3) - 0.05)
  const worse = middle.map((score, index) => score - 0.02 * ((index % 4) - 1))
  const comparisons = createRunStore([makeRun('1', { worse, better, middle })]).compareAllModels(['1'])

  it('lists each pair once, better model first, even with a single run', () => {
    expect(comparisons.map(({ modelA, modelB }) => `${modelA}>${modelB}`)).toEqual([
      'better>middle',
      'better>worse',
      'middle>worse',
    ])
    expect(comparisons[0]!.note).toContain('fewer than 2 runs')
  })
  it('applies Holm’s correction: the smallest of three p values is multiplied by 3', () => {
    const smallest = comparisons.toSorted((a, b) => a.paired!.verdictP - b.paired!.verdictP)[0]!.paired!
    expect(smallest.adjustedP).toBeCloseTo(3 * smallest.verdictP, 12)
  })
  it('plans more cases for an undecided pair only', () => {
    for (const { paired } of comparisons) expect(paired!.isSignificant).toBe(paired!.plan === undefined)
    const undecided = comparisons.find(({ paired }) => !paired!.isSignificant)!
    expect(undecided.paired!.plan!.moreCases).toBeGreaterThan(0)
  })
})

describe('repeats and ratings', () => {
  const store = createRunStore([
    makeRun('1', { a: [1, 1, 0], b: [0, 0, 0] }),
    makeRun('2', { a: [1, 0, 0], b: [0, 0, 0] }),
  ])
  it('pass@k and pass^k are averaged over cases: passes 2, 1, 0 of 2', () => {
    const repeats = store.getRepeatStats(['1', '2'], 'a')
    expect(repeats.passAtK).toEqual([0.5, 2 / 3])
    expect(repeats.passHatK).toEqual([0.5, 1 / 3])
    expect(repeats.flaky).toEqual(['case-2'])
  })
  it('more cases pass with a lower pass mark', () => {
    const partial = createRunStore([makeRun('1', { a: [0.95, 0.4] })])
    expect(partial.getRepeatStats(['1'], 'a').passAtK).toEqual([0])
    expect(partial.getRepeatStats(['1'], 'a', { passMark: 0.9 }).passAtK).toEqual([0.5])
    expect(() => partial.getRepeatStats(['1'], 'z')).toThrow(/no score/)
  })
  it('ratings list the model that wins more cases first, centred on 1000', () => {
    const ratings = store.getRatings(['1', '2'])
    expect(ratings.map(({ id }) => id)).toEqual(['a', 'b'])
    expect((ratings[0]!.rating + ratings[1]!.rating) / 2).toBeCloseTo(1000, 8)
  })
})
