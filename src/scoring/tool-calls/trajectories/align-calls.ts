import { assignOptimally } from '../credit/optimal-assignment.ts'
import type { CallAlignment } from './grade-settings.ts'

/** An expected call and the actual one that it is compared with. */
export interface AlignedPair {
  row: number
  column: number
  similarity: number
}

interface Sides {
  /** How many calls were expected, and how many were made. */
  rows: number
  columns: number
  similarity(row: number, column: number): number
  /** Calls of different tools never match. */
  isSameTool(row: number, column: number): boolean
}

/** Aligns expected with actual calls; only pairs with something in common. */
export function alignCalls(align: CallAlignment, sides: Sides): AlignedPair[] {
  const pairs = aligners[align](sides)
  return pairs.filter(({ similarity }) => similarity > 0)
}

const indices = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const aligners: Record<CallAlignment, (sides: Sides) => AlignedPair[]> = {
  reuse: ({ rows, columns, similarity, isSameTool }) =>
    indices(rows).flatMap((row) => {
      let best: AlignedPair | undefined
      for (const column of indices(columns)) {
        if (!isSameTool(row, column)) continue
        const found = similarity(row, column)
        if (found > (best?.similarity ?? 0)) best = { row, column, similarity: found }
        if (found === 1) break
      }
      return best ? [best] : []
    }),

  positional: ({ rows, columns, similarity, isSameTool }) =>
    indices(Math.min(rows, columns)).map((index) => ({
      row: index,
      column: index,
      similarity: isSameTool(index, index) ? similarity(index, index) : 0,
    })),

  'one-to-one': ({ rows, columns, similarity, isSameTool }) => {
    const pairs: AlignedPair[] = []
    const done = new Set<number>()
    for (const first of indices(rows)) {
      if (done.has(first)) continue
      // Each tool is assigned on its own: the matrix of all calls would be far larger.
      const ownColumns = indices(columns).filter((column) => isSameTool(first, column))
      const ownRows = indices(rows).filter(
        (row) => !done.has(row) && (row === first || ownColumns.some((column) => isSameTool(row, column))),
      )
      for (const row of ownRows) done.add(row)
      const scores = ownRows.map((row) => ownColumns.map((column) => similarity(row, column)))
      assignOptimally(scores).forEach((at, index) => {
        if (at >= 0) pairs.push({ row: ownRows[index]!, column: ownColumns[at]!, similarity: scores[index]![at]! })
      })
    }
    return pairs.toSorted((a, b) => a.row - b.row)
  },

  /** The longest common subsequence, weighted by similarity. */
  'in-order': ({ rows, columns, similarity, isSameTool }) => {
    const width = columns + 1
    const best = new Float64Array((rows + 1) * width)
    const gain = (row: number, column: number) => (isSameTool(row, column) ? similarity(row, column) : 0)
    for (let row = rows - 1; row >= 0; row -= 1)
      for (let column = columns - 1; column >= 0; column -= 1)
        best[row * width + column] = Math.max(
          best[(row + 1) * width + column]!,
          best[row * width + column + 1]!,
          best[(row + 1) * width + column + 1]! + gain(row, column),
        )
    const pairs: AlignedPair[] = []
    for (let row = 0, column = 0; row < rows && column < columns;) {
      const here = best[row * width + column]!
      const found = gain(row, column)
      if (found > 0 && here === best[(row + 1) * width + column + 1]! + found) {
        pairs.push({ row, column, similarity: found })
        row += 1
        column += 1
      } else if (here === best[row * width + column + 1]!) column += 1
      else row += 1
    }
    return pairs
  },
}
