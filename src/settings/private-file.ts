import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { InputError, messageOf } from '../contract/index.ts'

const OWNER_ONLY = 0o600

/** Writes the whole file or nothing; only its owner can read it. */
export function writePrivateFile(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.new`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(temporary, text, { mode: OWNER_ONLY, flag: 'wx', flush: true })
    // The umask can only narrow the mode above; this is for file systems that ignore it.
    chmodSync(temporary, OWNER_ONLY)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new InputError(`${file} cannot be written: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** Undefined when the file is missing, unreadable or not JSON. */
export function readPrivateJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
