import { describe, expect, it } from 'vitest'
import { placeEvidence, spreadLabels } from './evidence.ts'

const box = { width: 300, height: 120, padding: { left: 40, right: 20, top: 10, bottom: 20 } }

describe('evidence against a line', () => {
  it('starts at evidence 1 before the first case, goes right with cases and up with evidence', () => {
    const { paths, lineY, yTicks } = placeEvidence(
      { lines: [{ points: [[5, 3.4] as const, [10, 39.4] as const] }], line: 20, cases: 10, caseCount: 100 },
      box,
    )
    const one = yTicks.find(({ value }) => value === 1)!
    expect(paths[0]!.path.startsWith(`M40 ${one.y}L`)).toBe(true)
    expect(paths[0]!.end.y).toBeLessThan(lineY)
    expect(lineY).toBeLessThan(one.y)
    expect(paths[0]!.end.x).toBeLessThanOrEqual(280)
  })

  it('keeps endless and vanishing evidence inside the box', () => {
    const { paths } = placeEvidence(
      {
        lines: [{ points: [[9, Number.MAX_VALUE] as const] }, { points: [[9, 1e-30] as const] }],
        line: 60,
        cases: 9,
        caseCount: 9,
      },
      box,
    )
    expect(paths.map(({ end }) => end.y)).toEqual([10, 100])
  })

  it('has a line and axes before any case is counted', () => {
    const { paths, xTicks } = placeEvidence({ lines: [{ points: [] }], line: 20, cases: 0, caseCount: 400 }, box)
    expect([paths[0]!.end.x, xTicks[0]]).toEqual([40, { value: 0, x: 40 }])
  })

  it('moves labels apart and keeps them inside', () => {
    expect(spreadLabels([50, 52, 10], 13, 100)).toEqual([50, 63, 10])
    expect(spreadLabels([99, 98, 97], 13, 100)).toEqual([100, 87, 74])
  })
})
