import type pg from 'pg'
import { shareLeaseMs, type LimitStore, type Moves, type ShareRequest } from '../../contract/index.ts'
import { toStorageError } from './errors.ts'
import { nameDatabase } from './postgres-storage.ts'
import { createReconnector } from './reconnect.ts'
import { allocate } from './allocate.ts'
import { openPool } from './open-pool.ts'

/** Limits wait behind nothing else: few connections of their own, apart from those that store results. */
const CONNECTIONS = 2
const STATEMENT_TIMEOUT_MS = 10_000

/** Rows that nobody used for so long belong to runs that have ended. */
const KEPT_SECONDS = 86_400

/** A pause that ends at most this much later than the one before is the same pause. */
const SAME_PAUSE_SECONDS = 0.25

/** With few holders of a small limit, how long one has to wait for its turn. */
const TURN_SECONDS = 5

const NOW = 'extract(epoch FROM clock_timestamp())::float8'

/**
 * A new line starts with more moves than one of the same name that was deleted can have had, and with the time: without it
 * another process would tidy it away before it is used.
 */
const CREATE = `INSERT INTO provider_limits (key, request_slot, token_slot, paused_until, moves)
VALUES ($1, ${NOW}, 0, 0, floor(${NOW})) ON CONFLICT DO NOTHING`

/** The next free slots; everyone who asks later gets later ones. */
const RESERVE = `UPDATE provider_limits l
SET request_slot = x.request + $2::float8 * $3::float8, token_slot = x.token + $2::float8 * $4::float8
FROM (
  SELECT key, now, greatest(request_slot, now) AS request, greatest(token_slot, now) AS token
  FROM (SELECT *, ${NOW} AS now FROM provider_limits WHERE key = $1 FOR UPDATE) locked
) x
WHERE l.key = x.key
RETURNING greatest(x.request, x.token) - x.now AS wait, l.moves, greatest(0, l.paused_until - x.now) AS paused`

const GIVE_BACK = `UPDATE provider_limits SET token_slot = token_slot - $2::float8 WHERE key = $1
RETURNING moves, greatest(0, paused_until - ${NOW}) AS paused`

const LISTEN = `SELECT moves, greatest(0, paused_until - ${NOW}) AS paused FROM provider_limits WHERE key = $1`

/** Several requests are refused at once: the first moves the slots, the others find them moved. */
const POSTPONE = `UPDATE provider_limits
SET paused_until = ${NOW} + $2::float8, request_slot = ${NOW} + $2::float8, moves = moves + 1
WHERE key = $1 AND ${NOW} + $2::float8 > paused_until + least(${SAME_PAUSE_SECONDS}, $2::float8 / 2)`

interface MovesRow {
  moves: string
  paused: number
}

const readMoves = ({ moves, paused }: MovesRow): Moves => ({ moves: Number(moves), pausedMs: 1000 * paused })

/** Keeps the limits of providers for all processes that use the database. Its tables must exist already. */
export function openLimitStore({
  connectionString,
  reconnectMs = 60_000,
}: {
  connectionString: string
  reconnectMs?: number
}): LimitStore {
  const place = nameDatabase(connectionString)
  const pool = openPool({
    connectionString,
    max: CONNECTIONS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'benchmaker limits',
  })
  const reconnect = createReconnector({ place, waitMs: reconnectMs })
  let isTidied = false

  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await reconnect(work)
    } catch (error) {
      throw toStorageError(error, place)
    }
  }

  /** Named: parsed and planned once a connection. */
  async function query<Row extends object>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    return (await pool.query<Row>({ name, text, values })).rows
  }

  async function create(key: string): Promise<void> {
    await query('create', CREATE, [key])
    if (isTidied) return
    isTidied = true
    await query('tidy shares', `DELETE FROM provider_shares WHERE expires_at < ${NOW}`, [])
    await query(
      'tidy',
      `DELETE FROM provider_limits WHERE greatest(request_slot, token_slot, paused_until) < ${NOW} - $1::float8
       AND key <> $2 AND NOT EXISTS (SELECT FROM provider_shares s WHERE s.key = provider_limits.key)`,
      [KEPT_SECONDS, key],
    )
  }

  /** The row of a key that nobody has used yet is created on the way. */
  async function queryRow<Row extends object>(name: string, text: string, values: [string, ...unknown[]]) {
    return guard(async () => {
      const [row] = await query<Row>(name, text, values)
      if (row) return row
      await create(values[0])
      return (await query<Row>(name, text, values))[0]!
    })
  }

  const listen = async (key: string) => readMoves(await queryRow<MovesRow>('listen', LISTEN, [key]))

  return {
    isShared: true,
    async reserve(key, { slots, requestSeconds, tokenSeconds }) {
      const row = await queryRow<MovesRow & { wait: number }>('reserve', RESERVE, [
        key,
        slots,
        requestSeconds,
        tokenSeconds,
      ])
      return { waitMs: 1000 * row.wait, ...readMoves(row) }
    },
    refund: async (key, tokenSeconds) =>
      tokenSeconds === 0
        ? listen(key)
        : readMoves(await queryRow<MovesRow>('give back', GIVE_BACK, [key, tokenSeconds])),
    async postpone(key, milliseconds) {
      await guard(async () => {
        await create(key)
        await query('postpone', POSTPONE, [key, milliseconds / 1000])
      })
      return listen(key)
    },
    acquire: (key, request) =>
      guard(async () => {
        const share = await acquire(pool, key, request)
        if (share !== undefined) return share
        await create(key)
        return (await acquire(pool, key, request)) ?? 0
      }),
    release: (key, holder) =>
      guard(async () => {
        await query('end share', 'DELETE FROM provider_shares WHERE key = $1 AND holder = $2', [key, holder])
      }),
    close: () => pool.end(),
  }
}

/** Undefined if there is no line of this key yet. */
async function acquire(
  pool: pg.Pool,
  key: string,
  { holder, limit, wanted, kept }: ShareRequest,
): Promise<number | undefined> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('BEGIN')
    // Everyone who shares the limit waits here, so that each sees what the one before took.
    const { rows: locked } = await client.query<{ now: number }>(
      `SELECT ${NOW} AS now FROM provider_limits WHERE key = $1 FOR UPDATE`,
      [key],
    )
    const now = locked[0]?.now
    if (now === undefined) {
      await client.query('ROLLBACK')
      return undefined
    }
    await client.query('DELETE FROM provider_shares WHERE key = $1 AND expires_at < $2', [key, now])
    const { rows } = await client.query<{ holder: string; held: string; wanted: string }>(
      'SELECT holder, held, wanted FROM provider_shares WHERE key = $1 AND holder <> $2',
      [key, holder],
    )
    const others = rows.map((row) => ({ holder: row.holder, held: Number(row.held), wanted: Number(row.wanted) }))
    const turn = Math.floor(now / TURN_SECONDS)
    const { held, allowed } = allocate(limit, { holder, kept, wanted }, others, turn)
    await client.query(
      `INSERT INTO provider_shares (key, holder, held, wanted, expires_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (key, holder) DO UPDATE SET held = $3, wanted = $4, expires_at = $5`,
      [key, holder, held, wanted, now + shareLeaseMs / 1000],
    )
    await client.query('COMMIT')
    return allowed
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // After a failure the connection may be in the middle of a transaction.
    client.release(failure)
  }
}
