import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TableReader } from './schema.ts'

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
