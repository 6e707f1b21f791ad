import type pg from 'pg'
import { StorageError } from '../../contract/index.ts'
import { readText, type Statement, type StatementResult } from '../sql/operation.ts'
import { isConnectionLost } from './errors.ts'
import type { Reconnect } from './reconnect.ts'
import { repeatLost, UnknownOutcome } from './repeat-lost.ts'
import { sendTogether } from './send-together.ts'

interface TransactOptions {
  /** Without it, a lost connection fails the call. */
  reconnect?: Reconnect
  /** For each statement, instead of the usual limit. */
  timeoutMs?: number
  /** Of PostgreSQL, for this transaction only. */
  settings?: Record<string, string>
}

/** Runs statements one after the other, in one round trip. */
export type Execute = (statements: Statement[]) => Promise<StatementResult[]>

/** For work that needs the result of each statement before the next. */
export const oneByOne =
  (execute: Execute) =>
  async (statement: Statement): Promise<StatementResult> => {
    const [result] = await execute([statement])
    return result!
  }

/** Runs the work in a transaction, and again if it conflicts with another one or the connection is lost. */
export const transact = <Result>(
  pool: pg.Pool,
  work: (execute: Execute) => Promise<Result>,
  { reconnect = (attempt) => attempt(), ...limits }: TransactOptions,
): Promise<Result> => repeatLost(() => transactOnce(pool, work, limits), reconnect)

/** Asks the server, so that an operation whose reply was lost is not written twice. */
async function isCommitted(pool: pg.Pool, transactionId: string, lost: unknown): Promise<boolean> {
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
  const allSettings = { ...settings, ...(timeoutMs !== undefined && { statement_timeout: String(timeoutMs) }) }
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs }
  let transactionId: string | undefined
  let isBroken = false
  const rememberBroken = (error: unknown): never => {
    isBroken = true
    throw error
  }
  try {
    const result = await work(async (statements) => {
      if (transactionId !== undefined) return sendTogether(client, statements, limit).catch(rememberBroken)
      const all = [...begin(allSettings), ...statements]
      const [, begun, ...results] = await sendTogether(client, all, limit).catch(rememberBroken)
      transactionId = readText(begun?.rows[0]?.id)
      return results
    })
    const id = transactionId
    if (id !== undefined)
      await client.query({ text: 'COMMIT', ...limit }).catch((error: unknown) => {
        const isKnown = !isConnectionLost(error)
        rememberBroken(isKnown ? error : new UnknownOutcome(result, error, () => isCommitted(pool, id, error)))
      })
    return result
  } catch (error) {
    if (transactionId !== undefined && !isBroken) await client.query('ROLLBACK').catch(() => (isBroken = true))
    throw error
  } finally {
    client.release(isBroken)
  }
}

/** Starts a transaction, asks for its id and sets what holds for it alone. */
function begin(settings: Record<string, string>): Statement[] {
  return [
    { name: 'benchmaker begin', sql: 'BEGIN', parameters: [] },
    {
      name: 'benchmaker transaction',
      sql: 'SELECT txid_current()::text AS id, (SELECT count(set_config(key, value, true)) FROM json_each_text($1))',
      parameters: [JSON.stringify(settings)],
    },
  ]
}
