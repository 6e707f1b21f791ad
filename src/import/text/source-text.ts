import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { InputError, messageOf } from '../../contract/index.ts'
import { suggestName } from '../../scoring/text/suggest-name.ts'

/** Reads a text file; an error says in one line why it cannot be read. */
export async function readSource(file: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    throw new InputError(`${file}: ${explainReadError(error)}${await suggestFile(file, error)}`, { cause: error })
  }
  return decodeSource(await unpackGzip(bytes, file), file)
}

/** About what one text of the engine can hold. */
const MOST_BYTES = 500_000_000

const isGzip = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b

/** What a gzip file holds; any other bytes as they are. */
export async function unpackGzip(bytes: Buffer, file: string): Promise<Buffer> {
  if (!isGzip(bytes)) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES })
  } catch (error) {
    throw new InputError(`${file}: cannot be unpacked: ${messageOf(error)}; copy it again, or unpack it first`, {
      cause: error,
    })
  }
}

/** Refuses what decodes as UTF-8 with a null character beside each letter, and then looks like damage. */
export function refuseUnmarkedUtf16([a, b, c, d]: Uint8Array, file: string): void {
  const isLittleEndian = a && b === 0 && c && d === 0
  const isBigEndian = a === 0 && b && c === 0 && d
  if (isLittleEndian || isBigEndian)
    throw new InputError(`${file}: is UTF-16 text without a byte order mark; save it as UTF-8`)
}

export function decodeSource(bytes: Uint8Array, file: string): string {
  refuseUnmarkedUtf16(bytes, file)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new InputError(`${file}: is not UTF-8 text; save it as UTF-8`, { cause: error })
  }
}

/** A file beside it with nearly the same name. */
async function suggestFile(file: string, error: unknown): Promise<string> {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return ''
  const beside = await readdir(dirname(file)).catch(() => [])
  const meant = suggestName(basename(file), beside)
  return meant === undefined ? '' : `\nDid you mean ${join(dirname(file), meant)}?`
}

export function explainReadError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return 'is a folder, not a file'
  if (code === 'EACCES') return 'cannot be read; check its permissions'
  return messageOf(error)
}

/** Parses a JSON file; an error names the file and what is wrong with it. */
export function parseJson(text: string, file: string): unknown {
  if (text.trim() === '') throw new InputError(`${file}: is empty`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InputError(`${file}: is not JSON: ${messageOf(error)}`, {
      cause: error,
    })
  }
}
