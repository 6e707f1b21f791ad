import { describe, expect, it } from 'vitest'
import {
  buildReport,
  createRunStore,
  executeRun,
  openStorage,
  resumeRun,
  writeReport,
  type RunResult,
} from '../src/index.ts'
import { detectClusters } from '../src/statistics/index.ts'

const A = [0.9, 0.8, 1, 0.7, 0.6, 0.5, 0.9, 1, 0.8, 0.7, 0.9, 0.6, 0.8, 0.9]
const B = [0.7, 0.6, 0.7, 0.6, 0.7, 0.5, 0.6, 0.8, 0.5, 0.6, 0.4, 0.7, 0.7, 0.8]
const CLUSTERS = [...'aaabbcddeeefgg']

interface MakeRun {
  id?: string
  scores?: Record<string, readonly number[]>
  clusters?: readonly (string | undefined)[]
  weights?: readonly number[]
}

const makeCases = ({ scores = { A, B }, clusters = [], weights = [] }: MakeRun) =>
  Object.values(scores)[0]!.map((_, index) => ({
    id: `c${index}`,
    weight: weights[index] ?? 1,
    ...(clusters[index] !== undefined && { cluster: clusters[index] }),
  }))

function makeRun(made: MakeRun = {}): RunResult {
  const { id = 'r', scores = { A, B } } = made
  return {
    id,
    models: Object.keys(scores),
    testSuiteSnapshot: { name: 'S', testCases: makeCases(made) },
    results: Object.entries(scores).flatMap(([modelId, own]) =>
      own.map((score, index) => ({ testCaseId: `c${index}`, modelId, score: { score } })),
    ),
  }
}

function expectClose(values: readonly number[], expected: readonly number[]) {
  expect(values).toHaveLength(expected.length)
  for (const [index, value] of values.entries()) expect(value).toBeCloseTo(expected[index]!, 6)
}

// The worked values were computed by hand from V = G/(G−1)·Σ(Σw(x−m))²/(Σw)², with quantiles of SciPy.
describe('clusters through the functions of the run store', () => {
  const testCases = makeCases({ clusters: CLUSTERS })
  const withoutSuite = (run: RunResult): RunResult => {
    const { testSuiteSnapshot: _suite, ...rest } = run
    return rest
  }
  it.each([
    ['of the given cases', createRunStore([withoutSuite(makeRun())]), testCases],
    ['of the suite', createRunStore([makeRun({ clusters: CLUSTERS })]), undefined],
  ])('count: those %s', (_whose, store, given) => {
    expect(store.getAggregateScores('r', given).get('A')).toBeCloseTo(0.792857, 6)
    expectClose(store.getDetailedAggregateScores('r', given).get('A')!.confidence95, [0.663687, 0.922027])
    const stats = store.getMultiRunStats(['r'], given).get('A')!
    expectClose(stats.confidence95, [0.663687, 0.922027])
    expect(stats.overCases).toMatchObject({ n: 14, clusters: 7 })
    const [pair] = store.compareAllModels(['r'], given)
    const paired = pair!.paired!
    expectClose(
      [paired.meanDiff, paired.stdErr, paired.df, paired.effectiveClusters, paired.pValue, paired.verdictP],
      [0.157143, 0.053708, 5.125, 6.125, 0.031833, 0.09375],
    )
    expectClose(paired.confidence95, [0.020089, 0.294196])
    expectClose(paired.shownInterval, [0, 0.294196])
    expect(paired).toMatchObject({ n: 14, clusters: 7, isSignificant: false, shownLevel: 0.95 })
  })

  it('count over the runs of a series, and between two models', () => {
    const store = createRunStore([withoutSuite(makeRun({ id: 'r1' })), withoutSuite(makeRun({ id: 'r2' }))])
    const paired = store.compareModels(['r1', 'r2'], 'A', 'B', testCases)!.paired!
    expectClose(paired.confidence95, [0.020089, 0.294196])
    expect(paired.clusters).toBe(7)
    expect(store.getMultiRunStats(['r1', 'r2'], testCases).get('A')!.overCases).toMatchObject({ n: 14, clusters: 7 })
    expect(store.compareModels(['r1', 'r2'], 'A', 'B')!.paired).toMatchObject({ clusters: 14, isSignificant: true })
  })

  it('may have numbers for names', () => {
    const numbered = testCases.map((testCase, index) => ({
      ...testCase,
      cluster: CLUSTERS[index]!.charCodeAt(0) as unknown as string,
    }))
    const [pair] = createRunStore([withoutSuite(makeRun())]).compareAllModels(['r'], numbered)
    expect(pair!.paired!.clusters).toBe(7)
  })

  it('count for pass/fail scores and beside weights (worked values)', () => {
    const pass = [1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1]
    const groups = [...'aaabbcccddeeffgghh']
    const store = createRunStore([makeRun({ scores: { A: pass }, clusters: groups })])
    expectClose(store.getDetailedAggregateScores('r').get('A')!.confidence95, [0.220844, 0.983265])
    const x = [0.9, 0.4, 0.8, 0.7, 0.6, 1, 0.2, 0.8, 0.5, 0.9]
    const weights = x.map((_, index) => ([0, 5, 8].includes(index) ? 50 : 1))
    expectClose(
      createRunStore([makeRun({ scores: { A: x }, weights })])
        .getDetailedAggregateScores('r')
        .get('A')!.confidence95,
      [0.235894, 1],
    )
  })
})

describe('few clusters', () => {
  const reportOf = (clusters: readonly (string | undefined)[], more: MakeRun = {}) =>
    buildReport(makeRun({ scores: { A: A.map(() => 1), B: B.map(() => 0) }, clusters, ...more }))

  it.each([
    ['one', A.map(() => 'only'), 1],
    ['two', A.map((_, index) => `g${index % 2}`), 2],
    ['five', A.map((_, index) => `g${index % 5}`), 5],
  ])('%s: no verdict, whatever the difference, and a sentence that says what it takes', (_name, clusters, count) => {
    const report = reportOf(clusters)
    const [{ comparison, sentence }] = report.comparisons as [(typeof report.comparisons)[number]]
    expect(comparison.paired).toMatchObject({ n: 14, clusters: count, isSignificant: false })
    expect(comparison.paired!.shownInterval.every(Number.isFinite)).toBe(true)
    expect(sentence).toContain('too close to call')
    expect(sentence).toContain('Too few groups of cases for a verdict: ')
    for (const { score } of report.rows) {
      expect(score!.low).toBeGreaterThanOrEqual(0)
      expect(score!.high).toBeLessThanOrEqual(1)
    }
    expect(report).toMatchObject({ caseCount: 14, clusterCount: count })
    for (const format of ['markdown', 'html', 'pr-comment'])
      expect(writeReport(report, { format }), format).toContain(`14 cases in ${count} group`)
    expect(JSON.parse(writeReport(report, { format: 'json' }))).toMatchObject({ clusters: count })
    expect(report.method.join(' ')).toContain(
      'the larger p counts; a difference counts as real if p is below 0.05, from 6 cases on',
    )
    expect(report.method.join(' ')).toContain('signs are flipped by whole groups')
    const [heads, ...rows] = writeReport(report, { format: 'csv' }).trimEnd().split('\r\n')
    expect(heads).toMatch(/,cluster$/)
    expect(new Set(rows.map((row) => row.split(',').at(-1))).size).toBe(count)
  })

  it('six are enough for a verdict on one pair; partly named cases are each their own', () => {
    const six = reportOf(A.map((_, index) => `g${index % 6}`))
    expect(six.comparisons[0]!.comparison.paired).toMatchObject({ clusters: 6, isSignificant: true })
    const partly = reportOf(A.map((_, index) => (index < 4 ? 'named' : undefined)))
    expect(partly.clusterCount).toBe(11)
    expect(partly.comparisons[0]!.comparison.paired!.clusters).toBe(11)
  })

  it('weights count with clusters, and only relative to each other', () => {
    const weights = A.map((_, index) => 1 + (index % 3))
    const intervalOf = (factor: number) =>
      buildReport(makeRun({ clusters: CLUSTERS, weights: weights.map((weight) => factor * weight) })).comparisons[0]!
        .comparison.paired!
    const [one, ten] = [intervalOf(1), intervalOf(10)]
    expectClose(ten.confidence95, one.confidence95)
    expect(one.clusters).toBe(7)
    expect(one.effectiveClusters).toBeLessThan(7)
  })
})

describe('a suite with clusterBy', () => {
  /** 20 topics of 3 cases. */
  const suite = {
    name: 'Topics',
    clusterBy: 'topic',
    testCases: Array.from({ length: 60 }, (_, index) => ({
      id: `case-${index}`,
      prompt: `Question ${index}`,
      expectedOutput: 'yes',
      scoringMethod: 'exact-match',
      partial: false,
      metadata: { topic: Math.floor(index / 3), category: index < 30 ? 'early' : 'late' },
    })),
  }
  function makeClient(fails: (prompt: string) => boolean = () => false) {
    const asked: string[] = []
    return {
      asked,
      client: {
        async complete({ modelId, messages }: { modelId: string; messages: { content: unknown }[] }) {
          const prompt = String(messages.at(-1)!.content)
          asked.push(`${modelId} ${prompt}`)
          if (fails(prompt)) throw new Error('refused')
          return { outcome: 'ok' as const, response: modelId === 'good' ? 'yes' : 'no', latencyMs: 1 }
        },
      },
    }
  }

  it('is counted by it in the report of a run, and of some of its cases', async () => {
    const run = await executeRun({ suite, models: ['good', 'bad'], client: makeClient().client })
    const report = buildReport(run)
    expect(report).toMatchObject({ caseCount: 60, clusterCount: 20 })
    expect(report.comparisons[0]!.comparison.paired).toMatchObject({ n: 60, clusters: 20 })
    expect(report.templates).toBeUndefined()
    const part = await executeRun({ suite, models: ['good', 'bad'], client: makeClient().client, limit: 7 })
    // The seventh case is alone in its topic.
    expect(buildReport(part)).toMatchObject({ caseCount: 7, clusterCount: 3 })
    const late = await executeRun({ suite, models: ['good'], client: makeClient().client, filter: ['late'] })
    expect(buildReport(late)).toMatchObject({ caseCount: 30, clusterCount: 10 })
  })

  it('is decided by whole topics in the drawn order, and a resume asks for no more', async () => {
    const storage = await openStorage({ file: ':memory:' })
    const settings = { suite, models: ['good', 'bad'], until: 'decided' as const, orderSeed: 'topics', concurrency: 1 }
    const isLost = (prompt: string) => prompt === first.asked[2]?.replace(/^\w+ /, '')
    const first = makeClient()
    const run = await executeRun({ ...settings, client: first.client, storage })
    expect(run.stopReason).toBe('decided')
    const { decisions, comparisons } = buildReport(run)
    expect(decisions).toMatchObject({ isSettled: true, caseCount: 60 })
    // Nine topics won are enough, as nine cases are where each is its own.
    expect(decisions!.cases).toBe(27)
    expect(comparisons[0]!.comparison.paired).toMatchObject({ isSignificant: true, n: 27 })
    const topicOf = (asked: string) => Math.floor(Number(/\d+/.exec(asked)![0]) / 3)
    const topics = first.asked.filter((asked) => asked.startsWith('good')).map(topicOf)
    expect(topics.filter((topic, index) => topic !== topics[index - 1])).toHaveLength(new Set(topics).size)

    const again = makeClient()
    await resumeRun(run.id, { client: again.client, storage })
    expect(again.asked).toEqual([])

    const broken = makeClient(isLost)
    const other = await executeRun({ ...settings, client: broken.client, storage })
    const retried = makeClient()
    const resumed = await resumeRun(other.id, { client: retried.client, storage })
    expect(new Set(retried.asked.map((asked) => asked.replace(/^\w+ /, '')))).toEqual(
      new Set(
        broken.asked.filter((asked) => isLost(asked.replace(/^\w+ /, ''))).map((asked) => asked.replace(/^\w+ /, '')),
      ),
    )
    expect(resumed.run.stopReason).toBe('decided')
    await storage.close()
  })
})

it('detectClusters groups what a warning is about', () => {
  expect(detectClusters(['a b c d e', 'a b c d f', 'x y z', 'u v w', 'r s t'])).toEqual([0, 0, 1, 2, 3])
})
