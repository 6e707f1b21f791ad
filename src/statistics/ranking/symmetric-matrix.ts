/** A square matrix, row by row. */
export type Matrix = Float64Array

/** Below this share of the diagonal a pivot is only rounding error. */
const minPivot = 1e-14

/** The lower factor L of a symmetric positive definite A = LLᵀ (Cholesky). */
export function factorCholesky(matrix: Matrix, size: number): Matrix {
  const factor = new Float64Array(size * size)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const entry = matrix[row * size + column]!
      let rest = entry
      for (let k = 0; k < column; k++) rest -= factor[row * size + k]! * factor[column * size + k]!
      if (row !== column) factor[row * size + column] = rest / factor[column * size + column]!
      // Weights sixteen orders of magnitude apart can round a valid pivot to 0 or below: it is raised, not rejected.
      else if (rest > -1e-10 * entry) factor[row * size + row] = Math.sqrt(Math.max(rest, minPivot * entry))
      else throw new RangeError('The matrix is not positive definite: it has no Cholesky factor.')
    }
  }
  return factor
}

/** The x with LLᵀx = vector. */
export function solveCholesky(factor: Matrix, vector: ArrayLike<number>): Float64Array {
  const size = vector.length
  const solution = Float64Array.from(vector)
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < row; k++) solution[row]! -= factor[row * size + k]! * solution[k]!
    solution[row]! /= factor[row * size + row]!
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let k = row + 1; k < size; k++) solution[row]! -= factor[k * size + row]! * solution[k]!
    solution[row]! /= factor[row * size + row]!
  }
  return solution
}
