import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { InputError } from '../contract/index.ts'

const OWNER_ONLY = 0o600

/** Written whole or not at all, and for its owner's eyes only. */
export function writePrivateFile(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.new`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(temporary, text, { mode: OWNER_ONLY, flag: 'wx', flush: true })
    // The mode above is cut by the umask only ever further; this is for a file system that ignored it.
    chmodSync(temporary, OWNER_ONLY)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new InputError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/** Undefined when it is not there, cannot be read or holds no JSON. */
export function readPrivateJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
