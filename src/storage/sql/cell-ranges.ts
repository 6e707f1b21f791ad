import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TableReader } from './schema.ts'

/** More would not be quicker. */
const cellsAtOnce = 1000

export interface CellRange {
  from: number
  to: number
}

/** The cells of a run in pieces, because a long run must not hold up what else the program does: it gets a turn between them. */
export async function* rangesOf(db: TableReader, run: number): AsyncGenerator<CellRange> {
  const ends = await db
    .selectFrom('cells')
    .where('run', '=', run)
    .select((eb) => [eb.fn.min('id').as('first'), eb.fn.max('id').as('last')])
    .executeTakeFirst()
  const last = ends?.last ?? -1
  for (let from = ends?.first ?? 0; from <= last; from += cellsAtOnce) {
    yield { from, to: from + cellsAtOnce - 1 }
    await nextTurn()
  }
}
