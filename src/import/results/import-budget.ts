import { formatBytes, InputError } from '../../contract/index.ts'

const GB = 1024 ** 3
const DEFAULT_GB = 4
const VARIABLE = 'BENCHMAKER_IMPORT_GB'

/** What one file may cost. */
export interface ImportLimits {
  /** Bytes after unpacking. */
  readBytes: number
  /** Memory of the texts and scores that are kept of them. */
  keptBytes: number
  /** The heap of the process that reads them. */
  heapMb: number
}

/** All of them follow from how much may be read. */
export function readImportLimits(env: NodeJS.ProcessEnv = process.env): ImportLimits {
  const given = env[VARIABLE]
  const gigabytes = given === undefined || given.trim() === '' ? DEFAULT_GB : Number(given)
  if (!(gigabytes > 0 && gigabytes <= 1024))
    throw new InputError(`${VARIABLE} is ${JSON.stringify(given)}; it must be a number of gigabytes, such as 8`)
  return {
    readBytes: gigabytes * GB,
    keptBytes: (gigabytes * GB) / 8,
    heapMb: Math.max(256, Math.round(gigabytes * 512)),
  }
}

const ADVICE = `split it into smaller files, or allow more with ${VARIABLE}`

/** No choice of a metric or of columns makes the file smaller. */
export class TooLargeError extends InputError {
  override name = 'TooLargeError'
}

export function refuseMemory(name: string, bytes: number): TooLargeError {
  return new TooLargeError(
    `${name}: takes more than ${formatBytes(bytes)} of memory, so nothing was imported; ${ADVICE}`,
  )
}

export function refuseSize(name: string, bytes: number): TooLargeError {
  return new TooLargeError(
    `${name}: has more than ${formatBytes(bytes)} of data after unpacking, so nothing was imported; ${ADVICE}`,
  )
}

/** About what a value takes in memory: a text with a character beyond Latin-1 has two bytes for each. */
export function estimateMemory(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length * (/[^\0-\u00ff]/.test(value) ? 2 : 1)
  if (typeof value !== 'object' || value === null) return 8
  if (value instanceof Map)
    return [...value].reduce((sum, [key, inner]) => sum + 32 + estimateMemory(key) + estimateMemory(inner), 150)
  if (ArrayBuffer.isView(value)) return value.byteLength
  let sum = 32
  for (const inner of Object.values(value)) sum += 8 + estimateMemory(inner)
  return sum
}

/** Returns what it is given, and throws once that is more than may be kept of one file. */
export function createKeeper(name: string, { keptBytes }: ImportLimits): <Value>(value: Value) => Value {
  let kept = 0
  return (value) => {
    kept += estimateMemory(value)
    if (kept > keptBytes) throw refuseMemory(name, keptBytes)
    return value
  }
}

/** Passes chunks on, and throws once they are more than may be read of one file. */
export async function* limitBytes(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  { readBytes }: ImportLimits,
): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > readBytes) throw refuseSize(name, readBytes)
    yield chunk
  }
}
