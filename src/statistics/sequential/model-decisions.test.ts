import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deciding } from '../../contract/index.ts'
import { createRandom } from '../numbers/random.ts'
import { createCaseSequence } from './case-sequence.ts'
import { createPairLimit, createModelDecisions } from './model-decisions.ts'
import { confidenceSequence } from './confidence-sequence.ts'
import { decidedInterval } from './decided-interval.ts'
import { drawOrder, drawUnits } from './drawn-order.ts'
import { sequentialTest } from './sequential-test.ts'

const all: Deciding = { question: 'all', from: 1, isOnce: false }
const best: Deciding = { ...all, question: 'best' }

type Draw = (random: () => number) => number

/** Scores of `means.length` models on one case: a share of luck is common to all, as cases are easy or hard for all. */
function drawScores(means: readonly number[], random: () => number, kind: 'right-or-wrong' | 'graded'): number[] {
  const common = random()
  return means.map((mean) => {
    const luck = random() < 0.6 ? common : random()
    if (kind === 'right-or-wrong') return luck < mean ? 1 : 0
    return Math.min(1, Math.max(0, mean + (luck - 0.5) * 0.6))
  })
}

/** Each case counts by itself. */
const apart = <Case>(cases: readonly Case[]) => cases.map((testCase): [Case] => [testCase])

const name = (index: number) => `model-${index}`

function decide(
  means: readonly number[],
  {
    deciding,
    kind,
    cases,
    random,
  }: { deciding: Deciding; kind: 'right-or-wrong' | 'graded'; cases: number; random: () => number },
) {
  const decisions = createModelDecisions(
    means.map((_, index) => name(index)),
    deciding,
  )
  while (decisions.cases < cases && !decisions.isSettled)
    decisions.addCases([
      { scores: new Map(drawScores(means, random, kind).map((score, index) => [name(index), score])) },
    ])
  return decisions
}

describe('decisions between models', () => {
  it('two models are decided as by the sequential test', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(-1, 0, 0.5, 1), { maxLength: 60 }), (differences) => {
        const decisions = createModelDecisions(['a', 'b'], { ...all, from: 1000 })
        for (const difference of differences)
          decisions.addCases([
            {
              scores: new Map([
                ['a', (1 + difference) / 2],
                ['b', (1 - difference) / 2],
              ]),
            },
          ])
        const { at, winner } = sequentialTest(differences)
        expect(decisions.pairs[0]!.at ?? null).toBe(at)
        expect(decisions.pairs[0]!.winner ?? null).toBe(winner)
      }),
    )
  })

  it('the first pair of three needs evidence 60, the others 20: two equal pairs would make three (Shaffer)', () => {
    const decisions = createModelDecisions(['a', 'b', 'c'], all)
    expect(decisions.line).toBeCloseTo(60, 9)
    const win = new Map([
      ['a', 1],
      ['b', 1],
      ['c', 0],
    ])
    // 10:0 is 39.4 and 11:0 is 73.1.
    for (let index = 0; index < 10; index++) decisions.addCases([{ scores: win }])
    expect(decisions.pairs.map(({ winner }) => winner)).toEqual([undefined, undefined, undefined])
    decisions.addCases([{ scores: win }])
    expect(decisions.pairs.map(({ winner, at }) => [winner, at])).toEqual([
      [undefined, undefined],
      ['a', 11],
      ['b', 11],
    ])
    expect(decisions.line).toBeCloseTo(20, 9)
    expect(decisions.dropped).toEqual([{ modelId: 'c', at: 11 }])
    expect([...decisions.asked]).toEqual(['a', 'b'])
  })

  it('a pair stays decided, and a model that is out does not count any more', () => {
    const decisions = createModelDecisions(['a', 'b', 'c'], best)
    for (let index = 0; index < 11; index++)
      decisions.addCases([
        {
          scores: new Map([
            ['a', 1],
            ['b', 1],
            ['c', 0],
          ]),
        },
      ])
    for (let index = 0; index < 30; index++)
      decisions.addCases([
        {
          scores: new Map([
            ['a', 0],
            ['b', 0],
            ['c', 1],
          ]),
        },
      ])
    expect(decisions.pairs[1]).toMatchObject({ winner: 'a', at: 11 })
    expect(decisions.pairs[1]!.differences).toHaveLength(11)
    expect(decisions.pairs[0]!.differences).toHaveLength(41)
  })

  it('best is settled when one model is left; screening drops models once only', () => {
    const scores = new Map([
      ['a', 1],
      ['b', 0],
      ['c', 0],
    ])
    const racing = createModelDecisions(['a', 'b', 'c'], best)
    while (!racing.isSettled) racing.addCases([{ scores }])
    expect([racing.cases, [...racing.asked]]).toEqual([11, ['a']])

    const screened = createModelDecisions(['a', 'b', 'c'], { question: 'best', from: 5, isOnce: true })
    for (let index = 0; index < 40; index++) screened.addCases([{ scores }])
    expect([screened.dropped, screened.isSettled]).toEqual([[], false])
    const later = createModelDecisions(['a', 'b', 'c'], { question: 'best', from: 20, isOnce: true })
    for (let index = 0; index < 20; index++) later.addCases([{ scores }])
    expect(later.dropped).toEqual([
      { modelId: 'b', at: 20 },
      { modelId: 'c', at: 20 },
    ])
  })

  it('does not wait for a model that has no score on the first 20 cases', () => {
    const scores = new Map([
      ['a', 1],
      ['b', 0],
    ])
    for (const deciding of [all, best]) {
      const decisions = createModelDecisions(['a', 'b', 'broken'], deciding)
      while (!decisions.isSettled && decisions.cases < 100) decisions.addCases([{ scores }])
      expect([decisions.cases, decisions.dropped.find(({ modelId }) => modelId === 'broken')]).toEqual([
        20,
        { modelId: 'broken', at: 20, hasNoScore: true },
      ])
      expect(decisions.pairs.map(({ winner }) => winner)).toEqual(['a', undefined, undefined])
    }
    const nothing = createModelDecisions(['a', 'b'], all)
    while (!nothing.isSettled) nothing.addCases([{ scores: new Map() }])
    expect(nothing.cases).toBe(20)
    const late = createModelDecisions(['a', 'b'], all)
    for (let index = 0; index < 40; index++) late.addCases([{ scores: index === 19 ? scores : new Map() }])
    expect([late.dropped, late.isSettled]).toEqual([[], false])
  })

  // Two standard errors above 5 % of 200 are 16.
  it.each([
    ['right-or-wrong', 2],
    ['right-or-wrong', 6],
    ['graded', 2],
    ['graded', 4],
  ] as const)('%s, %i equal models: at most one false alarm in twenty series', (kind, models) => {
    const random = createRandom(`false alarms ${kind} ${models}`)
    let alarms = 0
    for (let trial = 0; trial < 200; trial++) {
      const { pairs } = decide(
        Array.from({ length: models }, () => 0.7),
        { deciding: all, kind, cases: kind === 'graded' ? 60 : 200, random },
      )
      if (pairs.some(({ winner }) => winner !== undefined)) alarms++
    }
    expect(alarms).toBeLessThanOrEqual(16)
  })

  it('10 points apart: decided within 250 of 1,000 cases, in the median', () => {
    const random = createRandom('ten points')
    const stops = Array.from({ length: 21 }, () => {
      const decisions = decide([0.8, 0.7], { deciding: all, kind: 'right-or-wrong', cases: 1000, random })
      return decisions.isSettled ? decisions.cases : Infinity
    })
    expect(stops.toSorted((a, b) => a - b)[10]).toBeLessThan(250)
  })
})

describe('the sequence of cases', () => {
  const cases = Array.from({ length: 30 }, (_, index) => ({ id: `case-${index}` }))
  const models = ['a', 'b', 'c']
  const draw: Draw = (random) => Math.round(random() * 4) / 4

  it('decides the same in whatever order cells finish', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 3 }), fc.boolean(), (seed, repeats, isBest) => {
        const random = createRandom(seed)
        const cells = cases.flatMap(({ id: testCaseId }) =>
          models.flatMap((modelId, model) =>
            Array.from({ length: repeats }, () => ({
              testCaseId,
              modelId,
              score: random() < 0.1 ? undefined : model === 0 ? Math.max(0.75, draw(random)) : draw(random) / 2,
            })),
          ),
        )
        const replay = (order: typeof cells) => {
          const sequence = createCaseSequence({ models, units: apart(cases), repeats, deciding: isBest ? best : all })
          for (const cell of order) sequence.finish(cell)
          const { pairs, dropped, cases: counted } = sequence.decisions
          return { counted, dropped, pairs: pairs.map(({ winner, at }) => [winner, at]) }
        }
        expect(replay(drawOrder(cells, 'other'))).toEqual(replay(cells))
      }),
      { numRuns: 30 },
    )
  })

  it('counts a case only when all cases before it are complete', () => {
    const { decisions, finish } = createCaseSequence({
      models: ['a', 'b'],
      units: apart(cases),
      repeats: 2,
      deciding: all,
    })
    const finishCase = (index: number) =>
      ['a', 'b'].map((modelId) => finish({ testCaseId: `case-${index}`, modelId, score: 1 })).some(Boolean)
    expect([finishCase(1), finishCase(1), finishCase(0), decisions.cases]).toEqual([false, false, false, 0])
    expect([finishCase(0), decisions.cases]).toEqual([true, 2])
  })

  it('leaves a case without a score out of its pairs only, and goes on', () => {
    const { decisions, finish } = createCaseSequence({ models, units: apart(cases), repeats: 1, deciding: all })
    for (const modelId of models) finish({ testCaseId: 'case-0', modelId, score: modelId === 'a' ? undefined : 1 })
    expect(decisions.cases).toBe(1)
    expect(decisions.pairs.map(({ differences }) => differences.length)).toEqual([0, 0, 1])
  })

  it('a case counts by its weight', () => {
    const weighted = [
      { id: 'light', weight: 1 },
      { id: 'heavy', weight: 4 },
    ]
    const { decisions, finish } = createCaseSequence({
      models: ['a', 'b'],
      units: apart(weighted),
      repeats: 1,
      deciding: all,
    })
    for (const { id: testCaseId } of weighted) {
      finish({ testCaseId, modelId: 'a', score: 1 })
      finish({ testCaseId, modelId: 'b', score: 0 })
    }
    expect(decisions.pairs[0]!.differences).toEqual([0.25, 1])
  })
})

describe('cases in clusters', () => {
  const scoresOf = (a: number, b: number) =>
    new Map([
      ['a', a],
      ['b', b],
    ])

  // One observation a cluster, Σ w·d / W_max: the evidence is that of the sequential test on these sums.
  it('are one bet a cluster, on the weighted sum of their differences', () => {
    const random = createRandom('clusters')
    const decisions = createModelDecisions(['a', 'b'], all)
    const sums: number[] = []
    for (let cluster = 0; cluster < 15; cluster++) {
      const members = Array.from({ length: 1 + (cluster % 4) }, () => ({
        scores: scoresOf(random(), random() / 2),
        weight: 0.25,
      }))
      sums.push(members.reduce((sum, { scores }) => sum + (scores.get('a')! - scores.get('b')!) * 0.25, 0))
      decisions.addCases(members)
    }
    const [pair] = decisions.pairs
    expect(pair!.differences).toEqual(sums)
    expect(Math.exp(pair!.logEvidence.at(-1)!)).toBeCloseTo(sequentialTest(sums).evidence, 6)
    expect(pair!.counted).toHaveLength(decisions.cases)
    expect(pair!.weights.slice(0, 5)).toEqual([0.25, 0.5, 0.75, 1, 0.25])
    expect(pair!.after.slice(0, 5)).toEqual([1, 3, 6, 10, 11])
    expect(pair!.wins + pair!.losses).toBe(decisions.cases)
  })

  it('count only when all of the cluster are there, and in the drawn order', () => {
    const cases = Array.from({ length: 12 }, (_, index) => ({ id: `c${index}`, cluster: `g${index % 4}` }))
    const units = drawUnits(cases, 'seed')
    expect(units.map((unit) => unit.length)).toEqual([3, 3, 3, 3])
    expect(new Set(units.map((unit) => new Set(unit.map(({ cluster }) => cluster)).size))).toEqual(new Set([1]))
    const { decisions, finish } = createCaseSequence({ models: ['a', 'b'], units, repeats: 1, deciding: all })
    const counts = units.flat().map(({ id: testCaseId }) => {
      finish({ testCaseId, modelId: 'a', score: 1 })
      finish({ testCaseId, modelId: 'b', score: 0.5 })
      return decisions.cases
    })
    expect(counts).toEqual([0, 0, 3, 3, 3, 6, 6, 6, 9, 9, 9, 12])
    expect(decisions.pairs[0]!.differences).toEqual([0.5, 0.5, 0.5, 0.5])
  })

  it('that are alone have the order of cases without clusters', () => {
    const cases = Array.from({ length: 50 }, (_, index) => ({ id: `c${index}` }))
    expect(drawUnits(cases, 'x').flat()).toEqual(drawOrder(cases, 'x'))
  })

  it('screening and giving up count cases, also if a cluster steps over the mark', () => {
    const screened = createModelDecisions(['a', 'b', 'c'], { question: 'best', from: 20, isOnce: true })
    const members = (n: number) =>
      Array.from({ length: n }, () => ({ scores: new Map([...scoresOf(1, 0), ['c', 1] as const]), weight: 1 / 3 }))
    for (let cluster = 0; cluster < 6; cluster++) screened.addCases(members(3))
    expect([screened.cases, screened.dropped]).toEqual([18, []])
    for (let cluster = 0; cluster < 30; cluster++) screened.addCases(members(3))
    expect(screened.dropped.every(({ at }) => at === 21)).toBe(true)
    const silent = createModelDecisions(['a', 'b', 'c'], all)
    for (let cluster = 0; cluster < 3; cluster++)
      silent.addCases(Array.from({ length: 7 }, () => ({ scores: scoresOf(1, 1), weight: 1 / 7 })))
    expect(silent.dropped).toEqual([{ modelId: 'c', at: 21, hasNoScore: true }])
  })
})

describe('models that are practically the same', () => {
  const margin = 0.1
  const same: Deciding = { ...all, sameWithin: margin }
  const play = (seed: string, gap: number, most = 2000) => {
    const random = createRandom(seed)
    const decisions = createModelDecisions(['a', 'b'], same)
    while (!decisions.isSettled && decisions.cases < most) {
      const common = random() * 0.6
      decisions.addCases([
        {
          scores: new Map([
            ['a', common + gap + random() * 0.2],
            ['b', common + random() * 0.2],
          ]),
        },
      ])
    }
    return decisions
  }

  it('end the run when the confidence sequence lies within the margin', () => {
    for (let run = 0; run < 10; run++) {
      const decisions = play(`equal ${run}`, 0)
      const [pair] = decisions.pairs
      expect([decisions.isSettled, pair!.isSame, pair!.winner]).toEqual([true, true, undefined])
      const { low, high } = confidenceSequence(pair!.differences, { alpha: 0.05 })
      expect(low).toBeGreaterThan(-margin)
      expect(high).toBeLessThan(margin)
      const before = confidenceSequence(pair!.differences.slice(0, -1), { alpha: 0.05 })
      expect(before.low <= -margin || before.high >= margin).toBe(true)
    }
  })

  it.each<[string, Deciding, (decisions: ReturnType<typeof createModelDecisions>) => boolean]>([
    ['the same', { ...same, from: 1000 }, ({ pairs }) => pairs.every(({ isSame }) => isSame)],
    ['good enough', { ...same, question: 'good-enough' }, ({ goodEnough }) => goodEnough !== undefined],
  ])(
    'of three pairs each has a third of 5 %: %s when every interval at 98.33 % is within the margin',
    (_, deciding, isKnown) => {
      const random = createRandom('three')
      const scores = Array.from({ length: 400 }, () => [random(), random(), random()].map((score) => score * 0.2))
      /** The first look at which the intervals of all pairs fit. */
      const firstLook = (alpha: number) =>
        scores.findIndex((_scores, index) =>
          [
            [0, 1],
            [0, 2],
            [1, 2],
          ].every(([a, b]) => {
            const differences = scores.slice(0, index + 1).map((own) => own[a!]! - own[b!]!)
            const { low, high } = confidenceSequence(differences, { alpha })
            return index >= 5 && low > -margin && high < margin
          }),
        ) + 1
      const decisions = createModelDecisions(['a', 'b', 'c'], deciding)
      while (!isKnown(decisions) && decisions.cases < scores.length)
        decisions.addCases([
          { scores: new Map(scores[decisions.cases]!.map((score, index) => ['abc'[index]!, score])) },
        ])
      expect(decisions.cases).toBe(firstLook(0.05 / 3))
      expect(firstLook(0.05)).toBeLessThan(decisions.cases)
    },
  )

  it('are not those that one beats by more, however long both are asked on', () => {
    const decisions = createModelDecisions(['a', 'b', 'c'], { ...same, from: 200 })
    const random = createRandom('asked on')
    while (decisions.cases < 200)
      decisions.addCases([
        {
          scores: new Map([
            ['a', 0.7 + random() * 0.2],
            ['b', 0.1 + random() * 0.2],
            ['c', 0.12 + random() * 0.2],
          ]),
        },
      ])
    const [ab, ac, bc] = decisions.pairs
    expect([ab, ac].map((pair) => [pair!.winner, pair!.isSame])).toEqual([
      ['a', undefined],
      ['a', undefined],
    ])
    expect(bc!.isSame).toBe(true)
    for (const pair of decisions.pairs) {
      const [low, high] = decidedInterval(pair, { pairs: 3, sameWithin: margin })
      expect(low).toBeLessThan(high)
    }
  })

  it('have an interval even if the answers turn afterwards', () => {
    const decisions = createModelDecisions(['a', 'b'], { ...same, from: 1000 })
    for (let index = 0; index < 1000; index++)
      decisions.addCases([
        {
          scores: new Map([
            ['a', index < 300 ? 0.5 + 0.1 * Math.sin(index) : 0.9],
            ['b', 0.5],
          ]),
        },
      ])
    const [pair] = decisions.pairs
    expect(pair!.isSame).toBe(true)
    const [low, high] = decidedInterval(pair!, { pairs: 1, sameWithin: margin })
    expect(low).toBeLessThan(high)
  })

  it('are called the same in at most 5 % of runs with a true gap of the margin, at every look together', () => {
    const runs = 200
    const wrong = Array.from({ length: runs }, (_, run) => play(`apart ${run}`, margin, 300)).filter(
      ({ pairs: [pair] }) => pair!.isSame,
    )
    expect(wrong.length / runs).toBeLessThanOrEqual(0.05)
  })

  it('end the question which is best, if all that may be best are', () => {
    const decisions = createModelDecisions(['a', 'b', 'c'], { ...same, question: 'best' })
    const random = createRandom('best')
    while (!decisions.isSettled && decisions.cases < 3000)
      decisions.addCases([
        {
          scores: new Map([
            ['a', 0.7 + random() * 0.2],
            ['b', 0.7 + random() * 0.2],
            ['c', random() * 0.3],
          ]),
        },
      ])
    expect(decisions.isSettled).toBe(true)
    expect(decisions.pairs.map(({ winner, isSame }) => winner ?? (isSame ? 'same' : 'open'))).toEqual([
      'same',
      'a',
      'b',
    ])
    expect(decisions.dropped[0]!.modelId).toBe('c')
  })
})

describe('the pairs that can be equal at once', () => {
  // Shaffer, JASA 81 (1986).
  it.each([
    [2, [1]],
    [3, [3, 1, 1]],
    [4, [6, 3, 3, 3, 2, 1]],
    [5, [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]],
  ])('of %i models: %j', (models, limits) => {
    const limitOf = createPairLimit(models)
    expect(limits.map((_, decided) => limitOf(limits.length - decided))).toEqual(limits)
  })
})

describe('the drawn order', () => {
  it('has every case once, is the same for a seed and another for another', () => {
    const items = Array.from({ length: 100 }, (_, index) => index)
    expect(drawOrder(items, 'x').toSorted((a, b) => a - b)).toEqual(items)
    expect(drawOrder(items, 'x')).toEqual(drawOrder(items, 'x'))
    expect(drawOrder(items, 'x')).not.toEqual(drawOrder(items, 'y'))
  })

  it('puts every case everywhere equally often', () => {
    const firsts = Array.from({ length: 4000 }, (_, seed) => drawOrder(['a', 'b', 'c', 'd'], String(seed))[0])
    for (const item of ['a', 'b', 'c', 'd'])
      expect(firsts.filter((first) => first === item).length / 4000).toBeCloseTo(0.25, 1)
  })
})

describe('the question which models are good enough', () => {
  const deciding: Deciding = { question: 'good-enough', from: 1, isOnce: false, sameWithin: 0.05 }

  it('drops models that are worse than another by more than the margin, and ends when the others are not', () => {
    const decisions = createModelDecisions(['dear', 'cheap', 'poor'], deciding)
    const random = createRandom('good enough')
    while (!decisions.isSettled && decisions.cases < 2000)
      decisions.addCases([
        {
          scores: new Map(
            [...decisions.asked].map((modelId) => [modelId, (modelId === 'poor' ? 0.5 : 0.8) + 0.1 * random()]),
          ),
        },
      ])
    expect(decisions.goodEnough).toEqual(['dear', 'cheap'])
    expect(decisions.cases).toBeLessThan(500)
    const [poor, ...others] = decisions.dropped
    expect(poor).toMatchObject({ modelId: 'poor' })
    expect(others.map(({ at }) => at)).toEqual([decisions.cases, decisions.cases])
    expect(poor!.at).toBeLessThan(decisions.cases)
  })

  it('names the only one that is left', () => {
    const decisions = createModelDecisions(['a', 'b'], deciding)
    while (!decisions.isSettled && decisions.cases < 200)
      decisions.addCases([
        {
          scores: new Map([
            ['a', 1],
            ['b', 0],
          ]),
        },
      ])
    expect(decisions.goodEnough).toEqual(['a'])
  })
})
