import type pg from 'pg'
import type { Reconnect } from './reconnect.ts'

const BLOCK = 200
/** Ids grow with time even if another program continues a run: it does so some seconds later. */
const USABLE_MS = 5000

/** Ids of attempts, known before they are written: after a lost reply, they show whether it was. */
export class AttemptIds {
  readonly #pool: pg.Pool
  readonly #reconnect: Reconnect
  #ids: number[] = []
  #reservedAt = 0

  constructor(pool: pg.Pool, reconnect: Reconnect) {
    this.#pool = pool
    this.#reconnect = reconnect
  }

  async take(count: number): Promise<number[]> {
    if (performance.now() - this.#reservedAt > USABLE_MS) this.#ids = []
    while (this.#ids.length < count) {
      const more = await this.#reconnect(() => this.#reserve(Math.max(BLOCK, count)))
      this.#ids = [...this.#ids, ...more]
      this.#reservedAt = performance.now()
    }
    return this.#ids.splice(0, count)
  }

  async #reserve(count: number): Promise<number[]> {
    const { rows } = await this.#pool.query<{ id: number }>(
      "SELECT nextval(pg_get_serial_sequence('attempts', 'id')) AS id FROM generate_series(1, $1::integer)",
      [count],
    )
    return rows.map(({ id }) => id)
  }
}
