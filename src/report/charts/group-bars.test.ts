import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeGroupBars } from './group-bars.ts'

describe('placeGroupBars', () => {
  it('puts overlapping groups into separate lanes and others into one', () => {
    const { bars, lanes } = placeGroupBars(
      ['a', 'b', 'c', 'd', 'e'],
      [
        ['a', 'b'],
        ['b', 'c'],
        ['d', 'e'],
      ],
    )
    expect(lanes).toBe(2)
    expect(bars.map(({ lane, first, last }) => [lane, first, last])).toEqual([
      [0, 0, 1],
      [1, 1, 2],
      [0, 3, 4],
    ])
  })

  it('distinguishes members from rows that a bar only passes', () => {
    const [bar] = placeGroupBars(['a', 'b', 'c'], [['a', 'c']]).bars
    expect([...bar!.members]).toEqual([0, 2])
  })

  it('ignores groups of one and models without a row', () => {
    expect(placeGroupBars(['a', 'b'], [['a'], ['b', 'gone']])).toEqual({ bars: [], lanes: 0 })
  })

  it('never overlaps two bars in a lane', () => {
    const rows = Array.from({ length: 12 }, (_, index) => `m${index}`)
    fc.assert(
      fc.property(fc.array(fc.subarray(rows, { minLength: 2 }), { maxLength: 8 }), (groups) => {
        const { bars, lanes } = placeGroupBars(rows, groups)
        expect(bars).toHaveLength(groups.length)
        for (const [index, bar] of bars.entries()) {
          expect(bar.lane).toBeLessThan(lanes)
          for (const other of bars.slice(index + 1)) {
            if (other.lane === bar.lane) expect(other.first > bar.last || other.last < bar.first).toBe(true)
          }
        }
      }),
    )
  })
})
