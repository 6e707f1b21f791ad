/** The numbers of the existing pages with rows `first` to `last`; always including page 0, which has the total. */
export function pagesFor({
  first,
  last,
  total,
  pageSize,
}: {
  first: number
  last: number
  total: number
  pageSize: number
}): number[] {
  const lastPage = Math.max(0, Math.ceil(total / pageSize) - 1)
  const from = Math.min(lastPage, Math.max(0, Math.floor(first / pageSize)))
  const to = Math.min(lastPage, Math.max(from, Math.floor(last / pageSize)))
  const pages = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return pages[0] === 0 ? pages : [0, ...pages]
}

/** Where a key moves to in the grid; undefined for other keys. */
export function moveInGrid(
  key: string,
  { row, column }: GridPlace,
  { rows, columns, page }: GridSize,
): GridPlace | undefined {
  const to = (nextRow: number, nextColumn: number): GridPlace => ({
    row: Math.max(0, Math.min(rows - 1, nextRow)),
    column: Math.max(0, Math.min(columns - 1, nextColumn)),
  })
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return to(row + 1, column)
    case 'k':
    case 'ArrowUp':
      return to(row - 1, column)
    case 'h':
    case 'ArrowLeft':
      return to(row, column - 1)
    case 'l':
    case 'ArrowRight':
      return to(row, column + 1)
    case 'PageDown':
      return to(row + page, column)
    case 'PageUp':
      return to(row - page, column)
    case 'Home':
      return to(0, column)
    case 'End':
      return to(rows - 1, column)
    default:
      return undefined
  }
}

export interface GridPlace {
  row: number
  /** 0 is the first model. */
  column: number
}

export interface GridSize {
  rows: number
  columns: number
  /** The rows that Page Up and Page Down move by. */
  page: number
}
