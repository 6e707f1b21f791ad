import { describe, expect, it } from 'vitest'
import type { CellResult, RunResult } from '../../../../contract/index.ts'
import { buildSummary } from '../../../model/summary.ts'
import { listRecommendations } from './recommendations.ts'

const CASES = 40

/** Each model passes this many of the cases, at this price and speed an answer. */
function recommend(
  models: Record<string, { passes: number; cost?: number; latencyMs?: number; cachedAt?: number }>,
  cases = CASES,
) {
  const results = Object.entries(models).flatMap(([modelId, { passes, cost, latencyMs = 1000, cachedAt }], model) =>
    Array.from({ length: cases }, (_, index): CellResult => ({
      testCaseId: `c${index}`,
      modelId,
      outcome: 'ok',
      response: 'x',
      latencyMs,
      ...(cost !== undefined && { cost }),
      ...(cachedAt !== undefined && { cachedAt }),
      score: { score: (index * 7 + model) % cases < passes ? 1 : 0 },
    })),
  )
  const run: RunResult = { id: 'r', models: Object.keys(models), startedAt: 1, results }
  const { rows, comparisons } = buildSummary([run])
  const list = listRecommendations(
    rows,
    comparisons.map(({ comparison }) => comparison),
  )
  return Object.fromEntries(list.map(({ title, text }) => [title, text]))
}

describe('which model to take', () => {
  it('names the best, the best for its price with its gap, and the cheapest', () => {
    expect(
      recommend({
        opus: { passes: 38, cost: 0.0137 },
        gemini: { passes: 36, cost: 0.0023 },
        llama: { passes: 15, cost: 0.0003 },
      }),
    ).toEqual({
      'Best answers': 'opus: 95.0 points, $13.70 for 1,000 answers. gemini may be as good.',
      'Best value': expect.stringMatching(
        /^gemini: 90\.0 points, \$2\.30 for 1,000 answers, 17 % of the cost of opus\. 5 points behind \(95 % CI −\d+ to \d+\)\.$/,
      ),
      Cheapest: 'llama: 37.5 points, $0.30 for 1,000 answers.',
    })
  })
  it('calls a cheap model that is far behind the cheapest, never good value', () => {
    const { 'Best value': value, Cheapest: cheapest } = recommend({
      a: { passes: 38, cost: 0.01 },
      b: { passes: 5, cost: 0.001 },
    })
    expect(value).toBeUndefined()
    expect(cheapest).toBe('b: 12.5 points, $1.00 for 1,000 answers, 10 % of the cost of a.')
    // So few cases cannot tell a gap of 25 points.
    expect(recommend({ a: { passes: 4, cost: 0.01 }, b: { passes: 3, cost: 0.001 } }, 4)).toEqual({
      'Best answers': 'a: 100.0 points, $10.00 for 1,000 answers. b may be as good.',
      Cheapest: 'b: 75.0 points, $1.00 for 1,000 answers, 10 % of the cost of a.',
    })
  })
  it('names the fastest where prices are unknown, and no price of a model that has unpriced answers', () => {
    expect(recommend({ a: { passes: 38 }, b: { passes: 5, latencyMs: 200 } })).toEqual({
      'Best answers': 'a: 95.0 points.',
      Fastest: 'b: 12.5 points, 200 ms an answer.',
    })
  })
  it('names no price of answers from the cache, and calls what costs nothing free', () => {
    expect(recommend({ a: { passes: 38, cost: 0.01, cachedAt: 0 }, b: { passes: 5, cost: 0 } })['Best answers']).toBe(
      'a: 95.0 points.',
    )
    expect(recommend({ a: { passes: 38, cost: 0.01 }, b: { passes: 37, cost: 0 } })['Best value']).toMatch(
      /^b: 92\.5 points, free, less than 1 % of the cost of a\. /,
    )
  })
  it('recommends nothing of one model, nor where everything fails', () => {
    expect(recommend({ a: { passes: 38, cost: 0.01 } })).toEqual({})
    expect(recommend({ a: { passes: 0, cost: 0.01 }, b: { passes: 0, cost: 0.001 } })).toEqual({})
  })
})
