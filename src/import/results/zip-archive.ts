import { pipeline } from 'node:stream'
import { crc32, createInflateRaw, createZstdDecompress } from 'node:zlib'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { InputError, messageOf } from '../../contract/index.ts'
import { refuseSize, type ImportLimits } from './import-budget.ts'

/** Limits that no evaluation log comes near; an archive made to fill memory or disk does. */
const MAX_ENTRIES = 2_000_000
/** JSON shrinks to a tenth or a fiftieth; a bomb to a thousandth and less. Small entries may shrink as they like. */
const MAX_RATIO = 1000
const MAX_RATIO_FROM = 32 * 1024 ** 2

const METHODS: Readonly<Record<number, string>> = { 9: 'deflate64', 12: 'bzip2', 14: 'LZMA', 95: 'xz', 98: 'PPMd' }

/** A zip archive, read entry by entry. Names in it are only compared, never used as paths. */
export interface ZipArchive {
  /** Of two entries with one name the last counts, as in Python. */
  names: string[]
  has(name: string): boolean
  /** Reads and checks an entry; throws `InputError` if it is damaged, encrypted or too large. */
  read(name: string): AsyncGenerator<Buffer>
  close(): void
}

/** Counts what comes out of all entries of an archive. */
function limitSize(archive: string, { readBytes }: ImportLimits) {
  let total = 0
  return (entry: Entry, size: number, added: number): void => {
    total += added
    const name = `${archive}: ${JSON.stringify(entry.fileName)}`
    if (size > entry.uncompressedSize)
      throw new InputError(
        `${name} holds more than the ${entry.uncompressedSize} bytes it declares; the archive is damaged or made to do harm`,
      )
    if (size > MAX_RATIO_FROM && size > entry.compressedSize * MAX_RATIO)
      throw new InputError(
        `${name} unpacks to more than ${MAX_RATIO} times its size, as archives made to do harm do; it was not read`,
      )
    if (total > readBytes) throw refuseSize(archive, readBytes)
  }
}

async function* decodeEntry(zip: ZipFile, entry: Entry, archive: string): AsyncGenerator<Buffer> {
  const name = `${archive}: ${JSON.stringify(entry.fileName)}`
  const { compressionMethod: method } = entry
  if (entry.isEncrypted()) throw new InputError(`${name} is encrypted; export the log without a password`)
  if (method !== 0 && method !== 8 && method !== 93)
    throw new InputError(
      `${name} is compressed with ${METHODS[method] ?? `method ${method}`}; only deflate and zstd are read: write the log again with Inspect`,
    )
  const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  if (method === 0) {
    for await (const chunk of raw) yield chunk as Buffer
    return
  }
  const decoder = method === 8 ? createInflateRaw() : createZstdDecompress()
  // Errors reach the loop below through the decoder.
  pipeline(raw, decoder, () => {})
  try {
    for await (const chunk of decoder) yield chunk as Buffer
  } finally {
    raw.destroy()
  }
}

export async function openZip(path: string, archive: string, limits: ImportLimits): Promise<ZipArchive> {
  const explain = (error: unknown) => {
    const reason = messageOf(error)
    const advice = /path|characters in fileName/.test(reason)
      ? 'archives with such names are not read'
      : 'it may be cut off: copy it again'
    return new InputError(`${archive}: is not a readable archive: ${reason}; ${advice}`, { cause: error })
  }
  const zip = await openPromise(path, { autoClose: false, strictFileNames: false, validateEntrySizes: false }).catch(
    (error: unknown) => {
      throw explain(error)
    },
  )
  const entries = new Map<string, Entry>()
  try {
    if (zip.entryCount > MAX_ENTRIES)
      throw new InputError(`${archive}: has ${zip.entryCount} entries; at most ${MAX_ENTRIES} are read`)
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  } catch (error) {
    zip.close()
    throw error instanceof InputError ? error : explain(error)
  }
  const spend = limitSize(archive, limits)
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    async *read(name) {
      const entry = entries.get(name)
      if (!entry) throw new InputError(`${archive}: has no ${JSON.stringify(name)}`)
      let size = 0
      let sum = 0
      try {
        for await (const chunk of decodeEntry(zip, entry, archive)) {
          size += chunk.length
          spend(entry, size, chunk.length)
          sum = crc32(chunk, sum)
          yield chunk
        }
      } catch (error) {
        if (error instanceof InputError) throw error
        throw new InputError(
          `${archive}: ${JSON.stringify(name)} cannot be unpacked: ${messageOf(error)}; the archive is damaged or cut off: copy it again`,
          { cause: error },
        )
      }
      // A second zstd frame, for example, is left out by the decoder without an error.
      if (size !== entry.uncompressedSize || sum !== entry.crc32)
        throw new InputError(
          `${archive}: ${JSON.stringify(name)} is damaged: ${size === entry.uncompressedSize ? 'its checksum is wrong' : `it has ${size} bytes where ${entry.uncompressedSize} are declared`}; copy the archive again`,
        )
    },
    close: () => zip.close(),
  }
}
