/** A row that cannot be used, and why. */
export interface OddRow {
  place: string
  message: string
}

/** The largest share of rows that may be left out. */
const MOST_LEFT_OUT = 0.05
/** From so many rows on, one odd row is left out whatever its share. */
const ENOUGH_ROWS = 10

/** True if so many of the rows are odd that the file is rather read wrongly. */
export function areTooMany(odd: number, rows: number): boolean {
  return odd > Math.max(MOST_LEFT_OUT * rows, rows < ENOUGH_ROWS ? 0 : 1)
}
