import { describe, expect, it } from 'vitest'
import { measureRaterAgreement } from './rater-agreement.ts'

describe('measureRaterAgreement', () => {
  it('is undefined until two people rate the same answer', () => {
    expect(measureRaterAgreement([])).toBeUndefined()
    expect(measureRaterAgreement([{ ann: 1 }, { bob: 0 }])).toBeUndefined()
  })

  // Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): four observers, twelve units, with gaps.
  it('gives the published interval alpha .849 and nominal alpha .743', () => {
    const gap = null
    const observers = {
      a: [1, 2, 3, 3, 2, 1, 4, 1, 2, gap, gap, gap],
      b: [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, gap, 3],
      c: [gap, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, gap],
      d: [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, gap],
    }
    const answers = Array.from({ length: 12 }, (_, unit) =>
      Object.fromEntries(
        Object.entries(observers).flatMap(([rater, values]) =>
          values[unit] === null ? [] : [[rater, values[unit]! / 10]],
        ),
      ),
    )
    const agreement = measureRaterAgreement(answers)
    expect(agreement?.alpha).toBeCloseTo(0.849, 3)
    expect(agreement).toMatchObject({ raters: ['a', 'b', 'c', 'd'], answers: 11 })
    expect(measureRaterAgreement(answers, 'nominal')?.alpha).toBeCloseTo(0.743, 3)
  })

  it('compares each pair on the answers that both rated, and shows who is strict', () => {
    const agreement = measureRaterAgreement([{ ann: 1, bob: 0.5 }, { ann: 0.5, bob: 0, cleo: 0 }, { ann: 0 }])
    expect(agreement?.pairs.map(({ raterA, raterB, answers }) => [raterA, raterB, answers])).toEqual([
      ['ann', 'bob', 2],
      ['ann', 'cleo', 1],
      ['bob', 'cleo', 1],
    ])
    expect(agreement?.means).toEqual([
      { rater: 'ann', mean: 0.75, answers: 2 },
      { rater: 'bob', mean: 0.25, answers: 2 },
      { rater: 'cleo', mean: 0, answers: 1 },
    ])
  })

  it('is not defined if nothing varies', () => {
    expect(measureRaterAgreement([{ ann: 1, bob: 1 }])?.alpha).toBeNaN()
  })
})
