import type pg from 'pg'
import { StorageError } from '../../contract/index.ts'
import { readText, type Statement, type StatementResult } from '../sql/operation.ts'
import { isConnectionLost, isTransient } from './errors.ts'
import type { Reconnect } from './reconnect.ts'

const MAX_CONFLICTS = 5

interface TransactOptions {
  /** Without it, a lost connection fails the call. */
  reconnect?: Reconnect
  /** For each statement, instead of the usual limit. */
  timeoutMs?: number
}

export type Execute = (statement: Statement) => Promise<StatementResult>

/** The connection was lost: only the server knows whether the transaction was committed. */
class UnknownOutcome<Result> {
  readonly transactionId: string
  /** Undefined if the work had not ended, so that nothing can have been committed. */
  readonly done: { result: Result } | undefined
  readonly lost: unknown

  constructor(transactionId: string, done: { result: Result } | undefined, lost: unknown) {
    this.transactionId = transactionId
    this.done = done
    this.lost = lost
  }
}

/**
 * Runs the work in a transaction, and again if it conflicts with another one or the connection is lost, but never twice
 * with success: after a lost connection the server is asked first.
 */
export async function transact<Result>(
  pool: pg.Pool,
  work: (execute: Execute) => Promise<Result>,
  { reconnect = (attempt) => attempt(), timeoutMs }: TransactOptions,
): Promise<Result> {
  let unknown: UnknownOutcome<Result> | undefined
  let conflicts = 0
  return reconnect(async () => {
    for (;;) {
      if (unknown) {
        const isCommitted = await endTransaction(pool, unknown)
        if (isCommitted && unknown.done) return unknown.done.result
        unknown = undefined
      }
      try {
        return await transactOnce(pool, work, timeoutMs)
      } catch (error) {
        if (error instanceof UnknownOutcome) {
          unknown = error
          throw error.lost
        }
        if (!isTransient(error) || ++conflicts === MAX_CONFLICTS) throw error
      }
    }
  })
}

/**
 * Ends the transaction on the server, which may not have noticed yet that its connection is gone and might commit or hold
 * its locks long after. Returns whether it was committed.
 */
async function endTransaction(pool: pg.Pool, { transactionId, lost }: UnknownOutcome<unknown>): Promise<boolean> {
  const { rows } = await pool.query<{ status: string | null }>(
    `SELECT txid_status($1::bigint) AS status, (SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND backend_xid = $1::text::xid8::xid) AS ended`,
    [transactionId],
  )
  const status = rows[0]?.status
  if (status === 'committed') return true
  if (status === 'aborted') return false
  // Ending takes a moment: asked again soon.
  if (status === 'in progress') throw lost
  throw new StorageError(
    'The PostgreSQL server no longer knows whether the last write was stored: check the run before you resume it.',
    { cause: lost },
  )
}

async function transactOnce<Result>(
  pool: pg.Pool,
  work: (execute: Execute) => Promise<Result>,
  timeoutMs: number | undefined,
): Promise<Result> {
  const client = await pool.connect()
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs }
  const execute: Execute = async ({ sql, parameters }) => {
    const { rows, rowCount } = await client.query({ text: sql, values: [...parameters], ...limit })
    return { rows, changes: rowCount ?? 0 }
  }
  let isBroken = false
  let transactionId: string | undefined
  let done: { result: Result } | undefined
  try {
    await client.query('BEGIN')
    if (timeoutMs !== undefined) await client.query(`SET LOCAL statement_timeout = ${timeoutMs}`)
    const begun = await client.query('SELECT txid_current()::text AS id')
    transactionId = readText(begun.rows[0].id)
    done = { result: await work(execute) }
    await client.query({ text: 'COMMIT', ...limit })
    return done.result
  } catch (error) {
    isBroken = isConnectionLost(error)
    if (isBroken && transactionId !== undefined) throw new UnknownOutcome(transactionId, done, error)
    if (!isBroken) await client.query('ROLLBACK').catch(() => (isBroken = true))
    throw error
  } finally {
    client.release(isBroken)
  }
}
