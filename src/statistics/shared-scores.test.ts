import { describe, expect, it } from 'vitest'
import { toScoreTable, type CellResult, type RunResult } from '../contract/index.ts'
import { compareAllModels } from './compare-models.ts'
import { leaderLuck } from './ranking/leader-luck.ts'
import { findSharedCases } from './shared-cases.ts'
import { findLuckyLeader, shareScores } from './shared-scores.ts'
import { multiRunStats } from './multi-run-stats.ts'

type Scores = Record<string, Record<string, number | undefined>>

/** A run in which an undefined score is an error, and a case that is not named is not there. */
function makeRun(scores: Scores, more: Partial<RunResult> = {}): RunResult {
  const results = Object.entries(scores).flatMap(([modelId, cases]) =>
    Object.entries(cases).map(([testCaseId, score]): CellResult => ({
      modelId,
      testCaseId,
      ...(score === undefined ? { outcome: 'timeout', error: 'late' } : { outcome: 'ok', score: { score } }),
    })),
  )
  return { id: 'r', models: Object.keys(scores), results, status: 'completed', ...more }
}

const share = (...runs: RunResult[]) => shareScores(toScoreTable(runs))

describe('cases that all models have', () => {
  /** The worked example of the methodology. */
  const worked = { A: { c1: 1, c2: 0.5, c4: 1, c5: 0 }, B: { c1: 0.5, c2: 0.5, c3: 0, c4: 1 } }

  it('A and B of the methodology: .833333 and .666667 on 3 of 5 cases, bounds .5–.7 and .4–.6', () => {
    const shared = share(makeRun(worked))!
    expect(shared).toMatchObject({ cases: 3, of: 5, leftOut: [] })
    const means = multiRunStats(shared.table)
    expect(means.get('A')!.mean).toBeCloseTo(0.833333, 6)
    expect(means.get('B')!.mean).toBeCloseTo(0.666667, 6)
    const bounds = (low: number, high: number) => [expect.closeTo(low), expect.closeTo(high)]
    expect(shared.own.get('A')).toEqual({ lacks: 1, of: 5, boundsWithMissing: bounds(0.5, 0.7) })
    expect(shared.own.get('B')).toEqual({ lacks: 1, of: 5, boundsWithMissing: bounds(0.4, 0.6) })
  })
  it('bounds are weighted', () => {
    const testCases = ['c1', 'c2', 'c3', 'c4', 'c5'].map((id, i) => ({ id, weight: i === 4 ? 6 : 1 }))
    const weighted = shareScores(toScoreTable([makeRun(worked)], testCases))!
    expect(weighted.own.get('B')!.boundsWithMissing).toEqual([expect.closeTo(0.2), expect.closeTo(0.8)])
  })
  it('an answer without a score is missing like one that is not there', () => {
    const shared = share(makeRun({ A: { c1: 1, c2: 0.5 }, B: { c1: 1, c2: undefined } }))!
    expect(shared).toMatchObject({ cases: 1, of: 2 })
    expect(shared.own.get('B')).toEqual({ lacks: 1, of: 2, boundsWithMissing: [0.5, 1] })
  })
  it('if all models have all cases, or there is one model, nothing is said', () => {
    expect(share(makeRun({ A: { c1: 1 }, B: { c1: 0 } }))).toBeUndefined()
    expect(share(makeRun({ A: { c1: 1, c2: undefined } }))).toBeUndefined()
    expect(share(makeRun({ A: { c1: 1, c2: undefined }, B: { c1: 0, c2: undefined } }))).toBeUndefined()
    expect(share(makeRun({ A: { c1: 1 }, B: { c1: undefined } }))).toBeUndefined()
  })
  it('a case that one run of a series lacks is not missing, only that answer is', () => {
    const shared = share(
      makeRun({ A: { c1: 1, c2: 1 }, B: { c1: 1, c2: 1 } }, { id: '1' }),
      makeRun({ A: { c1: 1, c2: undefined }, B: { c1: undefined, c2: undefined } }, { id: '2' }),
    )
    expect(shared).toBeUndefined()
  })
  it('models without a common case are not ranked', () => {
    const shared = share(makeRun({ A: { c1: 1, c2: 1 }, B: { c3: 0 } }))!
    expect([...shared.ranked]).toEqual([])
    expect(shared).toMatchObject({ cases: 0, leftOut: ['A', 'B'] })
  })

  const cases = (count: number, from = 0) => new Set(Array.from({ length: count }, (_, i) => i + from))
  it.each([
    ['none above 80 %', { a: cases(10), b: cases(8) }, [], 8],
    ['the one that lacks most below', { a: cases(10), b: cases(10), c: cases(7) }, ['c'], 10],
    ['none at just 80 %', { a: cases(10), b: cases(10), c: cases(8) }, [], 8],
    ['one at 79 %', { a: cases(100), b: cases(100), c: cases(79) }, ['c'], 100],
    ['more than one', { a: cases(10), b: cases(9), c: cases(5), d: cases(3) }, ['d', 'c'], 9],
    ['of equals the one that stands apart', { a: cases(5), c: cases(5, 5), b: cases(5) }, ['c'], 5],
    ['never all but one', { a: cases(10), b: cases(4) }, [], 4],
    ['nobody if all lack as many', { a: cases(4), b: cases(4, 1), c: cases(4, 2) }, [], 2],
    ['nobody if that leads nowhere', { a: cases(6), b: cases(6), c: cases(10) }, [], 6],
  ])('leaves out %s', (_, casesOf, leftOut, size) => {
    const found = findSharedCases(new Map<string, Set<number>>(Object.entries(casesOf)))
    expect([found.leftOut, found.cases.size]).toEqual([leftOut, size])
  })
})

describe('a verdict with missing answers', () => {
  const scores = (level: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, level + 0.01 * (i % 5)]))
  const verdictOf = (scoresOf: Scores) => compareAllModels([makeRun(scoresOf)])[0]!.paired!

  it('holds even if one of forty is missing and the gap is wide, not if ten are', () => {
    expect(verdictOf({ a: scores(0.9, 39), b: scores(0.4, 40) })).toMatchObject({
      isSignificant: true,
      evenIfMissing: true,
    })
    expect(verdictOf({ a: scores(0.9, 20), b: scores(0.6, 40) })).toMatchObject({
      isSignificant: true,
      evenIfMissing: false,
    })
  })
  it('counts what the worse model lacks as right, and what both lack against the better', () => {
    expect(verdictOf({ a: scores(0.9, 40), b: scores(0.6, 12) })).toMatchObject({
      isSignificant: true,
      evenIfMissing: false,
    })
    const both = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x${i}`, undefined]))
    expect(verdictOf({ a: { ...scores(0.9, 20), ...both }, b: { ...scores(0.7, 20), ...both } })).toMatchObject({
      isSignificant: true,
      evenIfMissing: false,
    })
  })
  it('nothing is said if nothing is missing, or there is no verdict', () => {
    expect(verdictOf({ a: scores(0.9, 40), b: scores(0.4, 40) })).not.toHaveProperty('evenIfMissing')
    expect(verdictOf({ a: scores(0.9, 40), b: scores(0.9, 39) })).not.toHaveProperty('evenIfMissing')
  })
})

describe('the first of several', () => {
  /** The worked example of the methodology. */
  const rows = ['11011110', '10011101', '01110110', '10010101', '11000110']
  const asRun = makeRun(
    Object.fromEntries(
      rows.map((row, i) => [`m${i}`, Object.fromEntries([...row].map((digit, c) => [`c${c}`, Number(digit)]))]),
    ),
  )

  it('owes .15 of its .75 to luck', () => {
    const leader = findLuckyLeader(
      toScoreTable([asRun]),
      Object.keys(asRun.models).map((i) => `m${i}`),
    )!
    expect(leader).toEqual({ modelId: 'm0', models: 5, luck: expect.closeTo(0.15, 6) })
  })
  it('with clusters the noise is that of the clusters: more may be luck, never less', () => {
    const scores = [
      [1, 1, 1, 1, 1, 1, 0.9, 0.8],
      [0.4, 0.5, 0.4, 0.6, 0.5, 0.4, 0.6, 0.5],
      [0.5, 0.4, 0.5, 0.4, 0.4, 0.6, 0.5, 0.6],
    ]
    const alone = leaderLuck(scores).luck
    const clustered = leaderLuck(scores, { clusters: ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'] }).luck
    expect(alone).toBeGreaterThan(0)
    expect(clustered).toBeGreaterThanOrEqual(alone)
    expect(
      leaderLuck(scores, { clusters: scores[0]!.map((_, i) => `c${i}`), weights: scores[0]!.map(() => 2) }).luck,
    ).toBeCloseTo(alone, 12)
  })
  it('one cluster says nothing about chance: the whole lead may be luck', () => {
    const { luck } = leaderLuck(
      [
        [1, 1],
        [0, 0],
      ],
      { clusters: ['a', 'a'] },
    )
    expect(luck).toBe(0.5)
  })
  it('alone there is no luck', () => expect(findLuckyLeader(toScoreTable([asRun]), ['m0'])).toBeUndefined())
})
