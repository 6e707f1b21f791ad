/**
 * One-to-one assignment of rows to columns with the greatest sum of scores, exact, for any rectangular matrix: shortest
 * augmenting paths with potentials (Jonker and Volgenant 1987, after Kuhn's Hungarian method), O(n²·m) for n ≤ m. Gives
 * the column of each row, -1 for a row left over.
 */
export function assignOptimally(scores: readonly (readonly number[])[]): number[] {
  const rowCount = scores.length
  const columnCount = scores[0]?.length ?? 0
  if (rowCount === 0 || columnCount === 0) return Array.from({ length: rowCount }, () => -1)
  // Most tools are called once: no need to set up the search for that.
  if (rowCount === 1) return [indexOfGreatest(scores[0]!)]
  if (rowCount <= columnCount) return assignRows(scores, rowCount, columnCount)

  const transposed = Array.from({ length: columnCount }, (_, column) => scores.map((row) => row[column]!))
  const rowOfColumn = assignRows(transposed, columnCount, rowCount)
  const columnOfRow = Array.from({ length: rowCount }, () => -1)
  rowOfColumn.forEach((row, column) => {
    columnOfRow[row] = column
  })
  return columnOfRow
}

function indexOfGreatest(values: readonly number[]): number {
  let greatest = 0
  values.forEach((value, index) => {
    if (value > values[greatest]!) greatest = index
  })
  return greatest
}

function assignRows(scores: readonly (readonly number[])[], rowCount: number, columnCount: number): number[] {
  // Index 0 stands for "no row" and "no column"; rows and columns count from 1.
  const rowPotential = new Float64Array(rowCount + 1)
  const columnPotential = new Float64Array(columnCount + 1)
  const rowOfColumn = new Int32Array(columnCount + 1)
  const previousColumn = new Int32Array(columnCount + 1)

  for (let row = 1; row <= rowCount; row += 1) {
    const shortest = new Float64Array(columnCount + 1).fill(Infinity)
    const isVisited = new Uint8Array(columnCount + 1)
    rowOfColumn[0] = row
    let column = 0
    do {
      isVisited[column] = 1
      const currentRow = rowOfColumn[column]!
      const rowScores = scores[currentRow - 1]!
      let step = Infinity
      let nextColumn = 0
      for (let candidate = 1; candidate <= columnCount; candidate += 1) {
        if (isVisited[candidate]) continue
        const reduced = -rowScores[candidate - 1]! - rowPotential[currentRow]! - columnPotential[candidate]!
        if (reduced < shortest[candidate]!) {
          shortest[candidate] = reduced
          previousColumn[candidate] = column
        }
        if (shortest[candidate]! < step) {
          step = shortest[candidate]!
          nextColumn = candidate
        }
      }
      for (let candidate = 0; candidate <= columnCount; candidate += 1) {
        if (isVisited[candidate]) {
          rowPotential[rowOfColumn[candidate]!]! += step
          columnPotential[candidate]! -= step
        } else shortest[candidate]! -= step
      }
      column = nextColumn
    } while (rowOfColumn[column] !== 0)

    while (column !== 0) {
      const before = previousColumn[column]!
      rowOfColumn[column] = rowOfColumn[before]!
      column = before
    }
  }

  const columnOfRow = Array.from({ length: rowCount }, () => -1)
  for (let column = 1; column <= columnCount; column += 1)
    if (rowOfColumn[column]! > 0) columnOfRow[rowOfColumn[column]! - 1] = column - 1
  return columnOfRow
}
