import { describe, expect, it } from 'vitest'
import { intraclassCorrelation } from './intraclass-correlation.ts'

const shroutFleiss = [
  [9, 2, 5, 8],
  [6, 1, 3, 2],
  [8, 4, 6, 8],
  [7, 1, 2, 6],
  [10, 5, 6, 9],
  [6, 2, 4, 7],
]

describe('intraclass correlation', () => {
  it('ICC(2,1) of six subjects and four judges is .29 (Shrout & Fleiss 1979), .2898 (NumPy 2.4)', () => {
    expect(intraclassCorrelation(shroutFleiss)).toBeCloseTo(0.2897637795275591, 12)
  })

  it('is 1 for full agreement, and lower if one rater adds a constant (absolute agreement)', () => {
    expect(
      intraclassCorrelation([
        [1, 1],
        [2, 2],
        [4, 4],
      ]),
    ).toBeCloseTo(1, 12)
    expect(
      intraclassCorrelation([
        [1, 3],
        [2, 4],
        [4, 6],
      ]),
    ).toBeCloseTo(7 / 3 / (7 / 3 + 2), 12)
  })

  it('does not change with the scale or the order of the raters', () => {
    const moved = shroutFleiss.map((row) => row.map((x) => x / 100 + 1e6).toReversed())
    expect(intraclassCorrelation(moved)).toBeCloseTo(0.2897637795275591, 6)
  })

  it('is NaN if nothing varies', () => {
    expect(
      intraclassCorrelation([
        [1, 1],
        [1, 1],
      ]),
    ).toBeNaN()
  })

  it.each([
    [[[1, 2]]],
    [[[1], [2]]],
    [[[1, 2], [1]]],
    [
      [
        [1, NaN],
        [1, 2],
      ],
    ],
    [[]],
  ])('rejects %j', (ratings) => {
    expect(() => intraclassCorrelation(ratings)).toThrow(RangeError)
  })
})
