/**
 * Assigns rows to columns one to one so that the sum of scores is maximal, for any rectangular matrix. Exact: shortest
 * augmenting paths with potentials (Jonker and Volgenant 1987, in the form of Crouse, "On implementing 2D rectangular
 * assignment algorithms", 2016), O(n²·m) for n ≤ m. Returns the column of each row, -1 for an unassigned row.
 */
export function assignOptimally(scores: readonly (readonly number[])[]): number[] {
  const rowCount = scores.length
  const columnCount = scores[0]?.length ?? 0
  if (rowCount === 0 || columnCount === 0) return Array.from({ length: rowCount }, () => -1)
  // Most tools are called only once.
  if (rowCount === 1) return [indexOfGreatest(scores[0]!)]
  const isWide = rowCount <= columnCount
  const [rows, columns] = isWide ? [rowCount, columnCount] : [columnCount, rowCount]
  const costs = new Float64Array(rows * columns)
  scores.forEach((row, index) =>
    row.forEach((score, column) => {
      costs[isWide ? index * columns + column : column * columns + index] = -score
    }),
  )
  const columnOfRow = assignRows(costs, rows, columns)
  if (isWide) return [...columnOfRow]
  const transposed = Array.from({ length: rowCount }, () => -1)
  columnOfRow.forEach((row, column) => {
    transposed[row] = column
  })
  return transposed
}

function indexOfGreatest(values: readonly number[]): number {
  let greatest = 0
  values.forEach((value, index) => {
    if (value > values[greatest]!) greatest = index
  })
  return greatest
}

/** The cheapest assignment of every row to a different column; there must be at least as many columns as rows. */
function assignRows(costs: Float64Array, rowCount: number, columnCount: number): Int32Array {
  const rowPotential = new Float64Array(rowCount)
  const columnPotential = new Float64Array(columnCount)
  const columnOfRow = new Int32Array(rowCount).fill(-1)
  const rowOfColumn = new Int32Array(columnCount).fill(-1)
  const pathRow = new Int32Array(columnCount)
  const distance = new Float64Array(columnCount)
  const open = new Int32Array(columnCount)
  const visitedColumns = new Int32Array(columnCount)

  for (let current = 0; current < rowCount; current += 1) {
    distance.fill(Infinity)
    // Last to first, so that the first of equally good columns wins.
    for (let index = 0; index < columnCount; index += 1) open[index] = columnCount - index - 1
    let openCount = columnCount
    let visitedCount = 0
    let reached = 0
    let row = current
    let sink = -1
    while (sink < 0) {
      const offset = row * columnCount
      const base = reached - rowPotential[row]!
      let lowest = Infinity
      let nearest = -1
      for (let index = 0; index < openCount; index += 1) {
        const column = open[index]!
        const length = base + costs[offset + column]! - columnPotential[column]!
        let shortest = distance[column]!
        if (length < shortest) {
          pathRow[column] = row
          distance[column] = shortest = length
        }
        if (shortest < lowest || (shortest === lowest && rowOfColumn[column] === -1)) {
          lowest = shortest
          nearest = index
        }
      }
      reached = lowest
      const column = open[nearest]!
      open[nearest] = open[(openCount -= 1)]!
      visitedColumns[visitedCount++] = column
      if (rowOfColumn[column] === -1) sink = column
      else row = rowOfColumn[column]!
    }

    rowPotential[current]! += reached
    for (let index = 0; index < visitedCount; index += 1) {
      const column = visitedColumns[index]!
      const beyond = reached - distance[column]!
      columnPotential[column]! -= beyond
      if (column !== sink) rowPotential[rowOfColumn[column]!]! += beyond
    }
    for (let column = sink; ;) {
      const from = pathRow[column]!
      const next = columnOfRow[from]!
      rowOfColumn[column] = from
      columnOfRow[from] = column
      if (from === current) break
      column = next
    }
  }
  return columnOfRow
}
