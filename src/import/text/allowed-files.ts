import { constants } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { isAbsolute, posix, relative, resolve, sep } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { decodeSource, explainReadError } from './source-text.ts'

/** Reads the files that a suite or config names. Whoever wrote it may be a stranger. */
export interface AllowedFiles {
  readText(path: string): Promise<string>
  readBytes(path: string): Promise<Uint8Array>
  /** The names in a folder, hidden ones left out. */
  list(folder: string): Promise<string[]>
}

const MAX_FILE_BYTES = 64 * 1024 * 1024

/** Together; also ends a file that names itself. */
const MAX_FILES = 10_000
const MAX_TOTAL_BYTES = 512 * 1024 * 1024

/** True for the root itself and for what lies below it; hidden files and folders below it do not count. */
function isBelow(path: string, root: string): boolean {
  const way = relative(root, path)
  if (way === '') return true
  return !isAbsolute(way) && way.split(sep).every((part) => !part.startsWith('.'))
}

/** Allows regular files below the folders, and nothing else. Links are resolved first. */
export function allowFilesBelow(folders: readonly string[]): AllowedFiles {
  let files = 0
  let bytes = 0
  const roots = Promise.all(folders.map((folder) => realpath(folder).catch(() => resolve(folder))))

  async function check(path: string): Promise<string> {
    // A missing file outside is refused like one that exists: the answer must not tell which files there are.
    const real = await realpath(path).catch(() => undefined)
    const allowed = await roots
    const isAllowed = (place: string) => allowed.some((root) => isBelow(place, root))
    if (real === undefined ? folders.some((folder) => isBelow(resolve(path), resolve(folder))) : isAllowed(real))
      return real ?? path
    throw new InputError(
      `${path}: is not read, because it is hidden or outside the folder of the file that names it; --allow-files ${JSON.stringify(resolve(path))} allows it`,
    )
  }

  async function readBytes(path: string): Promise<Buffer> {
    const real = await check(path)
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
      throw new InputError(`${path}: ${explainReadError(error)}`, { cause: error })
    })
    try {
      const found = await handle.stat()
      if (!found.isFile())
        throw new InputError(`${path}: is ${found.isDirectory() ? 'a folder, not a file' : 'not a regular file'}`)
      if (found.size > MAX_FILE_BYTES)
        throw new InputError(`${path}: is larger than ${MAX_FILE_BYTES / 1024 ** 2} MiB, the most that is read`)
      files++
      bytes += found.size
      if (files > MAX_FILES || bytes > MAX_TOTAL_BYTES)
        throw new InputError(
          `${path}: more than ${MAX_FILES} files or ${MAX_TOTAL_BYTES / 1024 ** 2} MiB are named; does a file name itself?`,
        )
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  }

  return {
    readBytes,
    readText: async (path) => decodeSource(await readBytes(path), path),
    async list(folder) {
      const real = await check(folder)
      const names = await readdir(real).catch((error: unknown) => {
        throw new InputError(`${folder}: there is no such folder`, { cause: error })
      })
      return names.filter((name) => !name.startsWith('.'))
    },
  }
}

/** For text that came without files: a path in it would name a file of this machine, not of the person who sent it. */
export function allowNoFiles(explain: (path: string) => string): AllowedFiles {
  const refuse = (path: string): never => {
    throw new InputError(explain(path))
  }
  return {
    readText: async (path) => refuse(path),
    readBytes: async (path) => refuse(path),
    list: async (folder) => refuse(folder),
  }
}

/** A file that was uploaded with a config, by its path from the config's folder. */
export type GivenFile = { path: string; text: string } | { path: string; base64: string }

/** Reads only files that were uploaded together: a path never reaches the disk. */
export function allowGivenFiles(given: readonly GivenFile[], explain: (path: string) => string): AllowedFiles {
  const clean = (path: string) => posix.normalize(path.replaceAll('\\', '/')).replace(/^\.?\//, '')
  const byPath = new Map(given.map((file) => [clean(file.path), file]))
  const find = (path: string): GivenFile => {
    const file = byPath.get(clean(path))
    if (file) return file
    throw new InputError(explain(path))
  }
  const bytesOf = (file: GivenFile) => ('text' in file ? Buffer.from(file.text) : Buffer.from(file.base64, 'base64'))
  return {
    readText: async (path) => {
      const file = find(path)
      return 'text' in file ? file.text : decodeSource(bytesOf(file), path)
    },
    readBytes: async (path) => bytesOf(find(path)),
    list: async (folder) => {
      const base = clean(folder)
      const names = [...byPath.keys()].flatMap((path) => (posix.dirname(path) === base ? [posix.basename(path)] : []))
      if (names.length === 0) throw new InputError(explain(folder))
      return names
    },
  }
}
