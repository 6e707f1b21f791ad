import type pg from 'pg'
import { StorageError } from '../../contract/index.ts'
import { readText, type Statement, type StatementResult } from '../sql/operation.ts'
import { isConnectionLost, isTransient } from './errors.ts'
import type { createReconnector } from './reconnect.ts'

const MAX_TRIES = 5

/** The connection was lost during COMMIT: only the server knows whether the transaction counts. */
class UnknownCommit<Result> {
  readonly transactionId: string
  readonly result: Result
  readonly lost: unknown

  constructor(transactionId: string, result: Result, lost: unknown) {
    this.transactionId = transactionId
    this.result = result
    this.lost = lost
  }
}

interface TransactOptions {
  /** Without it, a lost connection fails the call. */
  reconnect?: ReturnType<typeof createReconnector>
  /** For each statement, instead of the usual limit. */
  timeoutMs?: number
  /** Of PostgreSQL, for this transaction only. */
  settings?: Record<string, string>
}

export type Execute = (statement: Statement) => Promise<StatementResult>

/** Runs the work in a transaction, and again if it conflicts with another one or the connection is lost. */
export async function transact<Result>(
  pool: pg.Pool,
  work: (execute: Execute) => Promise<Result>,
  { reconnect = (attempt) => attempt(), ...limits }: TransactOptions,
): Promise<Result> {
  let unknown: UnknownCommit<Result> | undefined
  let conflicts = 0
  return reconnect(async () => {
    for (;;) {
      if (unknown) {
        if (await isCommitted(pool, unknown)) return unknown.result
        unknown = undefined
      }
      try {
        return await transactOnce(pool, work, limits)
      } catch (error) {
        if (error instanceof UnknownCommit) {
          unknown = error
          throw error.lost
        }
        if (!isTransient(error) || ++conflicts === MAX_TRIES) throw error
      }
    }
  })
}

/** Asks the server, so that an operation whose reply was lost is not written twice. */
async function isCommitted(pool: pg.Pool, { transactionId, lost }: UnknownCommit<unknown>): Promise<boolean> {
  const { rows } = await pool.query<{ status: string | null }>('SELECT txid_status($1) AS status', [transactionId])
  const status = rows[0]?.status
  if (status === 'committed') return true
  if (status === 'aborted') return false
  // Still in progress: the server has not noticed yet that the connection is gone.
  if (status === 'in progress') throw lost
  throw new StorageError(
    'The PostgreSQL server no longer knows whether the last write was stored: check the run before you resume it.',
    { cause: lost },
  )
}

async function transactOnce<Result>(
  pool: pg.Pool,
  work: (execute: Execute) => Promise<Result>,
  { timeoutMs, settings }: Omit<TransactOptions, 'reconnect'>,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  const rememberBroken = (error: unknown) => {
    if (error instanceof Error && isConnectionLost(error)) broken = error
  }
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs }
  try {
    const transactionId = await begin(client, {
      ...settings,
      ...(timeoutMs !== undefined && { statement_timeout: String(timeoutMs) }),
    })
    const result = await work(async ({ name, sql, parameters }) => {
      const { rows, rowCount } = await client.query({
        ...(name !== undefined && { name }),
        text: sql,
        values: [...parameters],
        ...limit,
      })
      return { rows, changes: rowCount ?? 0 }
    })
    await client.query({ text: 'COMMIT', ...limit }).catch((error: unknown) => {
      throw isConnectionLost(error) ? new UnknownCommit(transactionId, result, error) : error
    })
    return result
  } catch (error) {
    rememberBroken(error instanceof UnknownCommit ? error.lost : error)
    if (!broken) await client.query('ROLLBACK').catch(rememberBroken)
    throw error
  } finally {
    client.release(broken)
  }
}

/** Starts a transaction and returns its id, in one round trip. */
async function begin(client: pg.PoolClient, settings: Record<string, string>): Promise<string> {
  const set = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}; `)
  const replies = await client.query<{ id: unknown }>(`BEGIN; ${set.join('')}SELECT txid_current()::text AS id`)
  // Several statements have several replies, which pg's types leave out.
  return readText([replies].flat().at(-1)?.rows[0]?.id)
}
