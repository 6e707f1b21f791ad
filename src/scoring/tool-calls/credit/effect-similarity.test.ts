import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectSimilarity, pairItems } from './effect-similarity.ts'
import { assignOptimally } from './optimal-assignment.ts'

/** The rule without shortcuts: the best assignment of items, divided by the longer list. */
function byAssignment(expected: readonly unknown[], actual: readonly unknown[]): number {
  const longer = Math.max(expected.length, actual.length)
  if (longer === 0) return 1
  const scores = expected.map((wanted) => actual.map((given) => effectSimilarity({ item: wanted }, { item: given })))
  return (
    assignOptimally(scores).reduce((sum, column, row) => sum + (column < 0 ? 0 : scores[row]![column]!), 0) / longer
  )
}

const scalar = fc.oneof(
  fc.constantFrom('a', 'b', '1', '2', '1.0', ''),
  fc.constantFrom(1, 2, 0, 1.5),
  fc.boolean(),
  fc.constant(null),
)
const item = fc.oneof(scalar, fc.record({ a: scalar, b: scalar }), fc.array(scalar, { maxLength: 3 }))

describe('effect similarity of two lists', () => {
  it.each([
    ['texts', fc.array(fc.constantFrom('a', 'b', 'c', '1'), { maxLength: 6 })],
    ['numbers', fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 })],
    ['anything', fc.array(item, { maxLength: 5 })],
  ])('of %s equals that of the best assignment', (_name, list) => {
    fc.assert(
      fc.property(list, list, (expected, actual) => {
        expect(effectSimilarity({ list: expected }, { list: actual })).toBeCloseTo(byAssignment(expected, actual), 12)
      }),
    )
  })
  it('pairs what it counts', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), fc.array(item, { maxLength: 5 }), (expected, actual) => {
        const pairs = pairItems(expected, actual)
        expect(new Set(pairs.map(({ actualIndex }) => actualIndex)).size).toBe(pairs.length)
        const sum = pairs.reduce((total, { similarity }) => total + similarity, 0)
        const longer = Math.max(expected.length, actual.length)
        expect(longer === 0 ? 1 : sum / longer).toBeCloseTo(byAssignment(expected, actual), 12)
      }),
    )
  })
})
