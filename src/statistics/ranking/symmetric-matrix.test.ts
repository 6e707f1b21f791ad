import { describe, expect, it } from 'vitest'
import { factorCholesky, solveCholesky } from './symmetric-matrix.ts'

describe('Cholesky', () => {
  it('factors [[4, 12, −16], [12, 37, −43], [−16, −43, 98]] into 2; 6 1; −8 5 3 (the textbook example)', () => {
    const factor = factorCholesky(new Float64Array([4, 12, -16, 12, 37, -43, -16, -43, 98]), 3)
    expect([...factor]).toEqual([2, 0, 0, 6, 1, 0, -8, 5, 3])
  })

  it('solves for the vector that was multiplied', () => {
    const factor = factorCholesky(new Float64Array([4, 12, -16, 12, 37, -43, -16, -43, 98]), 3)
    const solution = solveCholesky(factor, [4 + 24 + 16, 12 + 74 + 43, -16 - 86 - 98])
    expect([...solution].map((x) => Number(x.toFixed(9)))).toEqual([1, 2, -1])
  })

  it('treats a pivot lost to rounding as tiny, not as an error', () => {
    const factor = factorCholesky(new Float64Array([1, 1, 1, 1 - 1e-16]), 2)
    expect(factor[3]).toBeGreaterThan(0)
    expect(factor[3]).toBeLessThan(1e-6)
  })

  it('rejects a matrix that is not positive definite', () => {
    expect(() => factorCholesky(new Float64Array([1, 2, 2, 1]), 2)).toThrow(RangeError)
    expect(() => factorCholesky(new Float64Array([0]), 1)).toThrow(RangeError)
  })
})
