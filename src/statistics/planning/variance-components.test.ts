import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitVariance } from './variance-components.ts'

describe('variance components', () => {
  it('four looms, four samples each: 1.90 within, 6.96 between (Montgomery, Design and Analysis of Experiments)', () => {
    const looms = [
      [98, 97, 99, 96],
      [91, 90, 93, 92],
      [96, 95, 97, 95],
      [95, 96, 99, 98],
    ]
    const { caseVariance, runVariance } = splitVariance(looms)
    expect(runVariance).toBeCloseTo(1.8958333333333333, 12)
    expect(caseVariance).toBeCloseTo(6.958333333333334, 12)
  })

  it('unequal groups: .0078125 within, .0571339 between (NumPy 2.4, written out)', () => {
    const { caseVariance, runVariance } = splitVariance([[0.2, 0.3, 0.1], [0.5, 0.6], [-0.1, 0, 0.1, 0.05], [0.4]])
    expect(runVariance).toBeCloseTo(0.0078125, 13)
    expect(caseVariance).toBeCloseTo(0.05713392857142858, 13)
  })

  it('sets a negative estimate to 0', () => {
    expect(
      splitVariance([
        [0, 1],
        [1, 0],
        [0, 1],
      ]),
    ).toEqual({ caseVariance: 0, runVariance: expect.closeTo(0.5, 13) })
  })

  it('attributes all variance to cases without repeats; run variance is unknown', () => {
    expect(splitVariance([[1], [2], [3], [4]])).toEqual({ caseVariance: expect.closeTo(5 / 3, 13), runVariance: null })
  })

  it('has run variance 0 if repeats agree', () => {
    expect(
      splitVariance([
        [1, 1],
        [2, 2],
        [3, 3],
      ]),
    ).toEqual({ caseVariance: expect.closeTo(1, 13), runVariance: 0 })
  })

  it('is the same after a shift, and 4 times as large after doubling', () => {
    const cases = fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 5 }), {
      minLength: 2,
      maxLength: 9,
    })
    fc.assert(
      fc.property(cases, (groups) => {
        const plain = splitVariance(groups)
        const moved = splitVariance(groups.map((values) => values.map((x) => 2 * x + 5)))
        expect(moved.caseVariance).toBeCloseTo(4 * plain.caseVariance, 9)
        expect(moved.runVariance ?? 0).toBeCloseTo(4 * (plain.runVariance ?? 0), 9)
        expect(plain.caseVariance).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('rejects a single case and a case without values', () => {
    expect(() => splitVariance([[1, 2]])).toThrow(RangeError)
    expect(() => splitVariance([[1, 2], []])).toThrow(RangeError)
  })
})
