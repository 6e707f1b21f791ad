import { describe, expect, it } from 'vitest'
import { boundSpread } from './spread-bound.ts'

describe('upper bound of a standard deviation', () => {
  it.each([
    [5, 2.3425],
    [10, 6.1791],
    [19, 13.7158],
    [29, 22.4751],
    [99, 86.7864],
  ])('is √(df/χ²) at df = %d with χ²(.2) = %d (R qchisq), within 1 %%', (df, quantile) => {
    expect(boundSpread(df) / Math.sqrt(df / quantile)).toBeCloseTo(1, 2)
  })

  it('needs a degree of freedom', () => {
    expect(() => boundSpread(0)).toThrow(RangeError)
  })
})
