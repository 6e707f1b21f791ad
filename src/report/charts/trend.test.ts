import { describe, expect, it } from 'vitest'
import { chooseTrendTicks, placeTrend, placeTrendPoints, type TrendMark } from './trend.ts'

const box = { width: 110, height: 60, padding: 5, domain: [0, 1] as [number, number] }
const mark = (mean: number, changes: Partial<TrendMark> = {}): TrendMark => ({
  mean,
  low: mean - 0.1,
  high: mean + 0.1,
  isComplete: true,
  caseSet: 0,
  ...changes,
})

describe('placeTrend', () => {
  it('spaces points evenly; a single one is in the middle', () => {
    expect(placeTrendPoints(3, box)).toEqual([5, 55, 105])
    expect(placeTrendPoints(1, box)).toEqual([55])
    expect(placeTrendPoints(0, box)).toEqual([])
  })

  it('joins complete scores over the same cases, past others in between', () => {
    const { dots, lines } = placeTrend(
      [
        mark(0.5),
        mark(0.9, { caseSet: 1 }),
        mark(0.6, { isComplete: false }),
        undefined,
        mark(1),
        mark(0, { caseSet: 1 }),
      ],
      box,
    )
    expect(dots.map(({ index, isComplete }) => [index, isComplete])).toEqual([
      [0, true],
      [1, true],
      [2, false],
      [4, true],
      [5, true],
    ])
    expect(lines.map(({ from, to }) => [from.x, to.x])).toEqual([
      [5, 85],
      [25, 105],
    ])
    expect(lines[0]?.to.y).toBe(5)
  })

  it('keeps intervals inside the drawing', () => {
    const { dots } = placeTrend([mark(1)], { ...box, domain: [0.5, 1] })
    expect(dots[0]).toMatchObject({ y: 5, yHigh: 5 })
    expect(dots[0]?.yLow).toBeCloseTo(15)
  })
})

it('chooseTrendTicks starts at the newest and keeps the distance', () => {
  expect(chooseTrendTicks([0, 10, 20, 30], 15)).toEqual([1, 3])
  expect(chooseTrendTicks([], 15)).toEqual([])
})
