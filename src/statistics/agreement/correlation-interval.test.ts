import { describe, expect, it } from 'vitest'
import { correlationInterval } from './correlation-interval.ts'

describe('the interval of a correlation', () => {
  it('Anscombe’s first set: .4243912 to .9506933 (R cor.test, SciPy pearsonr().confidence_interval)', () => {
    const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    const { low, high, method } = correlationInterval(x, y)
    expect(low).toBeCloseTo(0.4243912, 6)
    expect(high).toBeCloseTo(0.9506933, 6)
    expect(method).toBe('fisher-z')
  })

  it('of perfect agreement on a few samples does not claim that no other exists', () => {
    const grades = [0, 0.1, 0.5, 1, 1, 0.5, 0, 0.9]
    const { low, high, method } = correlationInterval(grades, grades)
    expect(low).toBeCloseTo(0.05 ** (1 / 8), 12)
    expect([high, method]).toEqual([1, 'fisher-z-and-unseen-mass'])
  })

  it('allows every correlation if there are fewer than four pairs, or one side is constant', () => {
    for (const [x, y] of [
      [
        [0, 0.5, 1],
        [0, 0.4, 1],
      ],
      [
        [0, 0.2, 0.6, 1],
        [0.7, 0.7, 0.7, 0.7],
      ],
    ] as const)
      expect(correlationInterval(x, y)).toEqual({ low: -1, high: 1, method: 'undetermined' })
  })
})
