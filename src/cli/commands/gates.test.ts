import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { createRandom } from '../../statistics/index.ts'
import { checkGates } from './gates.ts'

const testCases = Array.from({ length: 10 }, (_, index) => ({
  id: `c${index}`,
  prompt: '?',
  scoringMethod: 'boolean',
  weight: 1,
}))

/** A run with the given score on every case; `missing` of them have none. */
function makeRun(id: string, scores: Record<string, number>, missing = 0, spread = 0.01): RunResult {
  const results = Object.entries(scores).flatMap(([modelId, score]) =>
    testCases.map(({ id: testCaseId }, index) => ({
      testCaseId,
      modelId,
      ...(index >= missing && { score: { score: Math.min(1, Math.max(0, score + spread * (index % 3))) } }),
    })),
  )
  return { id, models: Object.keys(scores), results, testSuiteSnapshot: { name: 'S', testCases } }
}
const check = (runs: RunResult[], gates = {}) => checkGates(runs, { allowMissing: 0, ...gates })
const gate = (runs: RunResult[], gates = {}) => check(runs, gates).failures

/** The run with another expected output of the first cases. */
function changeExpected(run: RunResult, count: number): RunResult {
  const changed = testCases.map((testCase, index) =>
    index < count ? { ...testCase, expectedOutput: 'yes' } : testCase,
  )
  return { ...run, testSuiteSnapshot: { name: 'S', testCases: changed } }
}

describe('gates', () => {
  it('without gates nothing fails, whatever is missing', () => expect(gate([makeRun('r', { a: 0 }, 5)])).toEqual([]))
  it('--fail-under applies to each model', () => {
    const failures = gate([makeRun('r', { a: 0.9, b: 0.5 })], { failUnder: 80 })
    expect(failures).toEqual(['b scored 50.9, below the required 80'])
  })
  it('a baseline says nothing about answers that were compared in pairs', () => {
    const compared = (id: string, scores: Record<string, number>): RunResult => {
      const run = makeRun(id, scores, 0, 0)
      return { ...run, results: run.results.map((cell) => ({ ...cell, score: { ...cell.score!, comparisons: [] } })) }
    }
    const baseline = [compared('earlier', { a: 1, weak: 0 })]
    expect(gate([compared('r', { a: 0 })], { baseline })).toEqual([
      'a shares no scored case with the baseline; answers that are compared in pairs have a score only within their run',
    ])
  })
  it('a score equal to the threshold passes', () => {
    const exact: RunResult = {
      id: 'r',
      models: ['a'],
      results: testCases.map(({ id }) => ({ testCaseId: id, modelId: 'a', score: { score: 0.8 } })),
      testSuiteSnapshot: { name: 'S', testCases },
    }
    expect(gate([exact], { failUnder: 80 })).toEqual([])
  })
  it('a cell without a score fails a gate unless allowed; a cell that was never run counts too', () => {
    expect(gate([makeRun('r', { a: 0.9 }, 2)], { failUnder: 10 })).toEqual([
      '2 of 10 cells have no score; at most 0 may be missing (--allow-missing)',
    ])
    expect(gate([makeRun('r', { a: 0.9 }, 2)], { failUnder: 10, allowMissing: 2 })).toEqual([])
    const short = makeRun('r', { a: 0.9 })
    short.results.length = 7
    expect(gate([short], { failUnder: 10 })[0]).toContain('3 of 10')
  })
  it('a model without any score fails', () =>
    expect(gate([makeRun('r', { a: 0.9 }, 10)], { failUnder: 0 })[0]).toBe('a has no score at all'))
  it('--baseline fails only a model that is significantly worse, paired by case', () => {
    const baseline = [makeRun('old', { a: 0.9, b: 0.5, c: 0.7 })]
    const failures = gate([makeRun('new', { a: 0.6, b: 0.8, c: 0.7 }, 0, 0.02)], { baseline })
    expect(failures).toEqual([
      expect.stringMatching(
        /^a is significantly worse than the baseline: −29\.1 points \(p = 0\.006, corrected for 3 models\)$/,
      ),
    ])
  })
  it('--baseline leaves out cases that changed, as compare does, and says how many', () => {
    const scored = (id: string, scoreOf: (index: number) => number): RunResult => {
      const run = makeRun(id, { a: 0 })
      return { ...run, results: run.results.map((cell, index) => ({ ...cell, score: { score: scoreOf(index) } })) }
    }
    const baseline = [scored('old', (index) => (index < 4 ? 0 : 1))]
    const corrected = changeExpected(
      scored('new', (index) => (index < 4 ? 1 : 0)),
      4,
    )
    expect(check([corrected], { baseline })).toEqual({
      failures: [expect.stringMatching(/^a is significantly worse than the baseline: −100\.0 points/)],
      notes: [
        '4 cases changed between the runs (expected output) and are left out of the comparison: c0, c1, c2 and c3.',
      ],
    })
  })
  it('--baseline fails a model if every case that it shares has changed', () => {
    const failures = gate([changeExpected(makeRun('new', { a: 0 }), 10)], { baseline: [makeRun('old', { a: 1 })] })
    expect(failures).toEqual(['a shares no scored case with the baseline'])
  })
  it('prints a p that would round to 0 as "less than"', () => {
    const many = (id: string, score: number): RunResult => {
      const cases = Array.from({ length: 15 }, (_, index) => ({
        id: `m${index}`,
        prompt: '?',
        scoringMethod: 'boolean',
        weight: 1,
      }))
      return {
        id,
        models: ['a'],
        results: cases.map((testCase, index) => ({
          testCaseId: testCase.id,
          modelId: 'a',
          score: { score: score + (score === 0.5 ? 0.02 : 0.01) * (index % 3) },
        })),
        testSuiteSnapshot: { name: 'S', testCases: cases },
      }
    }
    expect(gate([many('new', 0.5)], { baseline: [many('old', 0.9)] })[0]).toMatch(/\(p < 0\.001\)$/)
  })
  it('--baseline corrects for the number of models: noise fails at most 5 % of runs with ten of them', () => {
    const random = createRandom('baseline')
    const models = Array.from({ length: 10 }, (_, index) => `m${index}`)
    const draw = (id: string): RunResult => ({
      id,
      models,
      results: models.flatMap((modelId) =>
        testCases.map((testCase) => ({
          testCaseId: testCase.id,
          modelId,
          score: { score: Math.round(random() * 10) / 10 },
        })),
      ),
      testSuiteSnapshot: { name: 'S', testCases },
    })
    const RUNS = 100
    let alarms = 0
    for (let run = 0; run < RUNS; run++) if (gate([draw('new')], { baseline: [draw('old')] }).length > 0) alarms++
    expect(alarms / RUNS).toBeLessThanOrEqual(0.05)
  })
  it('a model that is not in the baseline fails', () => {
    expect(gate([makeRun('new', { z: 1 })], { baseline: [makeRun('old', { a: 1 })] })).toEqual([
      'z is not in the baseline, so it cannot be compared with it',
    ])
  })
})
