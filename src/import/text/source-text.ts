import { readFile } from 'node:fs/promises'
import { InputError, messageOf } from '../../contract/index.ts'

/** Reads a text file; an error says in one line why it cannot be read. */
export async function readSource(file: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    throw new InputError(`${file}: ${explainReadError(error)}`, { cause: error })
  }
  return decodeSource(bytes, file)
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
