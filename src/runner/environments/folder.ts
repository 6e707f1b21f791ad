import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { InputError, isJsonObject } from '../../contract/index.ts'

/** More than a case needs; a server that fills the disk ends its conversation. */
const MAX_FILES = 2000
const MAX_BYTES = 16 * 1024 * 1024

export interface CellFolder {
  path: string
  /** Its files, by path: the world. */
  read(): Record<string, string>
  remove(): void
}

/** A folder of its own for one conversation, with these files. */
export function makeFolder(files: unknown): CellFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'benchmaker-cell-')))
  for (const [name, text] of Object.entries(isJsonObject(files) ? files : {})) {
    const file = resolve(path, name)
    if (!file.startsWith(path + sep))
      throw new InputError(`the file ${name} of the suite lies outside of the folder of its case`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, String(text))
  }
  return {
    path,
    read() {
      const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      if (entries.length > MAX_FILES) throw new Error(`the folder has more than ${MAX_FILES} files`)
      let bytes = 0
      const found = entries.map((entry): [string, string] => {
        const file = join(entry.parentPath, entry.name)
        bytes += statSync(file).size
        if (bytes > MAX_BYTES) throw new Error(`the folder has more than ${MAX_BYTES} bytes`)
        return [relative(path, file).split(sep).join('/'), readFileSync(file, 'utf8')]
      })
      return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
