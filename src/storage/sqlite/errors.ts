import { InputError, StorageError, VersionConflict } from '../../contract/index.ts'

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const resultCode = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  tooBig: 18,
  notADatabase: 26,
} as const

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

export function isLocked(error: unknown): boolean {
  const code = codeOf(error)
  return code === resultCode.busy || code === resultCode.locked
}

/** Errors of the file system, from making the folder. */
const systemAdvice: Record<string, string> = {
  EACCES: 'this user may not write there: change the permissions or use another data folder',
  EPERM: 'this user may not write there: change the permissions or use another data folder',
  EROFS: 'the disk is read-only: use another data folder',
  ENOSPC: 'the disk is full: free some space and try again',
  ENOTDIR: 'part of the path is a file, not a folder: use another data folder',
  EEXIST: 'part of the path is a file, not a folder: use another data folder',
}

/** One sentence on what is wrong and one on what to do; the file itself is never touched. */
export function toStorageError(error: unknown, file: string): Error {
  if (error instanceof StorageError || error instanceof InputError || error instanceof VersionConflict) return error
  const say = (text: string) => new StorageError(`The database ${file} ${text}`, { cause: error })
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code in systemAdvice)
    return say(`cannot be made: ${systemAdvice[error.code]}.`)
  const detail = error instanceof Error ? error.message : String(error)
  switch (codeOf(error)) {
    case resultCode.busy:
    case resultCode.locked:
      return say(
        'is locked by another program: close that program, or wait until it is done, and try again. What was stored before is safe.',
      )
    case resultCode.readOnly:
      return say('cannot be written: make the file and its folder writable for this user, or use another data folder.')
    case resultCode.cannotOpen:
      return say(
        'cannot be opened: its folder must exist and be writable for this user, and the path must not be a folder; or use another data folder.',
      )
    case resultCode.full:
      return say('cannot grow because the disk is full: free some space and try again. What was stored before is safe.')
    case resultCode.inputOutput:
      return say(
        `cannot be read or written (${detail}): check the disk and its free space, then try again. What was stored before is left as it is.`,
      )
    case resultCode.corrupt:
      return say(
        `is damaged (${detail}): keep the file, restore it from a copy, or save what can be read with: sqlite3 FILE .recover`,
      )
    case resultCode.notADatabase:
      return say('is not an SQLite database: check the path, or use another data folder. The file was left as it is.')
    case resultCode.tooBig:
      return say('cannot hold a text as long as this one (1 GB is the most): shorten it.')
    default:
      return say(
        `could not do what was asked (${detail}): this is a mistake in Benchmaker or a database changed by hand; please report it.`,
      )
  }
}
