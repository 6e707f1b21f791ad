import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { vendors, messageOf } from '../contract/index.ts'

/** Far more than any list of keys. */
const MAX_BYTES = 256 * 1024

/** Variables that would change what the program runs, where it connects or what it stores. */
const MEANT_FOR_US = /^(?:BENCHMAKER_|NODE_|PG[A-Z]|LD_|DYLD_)|_(?:BASE_URL|PROXY)$/i

export interface EnvironmentFile {
  /** Keys of vendors, by variable. */
  keys: Record<string, string>
  warnings: string[]
}

/** The bytes of a regular file that is not too large; otherwise why it is not read. Undefined if there is no file. */
function readBytes(file: string): Buffer | string | undefined {
  let handle: number
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'ENOENT' ? undefined : `it cannot be opened (${String(code)})`
  }
  try {
    const found = fstatSync(handle)
    if (!found.isFile()) return 'it is not a regular file'
    if (found.size > MAX_BYTES) return `it is larger than ${MAX_BYTES / 1024} KiB`
    const bytes = Buffer.alloc(MAX_BYTES)
    return bytes.subarray(0, readSync(handle, bytes, 0, MAX_BYTES, 0))
  } catch (error) {
    return `it cannot be read (${messageOf(error)})`
  } finally {
    closeSync(handle)
  }
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/**
 * Reads the keys of vendors from an `.env` file, and nothing else: the file may belong to a stranger's repository. A
 * vendor that has a key in the environment keeps it, whichever of its variables holds it.
 */
export function readEnvironmentFile(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): EnvironmentFile {
  const bytes = readBytes(file)
  if (bytes === undefined) return { keys: {}, warnings: [] }
  const text = typeof bytes === 'string' ? undefined : decodeUtf8(bytes)
  if (text === undefined)
    return {
      keys: {},
      warnings: [
        `${file} is not read: ${typeof bytes === 'string' ? bytes : 'it is not UTF-8 text; save it as UTF-8'}`,
      ],
    }

  const found = parseEnv(text)
  const keys: Record<string, string> = {}
  for (const { variables } of vendors) {
    if (variables.some((name) => environment[name]?.trim())) continue
    for (const name of variables) {
      const key = found[name]?.trim()
      if (key) keys[name] = key
    }
  }
  const known: readonly string[] = vendors.flatMap(({ variables }) => variables)
  const ignored = Object.keys(found).filter((name) => !known.includes(name) && MEANT_FOR_US.test(name))
  const warnings =
    ignored.length === 0
      ? []
      : [
          `${file}: ${ignored.join(', ')} ${ignored.length === 1 ? 'is' : 'are'} ignored: only ${known.join(', ')} are read from it; set others in the environment`,
        ]
  return { keys, warnings }
}
