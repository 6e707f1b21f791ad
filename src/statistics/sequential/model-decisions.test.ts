import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deciding } from '../../contract/index.ts'
import { createRandom } from '../numbers/random.ts'
import { createCaseSequence } from './case-sequence.ts'
import { createPairLimit, createModelDecisions } from './model-decisions.ts'
import { drawOrder } from './drawn-order.ts'
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
    decisions.addCase(new Map(drawScores(means, random, kind).map((score, index) => [name(index), score])))
  return decisions
}

describe('decisions between models', () => {
  it('two models are decided as by the sequential test', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(-1, 0, 0.5, 1), { maxLength: 60 }), (differences) => {
        const decisions = createModelDecisions(['a', 'b'], { ...all, from: 1000 })
        for (const difference of differences)
          decisions.addCase(
            new Map([
              ['a', (1 + difference) / 2],
              ['b', (1 - difference) / 2],
            ]),
          )
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
    for (let index = 0; index < 10; index++) decisions.addCase(win)
    expect(decisions.pairs.map(({ winner }) => winner)).toEqual([undefined, undefined, undefined])
    decisions.addCase(win)
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
      decisions.addCase(
        new Map([
          ['a', 1],
          ['b', 1],
          ['c', 0],
        ]),
      )
    for (let index = 0; index < 30; index++)
      decisions.addCase(
        new Map([
          ['a', 0],
          ['b', 0],
          ['c', 1],
        ]),
      )
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
    while (!racing.isSettled) racing.addCase(scores)
    expect([racing.cases, [...racing.asked]]).toEqual([11, ['a']])

    const screened = createModelDecisions(['a', 'b', 'c'], { question: 'best', from: 5, isOnce: true })
    for (let index = 0; index < 40; index++) screened.addCase(scores)
    expect([screened.dropped, screened.isSettled]).toEqual([[], false])
    const later = createModelDecisions(['a', 'b', 'c'], { question: 'best', from: 20, isOnce: true })
    for (let index = 0; index < 20; index++) later.addCase(scores)
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
      while (!decisions.isSettled && decisions.cases < 100) decisions.addCase(scores)
      expect([decisions.cases, decisions.dropped.find(({ modelId }) => modelId === 'broken')]).toEqual([
        20,
        { modelId: 'broken', at: 20, hasNoScore: true },
      ])
      expect(decisions.pairs.map(({ winner }) => winner)).toEqual(['a', undefined, undefined])
    }
    const nothing = createModelDecisions(['a', 'b'], all)
    while (!nothing.isSettled) nothing.addCase(new Map())
    expect(nothing.cases).toBe(20)
    const late = createModelDecisions(['a', 'b'], all)
    for (let index = 0; index < 40; index++) late.addCase(index === 19 ? scores : new Map())
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
          const sequence = createCaseSequence({ models, cases, repeats, deciding: isBest ? best : all })
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
    const { decisions, finish } = createCaseSequence({ models: ['a', 'b'], cases, repeats: 2, deciding: all })
    const finishCase = (index: number) =>
      ['a', 'b'].map((modelId) => finish({ testCaseId: `case-${index}`, modelId, score: 1 })).some(Boolean)
    expect([finishCase(1), finishCase(1), finishCase(0), decisions.cases]).toEqual([false, false, false, 0])
    expect([finishCase(0), decisions.cases]).toEqual([true, 2])
  })

  it('leaves a case without a score out of its pairs only, and goes on', () => {
    const { decisions, finish } = createCaseSequence({ models, cases, repeats: 1, deciding: all })
    for (const modelId of models) finish({ testCaseId: 'case-0', modelId, score: modelId === 'a' ? undefined : 1 })
    expect(decisions.cases).toBe(1)
    expect(decisions.pairs.map(({ differences }) => differences.length)).toEqual([0, 0, 1])
  })

  it('a case counts by its weight', () => {
    const weighted = [
      { id: 'light', weight: 1 },
      { id: 'heavy', weight: 4 },
    ]
    const { decisions, finish } = createCaseSequence({ models: ['a', 'b'], cases: weighted, repeats: 1, deciding: all })
    for (const { id: testCaseId } of weighted) {
      finish({ testCaseId, modelId: 'a', score: 1 })
      finish({ testCaseId, modelId: 'b', score: 0 })
    }
    expect(decisions.pairs[0]!.differences).toEqual([0.25, 1])
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
