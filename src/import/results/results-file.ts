import { createReadStream } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { InputError, messageOf } from '../../contract/index.ts'
import { explainReadError, refuseUnmarkedUtf16 } from '../text/source-text.ts'
import { createKeeper, limitBytes, readImportLimits } from './import-budget.ts'
import type { ResultsFile } from './foreign-results.ts'
import type { BesideFile } from './results-choices.ts'

const START_BYTES = 1 << 20
const MAX_SIBLING_BYTES = 64 * 1024 * 1024

type Bytes = AsyncIterable<Uint8Array>

async function* unpackGzip(packed: ReturnType<typeof createReadStream>, name: string): AsyncGenerator<Uint8Array> {
  // Small pieces would make readers that look for the end of a long record start again and again.
  const unpacked = createGunzip({ chunkSize: START_BYTES })
  // Errors reach the loop below through the decoder.
  pipeline(packed, unpacked, () => {})
  try {
    yield* unpacked as Bytes
  } catch (error) {
    const reason = messageOf(error)
    throw new InputError(`${name}: cannot be unpacked: ${reason}; it may be cut off: copy it again`, { cause: error })
  } finally {
    packed.destroy()
  }
}

async function* recodeUtf16(chunks: Bytes, encoding: 'utf-16le' | 'utf-16be', name: string) {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }))
    yield Buffer.from(decoder.decode())
  } catch (error) {
    if (error instanceof InputError) throw error
    throw new InputError(`${name}: is not valid UTF-16 text; save it as UTF-8`, { cause: error })
  }
}

async function isGzip(path: string): Promise<boolean> {
  const [first, second] = await readStart(createReadStream(path, { end: 1 }), 2)
  return first === 0x1f && second === 0x8b
}

/** The content as readers want it: in UTF-8. */
async function* readDecoded(readBytes: () => Bytes, name: string): AsyncGenerator<Uint8Array> {
  const [one, two] = await readStart(readBytes(), 2)
  if (one === 0xff && two === 0xfe) yield* recodeUtf16(readBytes(), 'utf-16le', name)
  else if (one === 0xfe && two === 0xff) yield* recodeUtf16(readBytes(), 'utf-16be', name)
  else yield* readBytes()
}

async function readStart(chunks: Bytes, size: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    // The chunk's memory may be used again for the next one.
    pieces.push(Buffer.from(chunk))
    length += chunk.length
    if (length >= size) break
  }
  return Buffer.concat(pieces).subarray(0, size)
}

async function findSibling(folder: string, matches: (name: string) => boolean): ReturnType<ResultsFile['findSibling']> {
  const name = (await readdir(folder)).find(matches)
  if (name === undefined) return undefined
  const path = join(folder, name)
  const found = await stat(path)
  return found.isFile() && found.size <= MAX_SIBLING_BYTES ? { name, text: await readFile(path, 'utf8') } : undefined
}

async function checkFile(path: string, shown: string): Promise<void> {
  const handle = await open(path)
  try {
    const found = await handle.stat()
    if (!found.isFile())
      throw new InputError(`${shown}: is ${found.isDirectory() ? 'a folder, not a file' : 'not a regular file'}`)
    if (found.size === 0) throw new InputError(`${shown}: is empty`)
  } finally {
    await handle.close()
  }
}

/** What the owner of an uploaded file calls it, and what was uploaded with it. */
interface Upload {
  name?: string | undefined
  beside?: BesideFile | undefined
}

/** Opens a file as far as recognising it takes. */
export async function openResultsFile(path: string, { name, beside }: Upload = {}): Promise<ResultsFile> {
  const shown = name ?? path
  try {
    await checkFile(path, shown)
    const folder = dirname(resolve(path))
    const own = name ?? basename(path)
    const isPacked = await isGzip(path)
    const limits = readImportLimits()
    const readBytes = (): Bytes => {
      const raw = createReadStream(path, { highWaterMark: START_BYTES })
      return limitBytes(isPacked ? unpackGzip(raw, own) : (raw as Bytes), own, limits)
    }
    const read = () => readDecoded(readBytes, own)
    const start = await readStart(read(), START_BYTES)
    refuseUnmarkedUtf16(start, own)
    return {
      path,
      name: own,
      ...(name === undefined && { folder: basename(folder), folders: folder.split(sep) }),
      start,
      isPacked,
      limits,
      keep: createKeeper(own, limits),
      readBytes,
      read,
      findSibling: async (matches) => {
        if (name === undefined) return findSibling(folder, matches)
        return beside && matches(beside.name) ? beside : undefined
      },
    }
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(`${shown}: ${explainReadError(error)}`, { cause: error })
  }
}

/** Archives and Parquet, which are not read from start to end. */
const SEEKABLE_START = /^(?:PK|PAR1)/

/** Works with a file that can be read at any place, which gzip does not allow: it is unpacked for as long as that takes. */
export async function withSeekable<Result>(
  file: ResultsFile,
  work: (file: ResultsFile) => Promise<Result>,
): Promise<Result> {
  if (!file.isPacked || !SEEKABLE_START.test(file.start.toString('latin1', 0, 4))) return work(file)
  const folder = await mkdtemp(join(tmpdir(), 'benchmaker-unpacked-'))
  try {
    const path = join(folder, 'content')
    await writeFile(path, file.readBytes())
    return await work({ ...file, path })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Files of office programs are archives too. */
const OFFICE_NAME = /\.(?:xlsx|xlsm|ods|docx|odt|pptx)$/i

export function isOfficeFile(name: string): boolean {
  return OFFICE_NAME.test(name)
}

/** The name without its endings: `runs.csv.gz` is `runs`. */
export function stemOf(name: string): string {
  return name.replace(/\.gz$/i, '').replace(/\.(csv|tsv|jsonl|ndjson|json|ya?ml|parquet)$/i, '')
}
