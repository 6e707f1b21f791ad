import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { compareAllModels } from '../compare-models.ts'
import { compareCostAndQuality } from './good-enough.ts'

interface Model {
  id: string
  /** Of each case. */
  scores: number[]
  cost?: number
  cachedAt?: number
}

function makeRun(models: Model[]): RunResult {
  return {
    id: 'r',
    models: models.map(({ id }) => id),
    results: models.flatMap(({ id, scores, cost, cachedAt }) =>
      scores.map((score, i) => ({
        testCaseId: `c${i}`,
        modelId: id,
        response: 'x',
        score: { score },
        ...(cost !== undefined && { cost: cost * (1 + (i % 3) / 10) }),
        ...(cachedAt !== undefined && { cachedAt }),
      })),
    ),
  }
}

const cases = (count: number, scoreOf: (i: number) => number) => Array.from({ length: count }, (_, i) => scoreOf(i))
/** As good as each other but for noise. */
const good = cases(60, (i) => 0.9 - ((i * 7) % 13) * 0.005)
const alike = cases(60, (i) => 0.9 - ((i * 5 + 3) % 13) * 0.005)
const poor = cases(60, (i) => 0.5 - (i % 5) * 0.05)

describe('compareCostAndQuality', () => {
  it('names the cheapest of the models that are not worse than any other by the margin', () => {
    const run = makeRun([
      { id: 'dear', scores: good.map((score) => score + 0.001), cost: 10 },
      { id: 'cheap', scores: alike, cost: 3.1 },
      { id: 'cheapest', scores: poor, cost: 1 },
    ])
    const report = compareCostAndQuality(run, { margin: 0.02 })!
    expect(report).toMatchObject({ best: 'dear', cheapest: 'cheap', open: [], margin: 0.02 })
    const [dear, cheap, cheapest] = report.models
    expect(dear).toMatchObject({ modelId: 'dear', goodEnough: 'yes' })
    expect(cheap!.ofBest!.mean).toBeCloseTo(0.31, 12)
    expect(cheap!.lead!.low).toBeGreaterThan(-0.02)
    expect(cheapest).toMatchObject({ goodEnough: 'no' })
  })

  it('shows the interval of the comparison beside a decided pair, unless the careful one says what may be', () => {
    const run = makeRun([
      { id: 'dear', scores: cases(60, (i) => (i % 12 === 0 ? 0 : 1)), cost: 10 },
      { id: 'weak', scores: cases(60, (i) => (i % 3 === 0 ? 1 : 0)), cost: 1 },
      { id: 'near', scores: cases(60, (i) => (i % 12 === 0 || i % 7 === 3 ? 0 : 1)), cost: 2 },
    ])
    const leadOf = (margin: number, modelId: string) => {
      const { models } = compareCostAndQuality(run, { margin })!
      const comparisons = compareAllModels(run, undefined, { sameWithin: margin })
      const { paired } = comparisons.find(({ modelA, modelB }) => modelA === 'dear' && modelB === modelId)!
      const { lead, goodEnough } = models.find((model) => model.modelId === modelId)!
      const { shownInterval, equivalence, isSignificant } = paired!
      const negated = ([low, high]: readonly [number, number]) => ({ mean: -paired!.meanDiff, low: -high, high: -low })
      return {
        lead,
        found: [isSignificant, goodEnough],
        shown: negated(shownInterval),
        careful: negated([equivalence!.low, equivalence!.high]),
      }
    }
    const weak = leadOf(0.02, 'weak')
    expect(weak.found).toEqual([true, 'no'])
    expect(weak.careful).not.toEqual(weak.shown)
    expect(weak.lead).toEqual(weak.shown)
    // Between the ends of the two intervals: only the careful one leaves it open.
    const { shown, careful } = leadOf(0.02, 'near')
    expect(careful.low).toBeLessThan(shown.low)
    const near = leadOf(-(careful.low + shown.low) / 2, 'near')
    expect(near.found).toEqual([true, 'open'])
    expect(near.lead).toEqual(careful)
    const atItsEnd = leadOf(-(weak.careful.high + weak.shown.high) / 2, 'weak')
    expect(atItsEnd.found).toEqual([true, 'open'])
    expect(atItsEnd.lead).toEqual(weak.careful)
  })

  it('leaves cheaper models open that few cases cannot judge', () => {
    const run = makeRun([
      { id: 'dear', scores: cases(12, (i) => (i % 6 === 0 ? 0 : 1)), cost: 10 },
      { id: 'cheap', scores: cases(12, (i) => (i % 4 === 0 ? 0 : 1)), cost: 1 },
    ])
    const report = compareCostAndQuality(run, { margin: 0.02 })!
    expect(report.open).toEqual(['dear', 'cheap'])
    expect(report.cheapest).toBeUndefined()
  })

  it('never judges by fewer than 6 cases, whatever they say', () => {
    const run = makeRun([
      { id: 'dear', scores: [0.9, 0.9, 0.9, 0.9, 0.9], cost: 10 },
      { id: 'cheap', scores: [0.9, 0.9, 0.9, 0.9, 0.9], cost: 1 },
    ])
    expect(compareCostAndQuality(run, { margin: 1 })!.cheapest).toBeUndefined()
  })

  it('says nothing of costs without a price, with one unpriced answer, or out of the cache', () => {
    const unpriced = makeRun([
      { id: 'a', scores: good },
      { id: 'b', scores: alike },
    ])
    expect(compareCostAndQuality(unpriced, { margin: 0.02 })).toBeUndefined()
    const run = makeRun([
      { id: 'a', scores: good, cost: 1 },
      { id: 'b', scores: alike, cost: 0, cachedAt: 5 },
      { id: 'c', scores: poor, cost: 2 },
    ])
    delete run.results.find(({ modelId }) => modelId === 'c')!.cost
    const { models } = compareCostAndQuality(run)!
    expect(models.map(({ modelId, cost }) => [modelId, cost !== undefined])).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
    ])
  })

  it('refuses a margin in points', () => {
    expect(() => compareCostAndQuality(makeRun([]), { margin: 5 })).toThrow('5 points are 0.05')
  })
})
