import { describe, expect, it } from 'vitest'
import { defaultParameters, type RunResult, type RunState, type Suite } from '../contract/index.ts'
import { multiRunStats } from './multi-run-stats.ts'
import { buildTrend, trendRunsOf } from './trend.ts'

const suite = (ids: string[], more: Partial<Suite> = {}): Suite => ({
  name: 'S',
  testCases: ids.map((id) => ({ id, prompt: `${id}?`, scoringMethod: 'boolean', weight: 1 })),
  ...more,
})

function run(id: string, scores: Record<string, number[]>, more: Partial<RunResult> = {}): RunResult {
  const { testSuiteSnapshot = suite(['a', 'b']) } = more
  return {
    id,
    models: Object.keys(scores),
    testSuiteSnapshot,
    parameters: defaultParameters,
    versions: { benchmaker: '1' },
    status: 'completed',
    results: Object.entries(scores).flatMap(([modelId, values]) =>
      values.map((score, index) => ({
        testCaseId: testSuiteSnapshot.testCases[index]!.id,
        modelId,
        status: 'completed' as const,
        score: { score },
      })),
    ),
    ...more,
  }
}

const point = (runs: RunResult[], state: RunState = 'done') => ({ ...trendRunsOf(runs), state })

describe('a trend', () => {
  it('has the means, intervals and passes of the existing statistics, models by their last mean', () => {
    const runs = [run('1', { m: [1, 0], n: [1, 1] }), run('2', { m: [1, 1], n: [0, 1] })]
    const trend = buildTrend(runs.map((one) => point([one])))
    expect(trend.models).toEqual(['m', 'n'])
    const stats = multiRunStats([runs[1]!]).get('n')!
    expect(trend.points[1]?.scores['n']).toEqual({
      mean: 0.5,
      low: stats.overCases.low,
      high: stats.overCases.high,
      n: 2,
      passed: 1,
      count: 2,
      isComplete: true,
    })
    expect(trend.points.map(({ selection }) => selection)).toEqual(['1', '2'])
    expect(trend.points.flatMap(({ changes }) => changes)).toEqual([])
  })

  it('a series is one point', () => {
    const series = ['1', '2'].map((id) => run(id, { m: [1, 0] }, { seriesId: 's', label: { name: 'N' } }))
    expect(buildTrend([point(series)]).points[0]).toMatchObject({
      selection: 'series:s',
      runIds: ['1', '2'],
      label: { name: 'N' },
      scores: { m: { n: 2, count: 4, passed: 2 } },
    })
  })

  it('only points over the same cases have the same set; coverage is counted against the suite as it is now', () => {
    const filtered = run('2', { m: [1] }, { testSuiteSnapshot: suite(['b']) })
    const reordered = run('3', { m: [1, 1] }, { testSuiteSnapshot: suite(['b', 'a']) })
    const { points, cases } = buildTrend([point([run('1', { m: [1, 1] })]), point([filtered]), point([reordered])], {
      caseIds: ['b', 'c'],
    })
    expect(cases).toBe(2)
    expect(points.map(({ caseSet, covered, removed }) => [caseSet, covered, removed])).toEqual([
      [0, 1, 1],
      [1, 1, 0],
      [0, 1, 1],
    ])
    // The third is compared with the first, past the filtered one.
    expect(points.map(({ changes }) => changes)).toEqual([[], [{ kind: 'cases-selected', count: 1, before: 2 }], []])
    expect(buildTrend([point([filtered]), point([reordered])]).cases).toBe(2)
  })

  it('a stopped run, or a model without some of its scores, is not complete', () => {
    const { points } = buildTrend([
      point([run('1', { m: [1, 1] })], 'stopped'),
      point([run('2', { m: [1], n: [1, 0], none: [] })]),
    ])
    expect(points[0]?.scores['m']?.isComplete).toBe(false)
    expect(points[1]?.scores['m']?.isComplete).toBe(false)
    expect(points[1]?.scores['n']?.isComplete).toBe(true)
    expect(points[1]?.scores).not.toHaveProperty('none')
  })

  it('says what changed', () => {
    const before = run(
      '1',
      { m: [1, 1] },
      {
        request: JSON.parse('{"suiteVersion":1}'),
        judgeModel: 'j',
        versions: { benchmaker: '1', judgePrompt: '3' },
      },
    )
    const changed = suite(['a', 'b'], { systemPrompt: 'Be brief.', judgeSystemPrompt: 'Be strict.' })
    changed.testCases[1] = { ...changed.testCases[1]!, prompt: 'other' }
    const after = run(
      '2',
      { m: [1, 1] },
      {
        testSuiteSnapshot: { ...changed, variants: [{ name: 'v' }] },
        request: JSON.parse('{"suiteVersion":2,"combineJudges":"median","endpoint":"http://h/v1"}'),
        judgeModel: 'j,k',
        parameters: { ...defaultParameters, temperature: 0 },
        versions: { benchmaker: '2', judgePrompt: '4', answersOf: '1' },
      },
    )
    expect(buildTrend([point([before]), point([after])]).points[1]?.changes).toEqual([
      { kind: 'rescored', runId: '1' },
      { kind: 'suite-version', from: '1', to: '2' },
      { kind: 'cases-changed', count: 1, before: 2 },
      { kind: 'system-prompt' },
      { kind: 'variants' },
      { kind: 'judge', from: 'j', to: 'j, k (median)' },
      { kind: 'judge-prompt', from: '3', to: '4' },
      { kind: 'judge-instructions' },
      { kind: 'parameter', name: 'temperature', from: '0.7', to: '0' },
      { kind: 'endpoint', from: '', to: 'http://h/v1' },
      { kind: 'program', from: '1', to: '2' },
    ])
  })

  it('metadata of a case, and a run without its suite, change nothing', () => {
    const tagged = suite(['a', 'b'])
    tagged.testCases[0] = { ...tagged.testCases[0]!, metadata: { tags: ['x'] } }
    const { points } = buildTrend([
      point([run('1', { m: [1, 1] })]),
      point([run('2', { m: [1, 1] }, { testSuiteSnapshot: tagged })]),
    ])
    expect(points[1]?.changes).toEqual([])
    const { testSuiteSnapshot: _suite, parameters: _parameters, ...bare } = run('3', { m: [1, 1] })
    expect(buildTrend([point([bare])]).points[0]).toMatchObject({ covered: 2, scores: { m: { isComplete: true } } })
    expect(buildTrend([])).toEqual({ models: [], cases: 0, points: [], drift: [] })
  })
})

describe('drift in a trend', () => {
  const ids = Array.from({ length: 30 }, (_, index) => `c${index}`)
  const of = (share: number) => ids.map((_, index) => (index < share * ids.length ? 1 : 0))
  const at = (day: number, share: number, more: Partial<RunResult> = {}) =>
    run(String(day), { m: of(share) }, { testSuiteSnapshot: suite(ids), startedAt: day * 86_400_000, ...more })
  const driftOf = (runs: RunResult[]) => buildTrend(runs.map((one) => point([one]))).drift

  it('is found with its size and its day, and models without two runs have none', () => {
    const [found, ...others] = driftOf([at(1, 0.9), at(2, 0.9), at(3, 0.3), at(4, 0.3)])
    expect(others).toEqual([])
    expect(found).toMatchObject({ modelId: 'm', isDrift: true, since: 3 * 86_400_000, cases: 30, runs: 4, looks: 3 })
    expect(found!.difference).toBeCloseTo(-0.6, 12)
    expect(driftOf([at(1, 0.9)])).toEqual([])
    expect(driftOf([at(1, 0.9), at(2, 0.9)])).toMatchObject([{ isDrift: false, difference: 0 }])
  })

  it('is not what another prompt, judge or parameter does', () => {
    const other = { parameters: { ...defaultParameters, temperature: 0 } }
    expect(driftOf([at(1, 0.9), at(2, 0.9), at(3, 0.3, other), at(4, 0.3, other)])).toMatchObject([
      { isDrift: false, runs: 2, difference: 0 },
    ])
  })

  it('counts only cases that did not change, and no answer twice that came from the cache', () => {
    const edited = suite(ids)
    edited.testCases = edited.testCases.map((testCase, index) =>
      index < 27 ? { ...testCase, prompt: 'another question' } : testCase,
    )
    expect(driftOf([at(1, 0.9), at(2, 0.3, { testSuiteSnapshot: edited })])).toMatchObject([
      { isDrift: false, cases: 3 },
    ])
    const cached = at(2, 0.3)
    cached.results = cached.results.map((result) => ({ ...result, cachedAt: 1 }))
    expect(driftOf([at(1, 0.9), cached])).toEqual([])
  })

  it('leaves out runs that did not complete', () => {
    const points = [point([at(1, 0.9)]), point([at(2, 0.3)], 'stopped')]
    expect(buildTrend(points).drift).toEqual([])
  })
})
