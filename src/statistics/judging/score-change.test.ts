import { describe, expect, it } from 'vitest'
import { measureScoreChange } from './score-change.ts'

const repeat = (count: number, score: number) => Array.from({ length: count }, () => score)

describe('change of scores', () => {
  it('is Student’s paired interval: the sleep data, in tenths (R t.test(extra ~ group, paired = TRUE))', () => {
    const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0].map((hours) => hours / 10)
    const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4].map((hours) => hours / 10)
    const { change, low, high, raised, lowered, isReal } = measureScoreChange(first, second)
    expect(change).toBeCloseTo(0.158, 10)
    expect(low).toBeCloseTo(0.0700114, 6)
    expect(high).toBeCloseTo(0.2459886, 6)
    expect([raised, lowered, isReal]).toEqual([9, 0, true])
  })

  it('is found if every score moves by exactly one grade, with the spread of whole grades', () => {
    const { change, low, high, isReal } = measureScoreChange(repeat(30, 0.5), repeat(30, 0.6))
    expect(isReal).toBe(true)
    expect(change).toBeCloseTo(0.1, 10)
    // .1 ± t(.975; 29)·.1/√6/√30
    expect(low).toBeCloseTo(0.084756, 5)
    expect(high).toBeCloseTo(0.115244, 5)
  })

  it('is not found if nothing changes', () => {
    expect(measureScoreChange(repeat(30, 0.5), repeat(30, 0.5))).toMatchObject({
      change: 0,
      pValue: 1,
      raised: 0,
      lowered: 0,
      isReal: false,
    })
  })

  it('refuses lists of different lengths and single pairs', () => {
    expect(() => measureScoreChange([1], [1, 1])).toThrow('before and after')
    expect(() => measureScoreChange([1], [1])).toThrow('at least 2')
  })
})
