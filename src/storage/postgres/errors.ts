import { InputError, StorageError, VersionConflict, messageOf } from '../../contract/index.ts'

/** What to do, by SQLSTATE code (PostgreSQL documentation, appendix A) or system error code. */
const advice: Record<string, string> = {
  ECONNREFUSED: 'does not respond: start the server, or correct the host and port',
  ENOTFOUND: 'cannot be found: correct the host',
  EAI_AGAIN: 'cannot be found: correct the host, or check the network',
  ETIMEDOUT: 'does not respond: check the network and the host',
  ECONNRESET: 'closed the connection: check the server and try again. Everything stored before is safe',
  EPIPE: 'closed the connection: check the server and try again. Everything stored before is safe',
  '28P01': 'rejects the password: correct the user and password',
  '28000': 'rejects this user: correct the user, or allow it in pg_hba.conf',
  '3D000': 'does not exist: create it with createdb, or correct its name',
  '42501': 'does not let this user create or change tables: grant the privileges, or use another user',
  '25006': 'is read-only: connect to the primary server',
  '53100':
    "cannot grow because the server's disk is full: free some space and try again. Everything stored before is safe",
  '53200': 'is out of memory: try again when the server is less busy',
  '53300': 'accepts no more connections: close some, or raise max_connections',
  '55P03': 'is locked by another program: wait until it is done and try again. Everything stored before is safe',
  '57P01': 'is shutting down: restart it and try again. Everything stored before is safe',
  '57014': 'took too long and was stopped: try again when the server is less busy. Everything stored before is safe',
  '57P03': 'is starting or stopping: try again in a moment',
  '58030': 'cannot read or write its disk: check the server',
  XX001: 'is damaged: keep a copy of it as it is and restore a backup',
  XX002: 'is damaged: keep a copy of it as it is and restore a backup',
  '54000': 'cannot store a text this long (the maximum is 1 GB): shorten it',
}

/** A conflict with another transaction: the same work will succeed on a retry. */
const transientCodes = new Set(['40001', '40P01', '23503', '23505'])

function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The connection is gone, or the server is restarting: the next connection may succeed. */
const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '25P03',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
])

/** pg's own errors have no code. */
const lostMessages =
  /^(Connection terminated|Connection ended|Client has encountered a connection error|Client was closed|timeout e(xceeded|xpired)|Query read timeout|Cannot use a pool client)/i

export function isConnectionLost(error: unknown): boolean {
  if (error instanceof StorageError || !(error instanceof Error)) return false
  // Connecting to a name with several addresses fails with one error for each.
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost)
  const code = sqlState(error)
  return code === undefined ? lostMessages.test(error.message) : lostCodes.has(code)
}

/** The server, the database or the user has as many connections as it may have. */
export const isFull = (error: unknown): boolean => sqlState(error) === '53300'

/** The server stayed away for longer than calls wait. */
export const isServerGone = (error: unknown): boolean =>
  isConnectionLost(error) || (error instanceof StorageError && isConnectionLost(error.cause))

export const isTransient = (error: unknown): boolean => transientCodes.has(sqlState(error) ?? '')

export function toStorageError(error: unknown, place: string): Error {
  if (error instanceof StorageError || error instanceof InputError || error instanceof VersionConflict) return error
  const code = sqlState(error)
  const explanation = code === undefined ? undefined : advice[code]
  if (explanation) return new StorageError(`${place} ${explanation}.`, { cause: error })
  const detail = messageOf(error)
  if (/timeout|terminated|Connection ended/i.test(detail))
    return new StorageError(
      `${place} closed the connection or did not respond in time (${detail}): check the server and try again.`,
      { cause: error },
    )
  return new StorageError(
    `${place} failed unexpectedly (${detail}): check the server, or report this as a bug in Benchmaker.`,
    { cause: error },
  )
}
