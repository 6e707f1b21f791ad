import type { TableReader } from '../schema.ts'
import { encodeText } from '../text-codec.ts'
import { pagesOf } from './list-runs.ts'

/** Not the latest time alone: a person may rate on a machine whose clock is behind, or take a rating back. */
export async function readRatingsToken(db: TableReader, runIds: readonly string[]): Promise<string> {
  const states: unknown[] = []
  for (const ids of pagesOf([...new Set(runIds)])) {
    const rows = await db
      .selectFrom('runs')
      .innerJoin('cells', 'cells.run', 'runs.number')
      .innerJoin('ratings', 'ratings.cell', 'cells.id')
      .where('runs.id', 'in', ids.map(encodeText))
      .groupBy('runs.number')
      .orderBy('runs.number')
      .select('runs.number')
      .select((eb) => [
        eb.fn.countAll().as('count'),
        eb.fn.max('ratings.rated_at').as('last'),
        eb.fn.sum('ratings.rating').as('sum'),
      ])
      .execute()
    states.push(...rows.map(({ number, count, last, sum }) => [number, count, last, sum].map(String)))
  }
  return JSON.stringify(states)
}
