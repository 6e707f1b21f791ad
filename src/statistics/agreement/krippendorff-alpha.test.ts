import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { krippendorffAlpha } from './krippendorff-alpha.ts'

/** Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, section C. */
const canonical = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
  [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
]

describe('Krippendorff’s α', () => {
  it('canonical 4 × 12 data: nominal .743, interval .849 (Krippendorff 2011)', () => {
    expect(krippendorffAlpha(canonical, 'nominal')).toBeCloseTo(0.743421052631579, 12)
    expect(krippendorffAlpha(canonical, 'interval')).toBeCloseTo(0.8491071428571428, 12)
  })

  it('is 1 for full agreement, and below 0 for systematic disagreement', () => {
    expect(
      krippendorffAlpha(
        [
          [1, 2, 3],
          [1, 2, 3],
        ],
        'interval',
      ),
    ).toBe(1)
    expect(
      krippendorffAlpha(
        [
          [1, 2],
          [2, 1],
        ],
        'nominal',
      ),
    ).toBeCloseTo(-0.5, 12)
  })

  it('is NaN if nothing can be paired or nothing varies', () => {
    expect(
      krippendorffAlpha(
        [
          [1, null],
          [null, 2],
        ],
        'nominal',
      ),
    ).toBeNaN()
    expect(krippendorffAlpha([], 'interval')).toBeNaN()
    expect(
      krippendorffAlpha(
        [
          [1, 1, 3],
          [1, 1, null],
        ],
        'nominal',
      ),
    ).toBeNaN()
    expect(
      krippendorffAlpha(
        [
          [0.1, 0.1],
          [0.1, 0.1],
        ],
        'interval',
      ),
    ).toBeNaN()
  })

  it('agrees with the sums over all pairs, in any order of raters', () => {
    const table = fc.array(fc.array(fc.option(fc.integer({ min: 0, max: 4 })), { minLength: 5, maxLength: 5 }), {
      minLength: 2,
      maxLength: 4,
    })
    fc.assert(
      fc.property(table, fc.constantFrom<'nominal' | 'interval'>('nominal', 'interval'), (ratings, metric) => {
        const alpha = krippendorffAlpha(ratings, metric)
        const expected = sumOverPairs(
          ratings,
          metric === 'nominal' ? (x, y) => Number(x !== y) : (x, y) => (x - y) ** 2,
        )
        expect(alpha).toEqual(Number.isNaN(expected) ? NaN : expect.closeTo(expected, 9))
        expect(krippendorffAlpha(ratings.toReversed(), metric)).toEqual(
          Number.isNaN(alpha) ? NaN : expect.closeTo(alpha, 9),
        )
      }),
    )
  })

  it('rejects rows of different length and NaN', () => {
    expect(() => krippendorffAlpha([[1], [1, 2]], 'nominal')).toThrow(RangeError)
    expect(() => krippendorffAlpha([[NaN], [1]], 'nominal')).toThrow(RangeError)
  })
})

function sumOverPairs(ratings: (number | null)[][], difference: (x: number, y: number) => number): number {
  const units = ratings[0]!.map((_, unit) => ratings.map((row) => row[unit]!).filter((x) => x !== null))
  const pairable = units.filter((unit) => unit.length > 1)
  const all = pairable.flat()
  const sum = (values: number[]) =>
    values.flatMap((x) => values.map((y) => difference(x, y))).reduce((s, d) => s + d, 0)
  const observed = pairable.reduce((total, unit) => total + sum(unit) / (unit.length - 1), 0) / all.length
  const expected = sum(all) / (all.length * (all.length - 1))
  return expected === 0 ? NaN : 1 - observed / expected
}
