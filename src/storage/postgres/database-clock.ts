import type pg from 'pg'

const MEASURE_EVERY_MS = 60_000
/** Clocks that differ by less agree well enough, and a clock that is left alone never jumps. */
const TOLERATED_MS = 2_000

export interface DatabaseClock {
  /** Milliseconds since 1970 by the database's clock. */
  now(): number
  close(): void
}

/**
 * The time by which processes on several machines judge whether a claim or a reservation has expired: the clock of one of
 * them may be wrong by hours.
 */
export async function openDatabaseClock(pool: pg.Pool): Promise<DatabaseClock> {
  let aheadMs = 0
  const measure = async () => {
    const asked = Date.now()
    const { rows } = await pool.query<{ now: number }>(
      'SELECT (1000 * extract(epoch FROM clock_timestamp()))::float8 AS now',
    )
    const replied = Date.now()
    const difference = Math.round(rows[0]!.now - (asked + replied) / 2)
    aheadMs = Math.abs(difference) < TOLERATED_MS + (replied - asked) ? 0 : difference
  }
  await measure()
  // A database that is away keeps the last measurement.
  const timer = setInterval(() => void measure().catch(() => undefined), MEASURE_EVERY_MS)
  timer.unref()
  return { now: () => Date.now() + aheadMs, close: () => clearInterval(timer) }
}
