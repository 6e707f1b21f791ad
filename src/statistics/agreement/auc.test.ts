import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaUnderCurve } from './auc.ts'

describe('area under the ROC curve', () => {
  it('.1 .4 .35 .8 with the last two true: .75 (sklearn roc_auc_score help page)', () => {
    expect(areaUnderCurve([0.1, 0.4, 0.35, 0.8], [false, false, true, true])).toBe(0.75)
  })

  it('is .5 if all scores tie, 1 if the classes separate, NaN with one class', () => {
    expect(areaUnderCurve([1, 1, 1], [true, false, true])).toBe(0.5)
    expect(areaUnderCurve([1, 2, 3], [false, false, true])).toBe(1)
    expect(areaUnderCurve([1, 2], [true, true])).toBeNaN()
    expect(areaUnderCurve([1, 2], [false, false])).toBeNaN()
  })

  it('agrees with the count over all pairs, with ties counted half (Mann-Whitney)', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.boolean()), { minLength: 1 }), (points) => {
        const positives = points.filter(([, label]) => label).map(([score]) => score)
        const negatives = points.filter(([, label]) => !label).map(([score]) => score)
        const wins = positives
          .flatMap((p) => negatives.map((q) => (Math.sign(p - q) + 1) / 2))
          .reduce((s, w) => s + w, 0)
        const expected = wins / (positives.length * negatives.length)
        const area = areaUnderCurve(
          points.map(([score]) => score),
          points.map(([, label]) => label),
        )
        expect(area).toEqual(Number.isNaN(expected) ? NaN : expect.closeTo(expected, 12))
      }),
    )
  })

  it('rejects unpaired labels and NaN', () => {
    expect(() => areaUnderCurve([1], [])).toThrow(RangeError)
    expect(() => areaUnderCurve([NaN], [true])).toThrow(RangeError)
  })
})
