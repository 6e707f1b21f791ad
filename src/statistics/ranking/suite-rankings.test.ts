import { describe, expect, it } from 'vitest'
import { runRequestSchema, type RunResult, type Suite } from '../../contract/index.ts'
import { createRandom } from '../numbers/random.ts'
import { buildRankings } from './suite-rankings.ts'

/** Set BENCHMAKER_SERIES for a long simulation. */
const SERIES = Number(process.env['BENCHMAKER_SERIES'] ?? 60)

const makeSuite = (name: string, count: number, more: Partial<Suite['testCases'][number]> = {}): Suite => ({
  name,
  testCases: Array.from({ length: count }, (_, index) => ({
    id: `c${index}`,
    prompt: `${index}?`,
    scoringMethod: 'exact-match',
    weight: 1,
    ...more,
  })),
})

const makeRun = (
  id: string,
  suite: Suite,
  scores: Record<string, readonly number[]>,
  more: Partial<RunResult> = {},
): RunResult => ({
  id,
  models: Object.keys(scores),
  testSuiteSnapshot: suite,
  results: Object.entries(scores).flatMap(([modelId, values]) =>
    values.map((score, index) => ({ testCaseId: `c${index}`, modelId, outcome: 'ok' as const, score: { score } })),
  ),
  ...more,
})

const wins = (count: number, of: number) => Array.from({ length: of }, (_, index) => (index < count ? 1 : 0))
const others = (values: readonly number[]) => values.map((value) => 1 - value)

describe('rankings over suites', () => {
  it('answers compared in pairs only count against the answers they were compared with', () => {
    const suite = makeSuite('S', 10, { scoringMethod: 'pairwise' })
    const compared = (id: string, winner: string, loser: string): RunResult => {
      const run = makeRun(id, suite, { [winner]: wins(10, 10), [loser]: wins(0, 10) })
      const results = run.results.map((cell) => {
        const opponentId = cell.modelId === winner ? loser : winner
        return { ...cell, score: { ...cell.score!, comparisons: [{ opponentId, score: cell.score!.score }] } }
      })
      return { ...run, results }
    }
    const apart = buildRankings([compared('1', 'weak', 'weaker'), compared('2', 'best', 'good')])
    expect(apart.groups).toEqual([
      ['weak', 'weaker'],
      ['best', 'good'],
    ])
    expect(apart.pairs.filter(({ n }) => n > 0).map(({ modelA, modelB }) => [modelA, modelB])).toEqual(apart.groups)
    // A model that met both links them, and the same models again are repeats of the same cases.
    const linked = buildRankings([
      compared('1', 'weak', 'weaker'),
      compared('2', 'best', 'good'),
      compared('3', 'best', 'weak'),
      compared('4', 'best', 'weak'),
    ])
    expect(linked.groups).toHaveLength(1)
    expect(linked.models.map(({ modelId }) => modelId)[0]).toBe('best')
    expect(linked.pairs.find(({ modelA, modelB }) => modelA === 'weak' && modelB === 'best')).toMatchObject({ n: 10 })
  })

  it('two models with 30 wins to 10 are 400·log10(3) points apart, but for the weak prior (Bradley & Terry 1952)', () => {
    const a = wins(30, 40)
    const { models, pairs } = buildRankings([makeRun('1', makeSuite('S', 40), { a, b: others(a) })])
    expect(models.map(({ modelId }) => modelId)).toEqual(['a', 'b'])
    expect(models[0]!.rating - models[1]!.rating).toBeCloseTo(400 * Math.log10(3), -1)
    expect(pairs).toMatchObject([{ modelA: 'a', modelB: 'b', wins: 30, ties: 0, losses: 10, n: 40 }])
    // Clopper-Pearson 30/40 (R binom.test): 0.588 to 0.873.
    expect(pairs[0]!.share!.mean).toBeCloseTo(0.75, 12)
    expect(pairs[0]!.share!.low).toBeCloseTo(0.588, 3)
    expect(pairs[0]!.share!.high).toBeCloseTo(0.873, 3)
  })

  it('repeats of a case are no further cases', () => {
    const a = wins(15, 20)
    const once = buildRankings([makeRun('1', makeSuite('S', 20), { a, b: others(a) })])
    const thrice = buildRankings(['1', '2', '3'].map((id) => makeRun(id, makeSuite('S', 20), { a, b: others(a) })))
    expect(thrice.models).toEqual(once.models)
    expect(thrice.pairs[0]).toMatchObject({ n: 20, wins: 15 })
  })

  it('suites weigh alike, or by their cases', () => {
    // a wins the small suite, b the large one.
    const runs = [
      makeRun('1', makeSuite('small', 10), { a: wins(9, 10), b: others(wins(9, 10)) }),
      makeRun('2', makeSuite('large', 90), { a: wins(27, 90), b: others(wins(27, 90)) }),
    ]
    expect(buildRankings(runs, { weigh: 'suites' }).pairs[0]!.share!.mean).toBeCloseTo((0.9 + 0.3) / 2, 12)
    expect(buildRankings(runs, { weigh: 'cases' }).pairs[0]!.share!.mean).toBeCloseTo(36 / 100, 12)
    expect(buildRankings(runs, { weigh: 'cases' }).models[0]!.modelId).toBe('b')
  })

  it('cases that belong together count as one', () => {
    const suite = makeSuite('S', 40)
    const testCases = suite.testCases.map((testCase, index) => ({ ...testCase, metadata: { topic: index % 8 } }))
    const rate = (given: Suite) => buildRankings([makeRun('1', given, { a: wins(22, 40), b: others(wins(22, 40)) })])
    const [alone, together] = [rate(suite), rate({ ...suite, clusterBy: 'topic', testCases })]
    expect([alone, together].map(({ suites }) => suites[0])).toEqual([
      { name: 'S', cases: 40, clusters: 40, runs: 1 },
      { name: 'S', cases: 40, clusters: 8, runs: 1 },
    ])
    expect(together.pairs[0]!.comparison!.paired!.clusters).toBe(8)
  })

  it('a model that met no other has neither rating nor rank, and makes no rank worse', () => {
    const { models } = buildRankings([
      makeRun('1', makeSuite('S', 40), { a: wins(22, 40), b: others(wins(22, 40)) }),
      makeRun('2', makeSuite('T', 10), { alone: wins(5, 10) }),
    ])
    expect(models.map(({ modelId, rank }) => [modelId, rank])).toEqual([
      ['a', { best: 1, worst: 2 }],
      ['b', { best: 1, worst: 2 }],
    ])
  })

  it('models of different runs meet on the cases they share; an edited case is another one', () => {
    const old = makeSuite('S', 20)
    const edited = {
      ...old,
      testCases: old.testCases.map((one, index) => (index < 5 ? { ...one, prompt: 'new' } : one)),
    }
    const { pairs, groups } = buildRankings([
      makeRun('1', old, { a: wins(20, 20) }),
      makeRun('2', edited, { b: wins(0, 20) }),
      makeRun('3', makeSuite('T', 5), { c: wins(5, 5) }),
    ])
    expect(pairs.map(({ modelA, modelB, n }) => [modelA, modelB, n])).toEqual([
      ['a', 'b', 15],
      ['a', 'c', 0],
      ['b', 'c', 0],
    ])
    expect(pairs[1]).not.toHaveProperty('share')
    expect(groups).toEqual([['a', 'b'], ['c']])
  })

  it('models that no case links have ratings and ranks of their own, the same as without the others', () => {
    const [few, many] = [makeSuite('few', 12), makeSuite('many', 40)]
    const small = makeRun('1', few, { a: wins(9, 12), b: others(wins(9, 12)) })
    const large = makeRun('2', many, { c: wins(30, 40), d: wins(20, 40), e: wins(0, 40) })
    const { models, groups } = buildRankings([small, large])
    expect(groups).toEqual([
      ['c', 'd', 'e'],
      ['a', 'b'],
    ])
    const alone = (run: RunResult) => buildRankings([run]).models
    const strip = (ranked: typeof models) => ranked.map(({ rank: _rank, ...model }) => model)
    expect(strip(models)).toEqual(strip([...alone(large), ...alone(small)]))
    // Holm corrects for all pairs, so ranks may be wider than alone, but only among those of the group.
    for (const { modelId, rank } of models) expect(rank!.worst).toBeLessThanOrEqual('ab'.includes(modelId) ? 2 : 3)
  })

  it('by category and month, and without runs that may stop early', () => {
    const suite = makeSuite('S', 20)
    const parted = {
      ...suite,
      testCases: suite.testCases.map((one, index) => ({ ...one, metadata: { category: index < 10 ? 'x' : 'y' } })),
    }
    const a = wins(10, 20)
    const { categories, months, leftOut } = buildRankings([
      makeRun('1', parted, { a, b: others(a) }, { startedAt: Date.UTC(2026, 8, 3) }),
      makeRun('2', parted, { a: others(a), b: a }, { startedAt: Date.UTC(2026, 9, 3) }),
      makeRun(
        '3',
        parted,
        { a, b: others(a) },
        {
          request: runRequestSchema.parse({ suiteId: 'S', models: ['a'], until: 'decided', orderSeed: 's' }),
        },
      ),
    ])
    expect(categories.map(({ name, cases }) => [name, cases])).toEqual([
      ['x', 10],
      ['y', 10],
    ])
    expect(months.map(({ name }) => name)).toEqual(['2026-09', '2026-10'])
    expect(leftOut).toBe(1)
    expect(buildRankings([])).toMatchObject({ models: [], pairs: [], groups: [] })
  })

  it('intervals cover the true rating in at least 92 % of the series: 3 models, 2 suites, 2 repeats', () => {
    // P(i beats j) follows from true strengths; cases are easy or hard for all models alike.
    const strengths = [0.5, 0, -0.5]
    let covered = 0
    for (let series = 0; series < SERIES; series++) {
      const random = createRandom(`coverage ${series}`)
      // Gumbel noise makes the higher score win by Bradley and Terry's formula; a logistic curve maps it to 0–1.
      const draw = (count: number) =>
        Object.fromEntries(
          strengths.map((strength, index) => [
            `m${index}`,
            Array.from({ length: count }, () => 1 / (1 + Math.exp(-(strength - Math.log(-Math.log(random())))))),
          ]),
        )
      const [one, two] = [draw(40), draw(20)]
      const { models } = buildRankings(
        [
          makeRun('1', makeSuite('S', 40), one),
          makeRun('2', makeSuite('S', 40), one),
          makeRun('3', makeSuite('T', 20), two),
        ],
        { weigh: 'cases' },
      )
      for (const [index, strength] of strengths.entries()) {
        const { low, high } = models.find(({ modelId }) => modelId === `m${index}`)!
        const truth = 1000 + (strength * 400) / Math.LN10
        if (truth >= low && truth <= high) covered++
      }
    }
    const share = covered / (SERIES * strengths.length)
    if (SERIES > 100) process.stdout.write(`ratings covered: ${share}\n`)
    expect(share).toBeGreaterThanOrEqual(0.92)
  })
})
