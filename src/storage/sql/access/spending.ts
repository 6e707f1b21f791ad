import { sql, type Compilable } from 'kysely'
import type { BudgetOwner } from '../../../contract/index.ts'
import { changesOf, rowsOf, type Operation } from '../operation.ts'
import type { TableReader } from '../schema.ts'
import { decodeText, encodeText } from '../text-codec.ts'

/**
 * What requests for a person or project cost. A row is added in the transaction in which a request ends, whatever state
 * the run is in; rows of a run are only ever replaced by their sum. So the sum of all rows is always exact, no process
 * waits for another, and reading it does not take longer for larger runs.
 */

/** Stands for a run in the column `run`; no run has this id. */
export const OUTSIDE_RUNS = '-'

const MS_PER_DAY = 86_400_000
const ROWS_PER_STATEMENT = 10_000
const MAX_BIGINT = 2n ** 63n - 1n

/** Adds what the attempt cost, if its run has an owner. */
export function addCostOfAttempt(db: TableReader, attempt: number): Compilable {
  const statement = sql`INSERT INTO spending (run, person, project, at, cost)
    SELECT runs.id, runs.started_by, runs.project, attempts.started_at, attempts.cost
    FROM attempts JOIN cells ON cells.id = attempts.cell JOIN runs ON runs.number = cells.run
    WHERE attempts.id = ${attempt} AND (runs.started_by IS NOT NULL OR runs.project IS NOT NULL)`
  return { compile: () => statement.compile(db) }
}

/**
 * Replaces the rows of a run by one for each day (UTC), so that any month can still be summed. Deleting returns exactly
 * the rows that are replaced: one that another transaction adds meanwhile stays.
 */
export function* foldSpending(db: TableReader, run: string): Operation<void> {
  const ofRun = db.selectFrom('spending').where('run', '=', run).orderBy('number').limit(ROWS_PER_STATEMENT)
  const days = new Map<string, { person: string | null; project: string | null; at: number; cost: bigint }>()
  for (let isMore = true; isMore;) {
    const rows = yield* rowsOf(
      db
        .deleteFrom('spending')
        .where('number', 'in', ofRun.select('number'))
        .returning((eb) => ['person', 'project', 'at', eb.cast<string>('cost', 'text').as('cost')]),
    )
    isMore = rows.length === ROWS_PER_STATEMENT
    for (const { person, project, at, cost } of rows) {
      const key = JSON.stringify([person, project, Math.floor(at / MS_PER_DAY)])
      const day = days.get(key) ?? { person, project, at, cost: 0n }
      days.set(key, { ...day, at: Math.max(day.at, at), cost: day.cost + BigInt(cost) })
    }
  }
  for (const { cost, ...day } of days.values())
    for (let left = cost; left > 0n; left -= MAX_BIGINT)
      yield* changesOf(db.insertInto('spending').values({ run, ...day, cost: left < MAX_BIGINT ? left : MAX_BIGINT }))
}

/** Costs of persons or projects since `from`, by owner. In two parts, because a sum of 64-bit integers may not fit into one. */
export async function sumByOwner(
  db: TableReader,
  { kind, id, from }: { kind: BudgetOwner['kind']; id?: string; from: number },
): Promise<Map<string, bigint>> {
  const rows = await db
    .selectFrom('spending')
    .where(kind, 'is not', null)
    .$if(id !== undefined, (query) => query.where(kind, '=', encodeText(id!)))
    .where('at', '>=', from)
    .groupBy(kind)
    .select([
      sql<string>`${sql.ref(kind)}`.as('owner'),
      sql<string>`cast(sum(cost / 1000000) as text)`.as('millions'),
      sql<string>`cast(sum(cost % 1000000) as text)`.as('rest'),
    ])
    .execute()
  return new Map(
    rows.map(({ owner, millions, rest }) => [decodeText(owner), BigInt(millions) * 1_000_000n + BigInt(rest)]),
  )
}
