import type pg from 'pg'
import type { Statement } from '../sql/operation.ts'
import { isConnectionLost } from './errors.ts'
import type { Reconnect } from './reconnect.ts'
import { sendTogether } from './send-together.ts'
import { repeatLost, UnknownOutcome } from './repeat-lost.ts'

interface CommitOptions {
  reconnect: Reconnect
  /** Of PostgreSQL, for these statements only. */
  settings: Record<string, string>
  /** Shows in the column `written` whether the statements were committed. If not, they are sent again. */
  askIfWritten: Statement
}

/**
 * Commits all statements or none of them, in one round trip: PostgreSQL takes what is sent in one for one transaction,
 * without BEGIN and COMMIT.
 */
export const commitTogether = (
  pool: pg.Pool,
  statements: Statement[],
  { reconnect, ...options }: CommitOptions,
): Promise<void> => repeatLost(() => commitOnce(pool, statements, options), reconnect)

async function commitOnce(
  pool: pg.Pool,
  statements: Statement[],
  { settings, askIfWritten }: Omit<CommitOptions, 'reconnect'>,
): Promise<void> {
  const client = await pool.connect()
  let isBroken = true
  try {
    const session = sessions.get(client) ?? (await identify(client))
    const set = {
      name: 'benchmaker settings',
      sql: 'SELECT set_config(key, value, true) FROM json_each_text($1)',
      parameters: [JSON.stringify(settings)],
    }
    await sendTogether(client, [set, ...statements], {}).catch((error: unknown) => {
      if (!isConnectionLost(error)) throw error
      throw new UnknownOutcome(undefined, error, async () => {
        await end(pool, session, error)
        const { rows } = await pool.query<{ written: boolean }>(askIfWritten.sql, [...askIfWritten.parameters])
        return rows[0]!.written
      })
    })
    isBroken = false
  } finally {
    client.release(isBroken)
  }
}

/** How the server knows a connection. Its process id alone may be given to another one later. */
interface Session {
  pid: number
  startedAt: string
}

const sessions = new WeakMap<pg.PoolClient, Session>()

async function identify(client: pg.PoolClient): Promise<Session> {
  const { rows } = await client.query<Session>(
    'SELECT pid, backend_start::text AS "startedAt" FROM pg_stat_activity WHERE pid = pg_backend_pid()',
  )
  sessions.set(client, rows[0]!)
  return rows[0]!
}

/** Otherwise the server might commit what it received long after the connection was lost here. */
async function end(pool: pg.Pool, { pid, startedAt }: Session, lost: unknown): Promise<void> {
  const { rowCount } = await pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2::timestamptz',
    [pid, startedAt],
  )
  // It takes a moment: asked again soon.
  if (rowCount !== 0) throw lost
}
