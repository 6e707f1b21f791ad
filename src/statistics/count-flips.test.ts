import { describe, expect, it } from 'vitest'
import { countFlips } from './count-flips.ts'

const repeat = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('countFlips', () => {
  it('gives the worked value: 50 cases, 4 harmful, 9 helpful, churn 13, each with Clopper-Pearson', () => {
    const before = [...repeat(4, true), ...repeat(9, false), ...repeat(20, true), ...repeat(17, false)]
    const after = [...repeat(4, false), ...repeat(9, true), ...repeat(20, true), ...repeat(17, false)]
    const { harmful, helpful, churn } = countFlips(before, after)
    expect([harmful.count, helpful.count, churn.count]).toEqual([4, 9, 13])
    expect([harmful.rate, helpful.rate, churn.rate]).toEqual([0.08, 0.18, 0.26])
    expect(harmful.interval[0]).toBeCloseTo(0.022228, 6)
    expect(harmful.interval[1]).toBeCloseTo(0.192343, 6)
    expect(helpful.interval[0]).toBeCloseTo(0.085762, 6)
    expect(helpful.interval[1]).toBeCloseTo(0.314369, 6)
    expect(churn.interval[0]).toBeCloseTo(0.146301, 6)
    expect(churn.interval[1]).toBeCloseTo(0.403448, 6)
  })

  // P(no flip in 10) = (1 − p)^10 = .025.
  it('without a flip still allows for those that the cases missed', () => {
    const { harmful, helpful, churn } = countFlips(repeat(10, true), repeat(10, true))
    for (const { count, rate, interval } of [harmful, helpful, churn]) {
      expect([count, rate, interval[0]]).toEqual([0, 0, 0])
      expect(interval[1]).toBeCloseTo(1 - 0.025 ** (1 / 10), 10)
    }
  })

  // Korn & Graubard's effective size n* = min(n, m(1−m)/V·(t(.975; 59)/t(.975; 14))²), computed in Python with SciPy.
  it('counts clusters: 60 cases in 15 of 4, of which three flip as a whole and one half the other way', () => {
    const before = repeat(60, true).with(0, false).with(1, false)
    const after = before.map((_, index) => ![1, 4, 9].includes(Math.floor(index / 4)))
    const clusters = before.map((_, index) => Math.floor(index / 4))
    const { harmful, helpful, churn } = countFlips(before, after, clusters)
    expect([harmful.count, helpful.count, churn.count]).toEqual([12, 2, 14])
    expect(harmful.interval).toEqual([expect.closeTo(0.033666, 6), expect.closeTo(0.517516, 6)])
    expect(helpful.interval).toEqual([expect.closeTo(0.000462, 6), expect.closeTo(0.192148, 6)])
    expect(churn.interval).toEqual([expect.closeTo(0.053473, 6), expect.closeTo(0.535034, 6)])
    // As if they were independent: 0.108 to 0.323.
    expect(countFlips(before, after).harmful.interval[1]).toBeCloseTo(0.3233, 6)
    expect(countFlips(before, after, repeat(60, undefined))).toEqual(countFlips(before, after))
  })

  it('with one case that flipped reaches from 0.025 to 1', () => {
    const { harmful, helpful } = countFlips([true], [false])
    expect(harmful).toMatchObject({ count: 1, rate: 1 })
    expect(harmful.interval[0]).toBeCloseTo(0.025, 10)
    expect(harmful.interval[1]).toBe(1)
    expect(helpful.count).toBe(0)
  })

  it('refuses lists that do not pair up, and no cases', () => {
    expect(() => countFlips([true], [true, false])).toThrow('before and after differ in length (1 and 2)')
    expect(() => countFlips([], [])).toThrow(RangeError)
    // A case without a score is none that failed.
    expect(() => countFlips([true, undefined as never], [true, true])).toThrow('before[1] is undefined')
  })
})
