import pg from 'pg'

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 10_000
/** A frozen process must not hold its locks for long, or nobody could take over; transactions never wait for models. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000

interface PoolOptions extends pg.PoolConfig {
  connectionString: string
  /** How long the server may work on one statement. */
  statement_timeout: number
}

export function openPool(options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // Notices a server that vanished without closing the connection; longer, so that the server's own limit comes first.
    query_timeout: 1.1 * options.statement_timeout,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    ...options,
  })
  // Without listeners, a lost connection would end the process, whether it is idle or in use.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}
