import pg from 'pg'
import { isConnectionLost } from '../postgres/errors.ts'
import { createReconnector } from '../postgres/reconnect.ts'

export type Execute = (
  sql: string,
  parameters?: readonly unknown[],
) => Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>

export interface QueueConnection {
  /** Waits for a server that is away. */
  execute: Execute
  /** All or nothing. May run the work again if the connection is lost. */
  transact<Result>(work: (execute: Execute) => Promise<Result>): Promise<Result>
  /** Milliseconds since the server was last away; undefined if it never was. */
  sinceLost(): number | undefined
  close(): Promise<void>
}

/** A frozen worker must not keep a lease's row locked: nobody could take over. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 60_000

export interface QueueConnectionOptions {
  connectionString: string
  place: string
  reconnectMs: number
  /** For statements, and as many for transactions. */
  connections: number
}

/** Connections apart from those of the storage: a lease is renewed even while all of them are busy. */
export function connectQueue({
  connectionString,
  place,
  reconnectMs,
  connections,
}: QueueConnectionOptions): QueueConnection {
  const openPool = () => {
    const pool = new pg.Pool({
      connectionString,
      max: connections,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: 1.1 * STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
      application_name: 'benchmaker queue',
    })
    // Without listeners, a lost connection would end the process.
    pool.on('error', () => {})
    pool.on('connect', (client) => void client.on('error', () => {}))
    return pool
  }
  const statements = openPool()
  // Apart: pg-boss may look something up in the middle of a transaction, and must not wait for the connection of that.
  const transactions = openPool()
  const reconnect = createReconnector({ place, waitMs: reconnectMs })
  let lostAt: number | undefined

  const noteLoss = <Result>(attempt: () => Promise<Result>) =>
    reconnect(async () => {
      try {
        return await attempt()
      } catch (error) {
        if (isConnectionLost(error)) lostAt = performance.now()
        throw error
      }
    })

  async function transactOnce<Result>(work: (execute: Execute) => Promise<Result>): Promise<Result> {
    const client = await transactions.connect()
    let broken: Error | undefined
    const rememberBroken = (error: unknown) => {
      if (error instanceof Error && isConnectionLost(error)) broken = error
    }
    try {
      await client.query('BEGIN')
      const result = await work((sql, parameters = []) => client.query(sql, [...parameters]))
      await client.query('COMMIT')
      return result
    } catch (error) {
      rememberBroken(error)
      if (!broken) await client.query('ROLLBACK').catch(rememberBroken)
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    execute: (sql, parameters = []) => noteLoss(() => statements.query(sql, [...parameters])),
    transact: (work) => noteLoss(() => transactOnce(work)),
    sinceLost: () => (lostAt === undefined ? undefined : performance.now() - lostAt),
    close: async () => {
      await Promise.all([statements.end(), transactions.end()])
    },
  }
}
