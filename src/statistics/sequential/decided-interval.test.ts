import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { confidenceSequence } from './confidence-sequence.ts'
import { decidedInterval } from './decided-interval.ts'
import { createModelDecisions, type DecidedPair } from './model-decisions.ts'

const all = { question: 'all', from: 1, isOnce: false } as const
const models = ['a', 'b', 'c']

type Score = (modelId: string, random: () => number) => number

const passOrFail: Score = (modelId, random) => (random() < { a: 0.8, b: 0.6, c: 0.3 }[modelId]! ? 1 : 0)
const graded: Score = (modelId, random) => Math.min(1, random() * 0.6 + { a: 0.4, b: 0.25, c: 0.15 }[modelId]!)
const equal: Score = (_modelId, random) => (random() < 0.5 ? 1 : 0)

function decide(seed: string, score: Score, weigh: (random: () => number) => number) {
  const random = createRandom(seed)
  const decisions = createModelDecisions(models, all)
  const weights: number[] = []
  while (decisions.cases < 80 && !decisions.isSettled) {
    weights.push(weigh(random))
    decisions.addCases([
      { scores: new Map(models.map((modelId) => [modelId, score(modelId, random)])), weight: weights.at(-1) },
    ])
  }
  return decisions.pairs.map((pair) => ({ pair, weights: pair.counted.map((caseNumber) => weights[caseNumber - 1]!) }))
}

/** Decided, and the mean has not changed its sign since. */
function isSignificant({ winner, modelA, differences }: DecidedPair): boolean {
  const sum = differences.reduce((total, difference) => total + difference, 0)
  return winner !== undefined && sum !== 0 && sum > 0 === (winner === modelA)
}

describe('the interval of a pair', () => {
  it.each([
    ['pass or fail', passOrFail, () => 1],
    ['pass or fail, weighted', passOrFail, (random: () => number) => (random() < 0.5 ? 0.3 : 1)],
    ['graded', graded, () => 1],
    ['graded, weighted', graded, (random: () => number) => (random() < 0.5 ? 0.3 : 1)],
    ['equal models', equal, () => 1],
  ])('excludes 0 exactly if the pair is decided, and contains the mean: %s', (_name, score, weigh) => {
    fc.assert(
      fc.property(fc.string(), (seed) => {
        for (const { pair, weights } of decide(seed, score, weigh)) {
          const [low, high] = decidedInterval(pair, { pairs: 3 })
          expect(low > 0 || high < 0).toBe(isSignificant(pair))
          const sum = pair.differences.reduce((total, difference) => total + difference, 0)
          const mean = sum / weights.reduce((total, weight) => total + weight, 0)
          expect(mean).toBeGreaterThanOrEqual(low)
          expect(mean).toBeLessThanOrEqual(high)
        }
      }),
      { numRuns: 25, seed: 1 },
    )
  })

  it('has the level of all pairs together if the evidence is enough for that, else of the line that decided', () => {
    const decisions = createModelDecisions(models, all)
    // a beats c on every case, b on all but two: 60 is the first line, 20 the next.
    for (let position = 0; position < 11; position++)
      decisions.addCases([
        {
          scores: new Map([
            ['a', 1],
            ['b', position < 2 ? 1 : 0],
            ['c', 0],
          ]),
        },
      ])
    const [ab, ac] = decisions.pairs
    expect([ac!.line, ab!.line]).toEqual([60, 20])
    for (const [pair, alpha] of [
      [ac!, 0.05 / 3],
      [ab!, 0.05],
    ] as const) {
      const [low, high] = decidedInterval(pair, { pairs: 3 })
      const sequence = confidenceSequence(pair.differences, { alpha })
      expect(low).toBeCloseTo(sequence.low, 4)
      expect(high).toBe(sequence.high)
    }
  })

  it('keeps 0 excluded after the evidence has fallen again', () => {
    const decisions = createModelDecisions(['a', 'b'], { ...all, from: 1000 })
    const isWin = (position: number) => position < 12 || position % 2 === 0
    for (let position = 0; position < 100; position++)
      decisions.addCases([
        {
          scores: new Map([
            ['a', isWin(position) ? 1 : 0],
            ['b', isWin(position) ? 0 : 1],
          ]),
        },
      ])
    const [pair] = decisions.pairs
    expect(pair!.winner).toBe('a')
    expect(Math.exp(pair!.logEvidence.at(-1)!)).toBeLessThan(1)
    const [low, high] = decidedInterval(pair!, { pairs: 1 })
    expect(low).toBeGreaterThan(0)
    expect(low).toBeLessThanOrEqual(0.12)
    expect(high).toBeGreaterThan(0.12)
  })
})
