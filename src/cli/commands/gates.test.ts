import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import type { Alarm } from '../../services/index.ts'
import { createRandom } from '../../statistics/index.ts'
import { checkGates, refuseReference } from './gates.ts'

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
const check = async (runs: RunResult[], gates = {}) => {
  const { failures, notes } = await checkGates(runs, { allowMissing: 0, ...gates })
  return { failures, notes }
}
const gate = async (runs: RunResult[], gates = {}) => (await check(runs, gates)).failures

/** The run with another expected output of the first cases. */
function changeExpected(run: RunResult, count: number): RunResult {
  const changed = testCases.map((testCase, index) =>
    index < count ? { ...testCase, expectedOutput: 'yes' } : testCase,
  )
  return { ...run, testSuiteSnapshot: { name: 'S', testCases: changed } }
}

describe('--not-worse-than', () => {
  const noisy = makeRun('r', { a: 0.8, b: 0.79, c: 0.4 }, 0, 0.02)

  it('passes models whose careful interval excludes the margin, and fails the others with it', async () => {
    expect(await gate([noisy], { notWorseThan: { model: 'a', margin: 0.5 } })).toEqual([
      expect.stringMatching(/^c may be worse than a by 50 points or more: the difference is −\d+\.\d to /),
    ])
    expect(await gate([noisy], { notWorseThan: { model: 'c', margin: 0.3 } })).toEqual([])
  })
  it('fails a model that shares no scored case with the reference', async () => {
    const results = noisy.results.filter(({ modelId }) => modelId !== 'b')
    expect(
      await gate([{ ...noisy, results }], { notWorseThan: { model: 'c', margin: 0.3 }, allowMissing: 10 }),
    ).toEqual(['b shares no scored case with c'])
  })
  it('needs a model of the run, another one, and a margin', async () => {
    expect(await gate([noisy], { notWorseThan: { model: 'z', margin: 0.3 } })).toEqual([
      '--not-worse-than: z is not in this run, which has a, b and c',
    ])
    expect(() => refuseReference({ notWorseThan: 'z', margin: 2 }, ['a', 'b'])).toThrow('which has a and b')
    expect(() => refuseReference({ notWorseThan: 'a', margin: 2 }, ['a'])).toThrow('no model but a')
    expect(() => refuseReference({ notWorseThan: 'a' }, ['a', 'b'])).toThrow('--margin 2')
    expect(() => refuseReference({ margin: 2 }, ['a', 'b'])).toThrow('--not-worse-than MODEL')
    expect(() => refuseReference({}, ['a'])).not.toThrow()
  })
})

describe('gates', () => {
  it('without gates nothing fails, whatever is missing', async () =>
    expect(await gate([makeRun('r', { a: 0 }, 5)])).toEqual([]))
  it('--fail-under applies to each model', async () => {
    const failures = await gate([makeRun('r', { a: 0.9, b: 0.5 })], { failUnder: 80 })
    expect(failures).toEqual(['b scored 50.9, below the required 80'])
  })
  it('a baseline says nothing about answers that were compared in pairs', async () => {
    const compared = (id: string, scores: Record<string, number>): RunResult => {
      const run = makeRun(id, scores, 0, 0)
      return { ...run, results: run.results.map((cell) => ({ ...cell, score: { ...cell.score!, comparisons: [] } })) }
    }
    const baseline = [compared('earlier', { a: 1, weak: 0 })]
    expect(await gate([compared('r', { a: 0 })], { baseline })).toEqual([
      'a shares no scored case with the baseline; answers that are compared in pairs have a score only within their run',
    ])
  })
  it('a score equal to the threshold passes', async () => {
    const exact: RunResult = {
      id: 'r',
      models: ['a'],
      results: testCases.map(({ id }) => ({ testCaseId: id, modelId: 'a', score: { score: 0.8 } })),
      testSuiteSnapshot: { name: 'S', testCases },
    }
    expect(await gate([exact], { failUnder: 80 })).toEqual([])
  })
  it('a cell without a score fails a gate unless allowed; a cell that was never run counts too', async () => {
    expect(await gate([makeRun('r', { a: 0.9 }, 2)], { failUnder: 10 })).toEqual([
      '2 of 10 cells have no score; at most 0 may be missing (--allow-missing)',
    ])
    expect(await gate([makeRun('r', { a: 0.9 }, 2)], { failUnder: 10, allowMissing: 2 })).toEqual([])
    const short = makeRun('r', { a: 0.9 })
    short.results.length = 7
    expect((await gate([short], { failUnder: 10 }))[0]).toContain('3 of 10')
  })
  it('a model without any score fails', async () =>
    expect((await gate([makeRun('r', { a: 0.9 }, 10)], { failUnder: 0 }))[0]).toBe('a has no score at all'))
  describe('--baseline', () => {
    const baseline = [makeRun('old', { a: 0.9, b: 0.5, c: 0.7 })]
    const now = [makeRun('new', { a: 0.6, b: 0.8, c: 0.7 }, 0, 0.02)]
    /** Fresh runs of the model that looks worse, as if both were run again. */
    const rerunWith = (fresh: number) => (alarm: Alarm) => {
      expect(alarm.models).toEqual(['a'])
      const twice = (id: string, score: number, spread: number) =>
        [1, 2].map((n) => makeRun(`${id}${n}`, { a: score }, 0, spread))
      return Promise.resolve({ candidate: twice('again', fresh, 0.02), baseline: twice('before', 0.9, 0.01) })
    }

    it('fails only a model that is worse in fresh runs of both too', async () => {
      expect(await gate(now, { baseline, rerun: rerunWith(0.6) })).toEqual([
        expect.stringMatching(
          /^a is significantly worse than the baseline: −29\.1 points \(p = 0\.003, corrected for 3 models\), confirmed by 2 fresh runs of both \(p < 0\.001\)$/,
        ),
      ])
      expect(await check(now, { baseline, rerun: rerunWith(0.89) })).toEqual({
        failures: [],
        notes: [
          expect.stringMatching(/^a was below the baseline at first \(p = 0\.003\), not with 2 fresh runs of both/),
        ],
      })
    })
    it('lets a loss pass that is smaller than the margin of the runs, and says so', async () => {
      const withMargin = (runs: RunResult[], smallestDifference: number) =>
        runs.map((run) => ({ ...run, testSuiteSnapshot: { ...run.testSuiteSnapshot!, smallestDifference } }))
      const better = [makeRun('old', { a: 0.9 }, 0, 0)]
      const worse = [makeRun('new', { a: 0.86 })]
      expect(await gate(worse, { baseline: better })).toEqual([expect.stringMatching(/^a is significantly worse/)])
      for (const [runs, earlier] of [
        [withMargin(worse, 10), better],
        [worse, withMargin(better, 10)],
      ])
        expect(await checkGates(runs!, { baseline: earlier!, allowMissing: 0 })).toMatchObject({
          failures: [],
          passes: [
            expect.stringMatching(
              /^a is worse than the baseline, by less than the 10 points that matter: −3\.1 points/,
            ),
          ],
        })
      expect(await gate(withMargin(worse, 3.5), { baseline: better })).toHaveLength(1)
    })
    it('counts cases that belong together as one', async () => {
      const inGroups = (run: RunResult): RunResult => ({
        ...run,
        testSuiteSnapshot: {
          name: 'S',
          testCases: testCases.map((testCase, index) => ({ ...testCase, cluster: `g${index % 8}` })),
        },
      })
      const before = { baseline: [inGroups(makeRun('old', { a: 0.9 }))], allowMissing: 0 }
      const { failures } = await checkGates([inGroups(makeRun('new', { a: 0.2 }, 0, 0.02))], {
        ...before,
        rerun: async () => ({ candidate: [makeRun('n', { a: 0.2 }, 0, 0.02)], baseline: [makeRun('o', { a: 0.9 })] }),
      })
      expect(failures).toEqual([expect.stringContaining('−69.1 points on 10 cases in 8 groups (p ')])
      const { passes } = await checkGates([inGroups(makeRun('new', { a: 0.9 }))], before)
      expect(passes).toEqual([expect.stringContaining(' on 10 cases in 8 groups')])
    })
    it('takes p < .0025 where the baseline cannot be run again (one in 20 commits, .05/20)', async () => {
      expect(await check(now, { baseline })).toEqual({
        failures: [],
        notes: [
          'a is below the baseline (p = 0.003), which fails only below 0.0025: both were not run again, because --no-rerun is set',
        ],
      })
      const alone = [makeRun('old', { a: 0.9 })]
      expect(await gate([makeRun('new', { a: 0.6 }, 0, 0.02)], { baseline: alone })).toEqual([
        expect.stringMatching(/^a is significantly worse than the baseline: −29\.1 points \(p < 0\.001\)$/),
      ])
    })
  })
  it('--baseline leaves out cases that changed, as compare does, and says how many', async () => {
    const scored = (id: string, scoreOf: (index: number) => number): RunResult => {
      const run = makeRun(id, { a: 0 })
      return { ...run, results: run.results.map((cell, index) => ({ ...cell, score: { score: scoreOf(index) } })) }
    }
    const baseline = [scored('old', (index) => (index < 4 ? 0 : 1))]
    const corrected = changeExpected(
      scored('new', (index) => (index < 4 ? 1 : 0)),
      4,
    )
    const rerun = async () => ({ candidate: [corrected], baseline })
    expect(await check([corrected], { baseline, rerun })).toEqual({
      failures: [expect.stringMatching(/^a is significantly worse than the baseline: −100\.0 points/)],
      notes: [
        '4 cases changed between the runs (expected output) and are left out of the comparison: c0, c1, c2 and c3.',
        'a: 6 cases passed in the baseline and fail now (100.0 %, 95 % CI 54.1 to 100.0); 0 failed in the baseline and pass now (0.0 %, 0.0 to 45.9); 6 of 6 changed in all (100.0 %, 54.1 to 100.0).',
      ],
    })
  })
  it('--baseline fails a model if every case that it shares has changed', async () => {
    const failures = await gate([changeExpected(makeRun('new', { a: 0 }), 10)], {
      baseline: [makeRun('old', { a: 1 })],
    })
    expect(failures).toEqual(['a shares no scored case with the baseline; --changed-too compares edited cases'])
  })
  it('prints a p that would round to 0 as "less than"', async () => {
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
    expect((await gate([many('new', 0.5)], { baseline: [many('old', 0.9)] }))[0]).toMatch(/\(p < 0\.001\)$/)
  })
  it('--baseline corrects for the number of models: noise fails at most 5 % of runs with ten of them', async () => {
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
    for (let run = 0; run < RUNS; run++)
      if ((await gate([draw('new')], { baseline: [draw('old')] })).length > 0) alarms++
    expect(alarms / RUNS).toBeLessThanOrEqual(0.05)
  })
  it('a model that is not in the baseline is compared with its best', async () => {
    const baseline = [makeRun('old', { weak: 0.1, strong: 0.9 })]
    const rerun = () => expect.unreachable('the baseline does not have this model')
    expect(await gate([makeRun('new', { z: 0.5 }, 0, 0.02)], { baseline, rerun })).toEqual([
      expect.stringMatching(/^z is significantly worse than the baseline's best model, strong: −39\.1 points/),
    ])
    expect(await checkGates([makeRun('new', { z: 0.9 }, 0, 0.02)], { baseline, allowMissing: 0 })).toMatchObject({
      failures: [],
      passes: [
        expect.stringMatching(
          /^z is not significantly worse than the baseline's best model, strong: \+0\.9 points \(p .*\) on 10 cases$/,
        ),
      ],
    })
  })
  it('--changed-too compares edited cases, and says so', async () => {
    const edited = changeExpected(makeRun('new', { a: 0.2 }, 0, 0.02), 10)
    const baseline = [makeRun('old', { a: 0.9 })]
    expect(await gate([edited], { baseline })).toEqual([
      'a shares no scored case with the baseline; --changed-too compares edited cases',
    ])
    const { failures, notes } = await check([edited], { baseline, changedToo: true })
    expect(failures).toEqual([expect.stringMatching(/^a is significantly worse than the baseline: −69\.1 points/)])
    expect(notes[0]).toBe('10 changed cases are compared too (--changed-too)')
  })
})
