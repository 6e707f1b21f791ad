import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TableReader } from '../schema.ts'
import { encodeText } from '../text-codec.ts'

/** Larger ranges are not faster. */
const CELLS_PER_RANGE = 1000

export interface CellRange {
  from: number
  to: number
}

/** Splits the cells of a run into ranges and yields to the event loop between them, so a long run blocks nothing. */
export async function* rangesOf(db: TableReader, run: number): AsyncGenerator<CellRange> {
  const ends = await db
    .selectFrom('cells')
    .where('run', '=', run)
    .select((eb) => [eb.fn.min('id').as('first'), eb.fn.max('id').as('last')])
    .executeTakeFirst()
  const last = ends?.last ?? -1
  for (let from = ends?.first ?? 0; from <= last; from += CELLS_PER_RANGE) {
    yield { from, to: from + CELLS_PER_RANGE - 1 }
    await nextTurn()
  }
}

/** More parameters than this make a statement slow to plan. */
const CASES_PER_QUERY = 500

/** The cells of these test cases. Those of one case were written in a row, and neighbouring cases share a range. */
export async function* rangesOfCases(
  db: TableReader,
  run: number,
  testCaseIds: readonly string[],
): AsyncGenerator<CellRange> {
  for (let first = 0; first < testCaseIds.length; first += CASES_PER_QUERY) {
    const rows = await db
      .selectFrom('cells')
      .where('run', '=', run)
      .where('case_id', 'in', testCaseIds.slice(first, first + CASES_PER_QUERY).map(encodeText))
      .select('id')
      .orderBy('id')
      .execute()
    let range: CellRange | undefined
    for (const { id } of rows) {
      if (range && id === range.to + 1 && id - range.from < CELLS_PER_RANGE) range.to = id
      else {
        if (range) yield range
        range = { from: id, to: id }
      }
    }
    if (range) yield range
  }
}
