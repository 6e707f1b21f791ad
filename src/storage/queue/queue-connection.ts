import { isConnectionLost } from '../postgres/errors.ts'
import { createReconnector } from '../postgres/reconnect.ts'
import { openPool } from '../postgres/open-pool.ts'

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
  const openConnections = () =>
    openPool({
      connectionString,
      max: connections,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      application_name: 'benchmaker queue',
    })
  const statements = openConnections()
  // Apart: pg-boss may look something up in the middle of a transaction, and must not wait for the connection of that.
  const transactions = openConnections()
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
