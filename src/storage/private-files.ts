import { chmodSync, closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, relative, resolve } from 'node:path'

/** Answers, prompts and keys are nobody else's business: files for their owner only. */
export const OWNER_ONLY_FILE = 0o600
const OWNER_ONLY_FOLDER = 0o700
const OTHERS = 0o077
const STICKY = 0o1000

/** Called with one line for each thing that others could read until now. */
export type Note = (line: string) => void

/**
 * Creates a folder and its parents. Node's own recursive mkdir never returns below a folder that can hold no folders,
 * such as /proc: the system says that the parent is missing, and Node tries again for ever.
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  let existing = resolve(path)
  while (!existsSync(existing) && existing !== dirname(existing)) {
    missing.unshift(existing)
    existing = dirname(existing)
  }
  for (const folder of missing)
    try {
      mkdirSync(folder, { mode: folder === missing.at(-1) ? OWNER_ONLY_FOLDER : 0o777 })
    } catch (error) {
      // Another process may have made it just now.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  if (!statSync(path).isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' })
}

/** Creates the folder for data, or closes an existing one to others. */
export function makePrivateFolder(path: string, note?: Note): void {
  makeFolder(path)
  if (isSharedPlace(path)) return
  if (closeToOthers(path, OWNER_ONLY_FOLDER)) note?.(`Others could look into the folder ${path}; now only you can.`)
}

/** Creates the file, empty, or closes an existing one to others. */
export function makePrivateFile(path: string, note?: Note): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY_FILE))
  tightenFile(path, note)
}

/** Closes a file to others, if it exists. */
export function tightenFile(path: string, note?: Note): void {
  if (closeToOthers(path, OWNER_ONLY_FILE)) note?.(`Others could read the file ${path}; now only you can.`)
}

/** A folder that is used for other things too: closing it would surprise, and the files in it are closed anyway. */
function isSharedPlace(path: string): boolean {
  const folder = realpathSync(path)
  const holds = (inner: string) => !relative(folder, inner).startsWith('..')
  return (statSync(folder).mode & STICKY) !== 0 || holds(process.cwd()) || holds(homedir())
}

function closeToOthers(path: string, mode: number): boolean {
  if (process.platform === 'win32') return false
  try {
    if ((statSync(path).mode & OTHERS) === 0) return false
    chmodSync(path, mode)
    return true
  } catch {
    // Missing, another user's, or on a disk without permissions or without writing.
    return false
  }
}
