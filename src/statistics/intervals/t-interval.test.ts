import { describe, expect, it } from 'vitest'
import { tInterval } from './t-interval.ts'

describe('t interval', () => {
  it('5 ± .7 at 9 degrees is 3.4165–6.5835 (SciPy 1.17 stats.t)', () => {
    const { low, high, method } = tInterval({ mean: 5, stdErr: 0.7, degreesOfFreedom: 9 })
    expect(low).toBeCloseTo(3.416489986041257, 12)
    expect(high).toBeCloseTo(6.583510013958743, 12)
    expect(method).toBe('t')
  })

  it('at 99 % and 3.5 degrees it reaches 5.0857 standard errors (SciPy 1.17 stats.t)', () => {
    const { low, high } = tInterval({ mean: 0, stdErr: 0.1, degreesOfFreedom: 3.5, level: 0.99 })
    expect(high).toBeCloseTo(0.5085702223091256, 12)
    expect(low).toBe(-high)
  })

  it('is clipped to the bounds, each side separately', () => {
    expect(tInterval({ mean: 0.9, stdErr: 0.1, degreesOfFreedom: 2, bounds: [0, 1] }).high).toBe(1)
    expect(tInterval({ mean: 0.9, stdErr: 0.1, degreesOfFreedom: 2, bounds: [0, 1] }).low).toBeCloseTo(
      0.9 - 0.43026527,
      7,
    )
    expect(tInterval({ mean: 0.1, stdErr: 0.1, degreesOfFreedom: 2, bounds: [0, 1] }).low).toBe(0)
  })

  it('is the mean if there is no error', () => {
    expect(tInterval({ mean: 0.3, stdErr: 0, degreesOfFreedom: 1 })).toEqual({ low: 0.3, high: 0.3, method: 't' })
  })

  it.each([
    { mean: NaN, stdErr: 1, degreesOfFreedom: 1 },
    { mean: 0, stdErr: -1, degreesOfFreedom: 1 },
    { mean: 0, stdErr: 1, degreesOfFreedom: 0 },
    { mean: 0, stdErr: 1, degreesOfFreedom: 1, level: 0 },
    { mean: 0, stdErr: 1, degreesOfFreedom: 1, bounds: [1, 0] as [number, number] },
  ])('rejects %j', (input) => {
    expect(() => tInterval(input)).toThrow(RangeError)
  })
})
