import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignOptimally } from './optimal-assignment.ts'

function bestByForce(scores: number[][], row = 0, taken = new Set<number>()): number {
  if (row === scores.length) return 0
  let best = bestByForce(scores, row + 1, taken)
  scores[row]!.forEach((score, column) => {
    if (taken.has(column)) return
    taken.add(column)
    best = Math.max(best, score + bestByForce(scores, row + 1, taken))
    taken.delete(column)
  })
  return best
}

const total = (scores: number[][]) =>
  assignOptimally(scores).reduce((sum, column, row) => sum + (column < 0 ? 0 : scores[row]![column]!), 0)

const matrix = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).chain(([rows, columns]) =>
  fc.array(
    fc.array(
      fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
      { minLength: columns, maxLength: columns },
    ),
    {
      minLength: rows,
      maxLength: rows,
    },
  ),
)

describe('optimal assignment', () => {
  it('is as good as trying every assignment, for every rectangular matrix up to 6 × 6', () => {
    fc.assert(
      fc.property(matrix, (scores) => {
        expect(total(scores)).toBeCloseTo(bestByForce(scores), 9)
        const columns = assignOptimally(scores).filter((column) => column >= 0)
        expect(new Set(columns).size).toBe(columns.length)
        expect(columns).toHaveLength(Math.min(scores.length, scores[0]!.length))
      }),
      { numRuns: 500 },
    )
  })

  it('beats the greedy choice where greed is wrong', () => {
    expect(
      assignOptimally([
        [0.9, 0.8],
        [0.8, 0],
      ]),
    ).toEqual([1, 0])
  })

  it('has no row to assign, or no column to assign to', () => {
    expect(assignOptimally([])).toEqual([])
    expect(assignOptimally([[], []])).toEqual([-1, -1])
  })
})
