import { InputError, StorageError, VersionConflict } from '../../contract/index.ts'

/** SQLSTATE codes (PostgreSQL documentation, appendix A) and the system's own, with what to do. */
const advice: Record<string, string> = {
  ECONNREFUSED: 'does not answer: start the server, or correct host and port',
  ENOTFOUND: 'cannot be found: correct the host',
  EAI_AGAIN: 'cannot be found: correct the host, or check the network',
  ETIMEDOUT: 'does not answer: check the network and the host',
  ECONNRESET: 'broke the connection: check the server and try again. What was stored before is safe',
  EPIPE: 'broke the connection: check the server and try again. What was stored before is safe',
  '28P01': 'refuses the password: correct user and password',
  '28000': 'refuses this user: correct the user, or let it in by pg_hba.conf',
  '3D000': 'does not exist: make it with createdb, or correct its name',
  '42501': 'does not let this user make or change tables: grant the rights, or use another user',
  '25006': 'is read-only: connect to the primary server',
  '53100':
    'cannot grow because the disk of the server is full: free some space and try again. What was stored before is safe',
  '53200': 'has no memory left: try again when the server is less busy',
  '53300': 'takes no more connections: close some, or raise max_connections',
  '55P03': 'is locked by another program: wait until it is done and try again. What was stored before is safe',
  '57P01': 'is being shut down: start it again and try again. What was stored before is safe',
  '57P03': 'is starting or stopping: try again in a moment',
  '58030': 'cannot read or write its disk: check the server',
  XX001: 'is damaged: keep a copy of it as it is and restore a backup',
  XX002: 'is damaged: keep a copy of it as it is and restore a backup',
  '54000': 'cannot hold a text as long as this one (1 GB is the most): shorten it',
}

/** Another transaction was in the way: the same work will do the next time. */
const passing = new Set(['40001', '40P01', '23503', '23505'])

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export const isPassing = (error: unknown): boolean => passing.has(codeOf(error) ?? '')

export function toStorageError(error: unknown, place: string): Error {
  if (error instanceof StorageError || error instanceof InputError || error instanceof VersionConflict) return error
  const code = codeOf(error)
  const known = code === undefined ? undefined : advice[code]
  if (known) return new StorageError(`${place} ${known}.`, { cause: error })
  const detail = error instanceof Error ? error.message : String(error)
  if (/timeout|terminated|Connection ended/i.test(detail))
    return new StorageError(
      `${place} broke the connection or did not answer in time (${detail}): check the server and try again.`,
      { cause: error },
    )
  return new StorageError(
    `${place} could not do what was asked (${detail}): check the server, or report it as a mistake in Benchmaker.`,
    { cause: error },
  )
}
