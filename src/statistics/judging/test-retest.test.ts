import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { drawNormal } from './testing/draw-normal.ts'
import { measureTestRetest } from './test-retest.ts'

describe('test-retest', () => {
  it('pools the variances of the answers (numpy: mean of var(ddof=1), t interval of that mean)', () => {
    const measured = measureTestRetest([
      [0.4, 0.5, 0.6],
      [0.7, 0.9, 0.8],
      [0.2, 0.2, 0.5],
      [0.1, 0.3, 0.2],
    ])
    expect(measured.stdDev).toBeCloseTo(0.122474, 6)
    expect(measured.low).toBeCloseTo(0, 6)
    expect(measured.high).toBeCloseTo(0.175819, 6)
    expect([measured.n, measured.changed]).toEqual([4, 4])
  })

  it('of a judge that never changes is 0, and allows for one grade in answers it has not seen', () => {
    const measured = measureTestRetest(Array.from({ length: 24 }, (_, index) => Array(3).fill((index % 11) / 10)))
    expect([measured.stdDev, measured.low, measured.changed]).toEqual([0, 0, 0])
    // √((1 − .05^(1/24))·.01/3)
    expect(measured.high).toBeCloseTo(0.019778, 6)
    expect(measured.changedHigh).toBeCloseTo(0.142474, 6)
  })

  it('ignores answers that were scored once, and needs two others', () => {
    expect(measureTestRetest([[0.5], [0.4, 0.5], [0.5, 0.5]]).n).toBe(2)
    expect(() => measureTestRetest([[0.5], [0.4, 0.5]])).toThrow('at least 2')
  })

  it('covers a true deviation of 10 points in at least 90 % of trials', () => {
    const random = createRandom('test-retest')
    let covered = 0
    for (let trial = 0; trial < 500; trial++) {
      const { low, high } = measureTestRetest(
        Array.from({ length: 24 }, () => Array.from({ length: 3 }, () => 0.5 + 0.1 * drawNormal(random))),
      )
      if (low <= 0.1 && high >= 0.1) covered++
    }
    expect(covered / 500).toBeGreaterThanOrEqual(0.9)
  })
})
