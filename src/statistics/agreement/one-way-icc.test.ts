import { describe, expect, it } from 'vitest'
import { oneWayIcc } from './one-way-icc.ts'

/** Four judges of six targets: Shrout & Fleiss 1979, table 2. */
const published = [
  [9, 2, 5, 8],
  [6, 1, 3, 2],
  [8, 4, 6, 8],
  [7, 1, 2, 6],
  [10, 5, 6, 9],
  [6, 2, 4, 7],
]

describe('ICC(1,1)', () => {
  it('of Shrout & Fleiss’ table is .17, with the interval −.13 to .72 (R psych::ICC)', () => {
    const { icc, low, high } = oneWayIcc(published)
    expect(icc).toBeCloseTo(0.165742, 5)
    expect(low).toBeCloseTo(-0.132932, 5)
    expect(high).toBeCloseTo(0.72256, 5)
  })

  it('is 1 if no rating of a subject changes, and undefined if nothing varies', () => {
    expect(
      oneWayIcc([
        [1, 1],
        [2, 2],
      ]),
    ).toEqual({ icc: 1, low: 1, high: 1 })
    expect(
      oneWayIcc([
        [1, 1],
        [1, 1],
      ]).icc,
    ).toBeNaN()
  })

  it('refuses single ratings and rows of different lengths', () => {
    expect(() => oneWayIcc([[1], [2]])).toThrow('at least 2')
    expect(() => oneWayIcc([[1, 2], [2]])).toThrow('rows')
  })
})
