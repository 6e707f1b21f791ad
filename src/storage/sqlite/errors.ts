import { InputError, StorageError, VersionConflict, messageOf } from '../../contract/index.ts'

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

function errorCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

export function isLocked(error: unknown): boolean {
  const code = errorCode(error)
  return code === resultCode.busy || code === resultCode.locked
}

/** The file, its folder or its disk cannot be written by this user. */
export function isReadOnly(error: unknown): boolean {
  const code = errorCode(error)
  if (code === resultCode.readOnly || code === resultCode.cannotOpen) return true
  return error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS'].includes(String(error.code))
}

/** File system errors when creating the folder. */
const systemAdvice: Record<string, string> = {
  EACCES: 'this user has no write permission there: change the permissions or use another data folder',
  EPERM: 'this user has no write permission there: change the permissions or use another data folder',
  ENOENT: 'no folder can be created there: use another data folder',
  EROFS: 'the disk is read-only: use another data folder',
  ENOSPC: 'the disk is full: free some space and try again',
  ENOTDIR: 'part of the path is a file, not a folder: use another data folder',
  EEXIST: 'part of the path is a file, not a folder: use another data folder',
}

/** Says what is wrong and what to do. */
export function toStorageError(error: unknown, file: string): Error {
  if (error instanceof StorageError || error instanceof InputError || error instanceof VersionConflict) return error
  const explain = (text: string) => new StorageError(`The database ${file} ${text}`, { cause: error })
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code in systemAdvice)
    return explain(`cannot be created: ${systemAdvice[error.code]}.`)
  const detail = messageOf(error)
  switch (errorCode(error)) {
    case resultCode.busy:
    case resultCode.locked:
      return explain(
        'is locked by another program: close that program, or wait until it is done, and try again. Everything stored before is safe.',
      )
    case resultCode.readOnly:
      return explain(
        'cannot be written: make the file and its folder writable by this user, or use another data folder.',
      )
    case resultCode.cannotOpen:
      return explain(
        'cannot be opened: its folder must exist and be writable by this user, and the path must not be a folder; or use another data folder.',
      )
    case resultCode.full:
      return explain(
        'cannot grow because the disk is full: free some space and try again. Everything stored before is safe.',
      )
    case resultCode.inputOutput:
      return explain(
        `cannot be read or written (${detail}): check the disk and its free space, then try again. Everything stored before is unchanged.`,
      )
    case resultCode.corrupt:
      return explain(
        `is damaged (${detail}): keep the file, restore it from a backup, or recover what is readable with: sqlite3 FILE .recover`,
      )
    case resultCode.notADatabase:
      return explain('is not an SQLite database: check the path, or use another data folder. The file was not changed.')
    case resultCode.tooBig:
      return explain('cannot store a text this long (the maximum is 1 GB): shorten it.')
    default:
      return explain(
        `failed unexpectedly (${detail}): this is a bug in Benchmaker, or the database was changed by hand; please report it.`,
      )
  }
}
