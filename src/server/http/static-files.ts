import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
])

/** These are already compressed. */
const COMPRESSED = new Set(['.png', '.ico', '.woff2'])

const compress = promisify(gzip)

export interface StaticFile {
  type: string
  /** Its name changes with its content, so a browser may cache it forever. */
  isHashed: boolean
  read(): Promise<Uint8Array<ArrayBuffer>>
  /** Absent if compression is not worth it. */
  readCompressed?: () => Promise<Uint8Array<ArrayBuffer>>
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}

/** Every file of the web app by its path, listed at start: no other path can reach a file. */
export function listStaticFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  let entries
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch {
    return files
  }
  for (const entry of entries) {
    const extension = extname(entry.name).toLowerCase()
    const type = TYPES.get(extension)
    if (!entry.isFile() || type === undefined) continue
    const file = join(entry.parentPath, entry.name)
    const read = once(async () => new Uint8Array(await readFile(file)))
    const path = `/${relative(folder, file).split(sep).join('/')}`
    files.set(path, {
      type,
      // Elsewhere a name may look hashed, as `continuous-integration.html` does.
      isHashed: path.startsWith('/assets/') && /-[\w-]{8,}\.\w+$/.test(entry.name),
      read,
      ...(!COMPRESSED.has(extension) && {
        readCompressed: once(async () => new Uint8Array(await compress(await read(), { level: 9 }))),
      }),
    })
  }
  return files
}
