import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { rateBradleyTerry } from './bradley-terry.ts'
import { rateModels } from './model-ratings.ts'
import { buildRankings } from './suite-rankings.ts'

const CASES = 24
/** Case by case, the scores of three models; cases of one cluster come out alike. */
const scores = Array.from({ length: CASES }, (_, index) => {
  const cluster = Math.floor(index / 4)
  return { a: (cluster * 7) % 5, b: (cluster * 3) % 4, c: (index * 5) % 3 }
})
const run = (clusterOf: (index: number) => string | undefined): RunResult => ({
  id: 'r',
  models: ['a', 'b', 'c'],
  testSuiteSnapshot: {
    name: 's',
    testCases: scores.map((_, index) => ({
      id: `case ${index}`,
      prompt: 'p',
      weight: 1,
      scoringMethod: 'exact-match',
      ...(clusterOf(index) !== undefined && { cluster: clusterOf(index)! }),
    })),
  },
  results: scores.flatMap((own, index) =>
    Object.entries(own).map(([modelId, score]) => ({
      testCaseId: `case ${index}`,
      modelId,
      score: { score: score / 4 },
    })),
  ),
})
const inFours = run((index) => `g${Math.floor(index / 4)}`)

describe('the games of cases in one cluster', () => {
  it('are one cluster of the rating, as if each had been given its name', () => {
    const games = scores.flatMap((own, index) =>
      (['ab', 'ac', 'bc'] as const).map((pair) => {
        const [first, second] = [...pair] as ('a' | 'b' | 'c')[]
        const scoreA = (Math.sign(own[first!] - own[second!]) + 1) / 2
        return { a: first!, b: second!, scoreA, cluster: `group ${Math.floor(index / 4)}` }
      }),
    )
    const expected = new Map(rateBradleyTerry(games).map((rating) => [rating.id, rating]))
    for (const { id, rating, low, high } of rateModels([inFours])) {
      expect(rating).toBeCloseTo(expected.get(id)!.rating, 6)
      expect(low).toBeCloseTo(expected.get(id)!.low, 6)
      expect(high).toBeCloseTo(expected.get(id)!.high, 6)
    }
  })

  it('widen the intervals of ratings and shares, also over several suites, and move no rating', () => {
    const widths = (runs: RunResult[]) => buildRankings(runs).models.map(({ low, high }) => high - low)
    const apart = run(() => undefined)
    expect(buildRankings([inFours]).models.map(({ rating }) => rating)).toEqual(
      buildRankings([apart]).models.map(({ rating }) => rating),
    )
    for (const [index, width] of widths([inFours]).entries()) expect(width).toBeGreaterThan(widths([apart])[index]!)
    const shareOf = (given: RunResult) => buildRankings([given]).pairs[0]!.share!
    expect(shareOf(inFours).high - shareOf(inFours).low).toBeGreaterThan(shareOf(apart).high - shareOf(apart).low)
  })

  it('a cluster that has the name of a case is not that case', () => {
    const named = run((index) => (index < 2 ? 'case 23' : undefined))
    const other = run((index) => (index < 2 ? 'any other name' : undefined))
    expect(rateModels([named])).toEqual(rateModels([other]))
  })
})
