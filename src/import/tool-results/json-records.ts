import { open, type FileHandle } from 'node:fs/promises'
import { isJsonObject, InputError, parseExactJson } from '../../contract/index.ts'
import { ByteWindow } from './byte-window.ts'
import { findJsonError } from '../text/json-places.ts'
import type { Fields } from './formats/fields.ts'

/**
 * A piece of a file of records. Joined, the bytes of all `record` and `between` pieces are the file. The bytes are valid only
 * until the next piece is requested.
 */
export type RecordPiece =
  | { kind: 'record'; bytes: Buffer; value: unknown; index: number; offset: number }
  | { kind: 'between'; bytes: Buffer }
  /** The fields beside the list of records, if the file is one object that contains it. */
  | { kind: 'fields'; fields: Fields }
  /** Only with `salvage`: the file is cut off here; appending `closing` makes what was read valid. */
  | { kind: 'cut-off'; closing: string; offset: number }

export interface ReadOptions {
  /** Names of lists of records inside a top-level object, such as tau2-bench's `simulations`. */
  listKeys?: readonly string[]
  /** Keep the whole records of a file that is cut off. */
  salvage?: boolean
}

const LIST_END = 0x5d
const LIST_START = 0x5b
const OBJECT_START = 0x7b
const COMMA = 0x2c

/**
 * Reads records from a JSON list, a list inside a JSON object, JSON lines, or one JSON object. The file can be of any
 * size: memory is bounded by the largest record.
 */
export async function* readJsonRecords(path: string, options: ReadOptions = {}): AsyncGenerator<RecordPiece> {
  const file = await openFile(path)
  const window = new ByteWindow(file, path)
  try {
    await skipByteOrderMark(window)
    await window.skipBlanks()
    const first = await window.peek()
    if (first === -1) throw new InputError(`${path} is empty`)
    if (first === LIST_START) yield* readList(window, { ...options, closing: '\n]\n' })
    else if (first === OBJECT_START) yield* readObjects(window, options)
    else throw await notJson(window)
  } finally {
    await window.settle()
    await file.close()
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    const file = await open(path, 'r')
    if ((await file.stat()).isDirectory()) {
      await file.close()
      throw new InputError(
        `${path} is a folder; give a results file, or a tau2-bench folder with results.json and simulations/`,
      )
    }
    return file
  } catch (error) {
    if (error instanceof InputError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EACCES' ? 'no permission to read it' : String(error)
    throw new InputError(`${path} cannot be read: ${why}`, { cause: error })
  }
}

async function skipByteOrderMark(window: ByteWindow): Promise<void> {
  const start = await window.peekBytes(3)
  const isUtf16 =
    start.length > 1 && ((start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff))
  if (isUtf16 || (start.length > 1 && (start[0] === 0) !== (start[1] === 0)))
    throw new InputError(`${window.name} is UTF-16 text; save it as UTF-8 and try again`)
  if (start[0] === 0x1f && start[1] === 0x8b)
    throw new InputError(`${window.name} is compressed with gzip; unpack it first`)
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) window.advance(3)
}

interface ListOptions extends ReadOptions {
  /** The text that closes the file after its last whole record. */
  closing: string
}

async function* readList(window: ByteWindow, { salvage, closing }: ListOptions): AsyncGenerator<RecordPiece> {
  window.advance()
  const endings = createEndings()
  let index = 0
  for (;;) {
    await window.skipBlanks()
    let byte = await window.peek()
    if (index > 0 && byte === COMMA) {
      window.advance()
      await window.skipBlanks()
      byte = await window.peek()
      if (byte === LIST_END) throw await notJson(window)
    } else if (byte === LIST_END) {
      window.advance()
      yield* readRest(window)
      return
    } else if (index > 0 && byte !== -1) throw await notJson(window)
    if (byte === -1) {
      yield cutOff({ window, index, closing, salvage })
      return
    }
    if (byte !== OBJECT_START && byte !== LIST_START) throw await notRecord(window, index)
    const gap = window.taken
    const offset = window.offset
    // The gap comes first, but only once the record after it is known to be whole: a cut-off file ends before it.
    const gapBytes = Buffer.from(gap)
    window.drop()
    const value = await takeRecord(window, endings)
    if (value === cutShort) {
      yield cutOff({ window, index, closing, salvage, recordOffset: offset })
      return
    }
    yield { kind: 'between', bytes: gapBytes }
    const bytes = window.taken
    endings.learn(gapBytes, bytes)
    yield { kind: 'record', bytes, value, index, offset }
    window.drop()
    index += 1
  }
}

const cutShort = Symbol('cut short')

/** Parses the record at the cursor; the window then holds its bytes. */
async function takeRecord(window: ByteWindow, endings: Endings): Promise<unknown> {
  const offset = window.offset
  const guess = endings.ending && window.guessEnd(endings.ending)
  if (guess) {
    try {
      // If the text parses, it is the record: no JSON object or list is the beginning of another one.
      return parseExactJson(window.taken.toString('utf8'))
    } catch {
      guess.takeBack()
      endings.giveUp()
    }
  }
  if (!(await window.skipValue())) return cutShort
  return parseRecord(window, window.taken, offset)
}

type Endings = ReturnType<typeof createEndings>

/**
 * Learns from the first record how records of this file end: with the line, or with a bracket indented as far as the opening one.
 * Searching for that is several times faster than scanning every byte. After the first miss it gives up.
 */
function createEndings() {
  let ending: Buffer | 'line' | undefined
  let hasGivenUp = false
  return {
    get ending(): Buffer | 'line' | undefined {
      return ending
    },
    learn(gap: Buffer, record: Buffer): void {
      if (ending !== undefined || hasGivenUp) return
      const lineStart = gap.lastIndexOf(0x0a)
      if (lineStart < 0) return
      if (!record.includes(0x0a)) {
        ending = 'line'
        return
      }
      const closing = Buffer.concat([gap.subarray(lineStart), record.subarray(-1)])
      if (record.indexOf(closing) === record.length - closing.length) ending = closing
    },
    giveUp(): void {
      ending = undefined
      hasGivenUp = true
    },
  }
}

async function* readObjects(window: ByteWindow, options: ReadOptions): AsyncGenerator<RecordPiece> {
  const opening = Buffer.from(window.taken)
  window.drop()
  const start = window.offset
  const passed = await window.skipToList(new Set(options.listKeys))
  if (passed === 'found') {
    const header = Buffer.concat([window.taken, Buffer.from('null}')])
    const fields = await parseRecord(window, header, start)
    if (isJsonObject(fields)) yield { kind: 'fields', fields }
    yield { kind: 'between', bytes: opening }
    yield* readList(window, { ...options, closing: '\n  ]\n}\n' })
    return
  }
  const endings = createEndings()
  let index = 0
  let offset = start
  let gap = opening
  let value = passed === 'passed' ? await parseRecord(window, window.taken, offset) : cutShort
  for (;;) {
    if (value === cutShort) {
      yield cutOff({ window, index, closing: '', salvage: options.salvage, recordOffset: offset })
      return
    }
    yield { kind: 'between', bytes: gap }
    const bytes = window.taken
    endings.learn(gap, bytes)
    yield { kind: 'record', bytes, value, index, offset }
    window.drop()
    index += 1
    await window.skipBlanks()
    const byte = await window.peek()
    gap = Buffer.from(window.taken)
    window.drop()
    if (byte === -1) {
      yield { kind: 'between', bytes: gap }
      return
    }
    if (byte !== OBJECT_START) throw await notJson(window)
    offset = window.offset
    value = await takeRecord(window, endings)
  }
}

/** Reads what follows the list: nothing, or the rest of the object around it. */
async function* readRest(window: ByteWindow): AsyncGenerator<RecordPiece> {
  const listEnd = window.taken.length
  const offset = window.offset
  for (;;) {
    const rest = await window.peekBytes(1 << 16)
    if (rest.length === 0) break
    window.advance(rest.length)
  }
  const all = Buffer.from(window.taken)
  const tail = all.subarray(listEnd).toString('utf8').trim()
  if (tail !== '') {
    if (!tail.startsWith(',') && tail !== '}')
      throw await notJsonAt({ window, offset, found: `found ${JSON.stringify(tail.slice(0, 12))}` })
    const fields = await parseRecord(window, Buffer.from(tail === '}' ? '{}' : `{${tail.slice(1)}`), offset)
    if (isJsonObject(fields)) yield { kind: 'fields', fields }
  }
  yield { kind: 'between', bytes: all }
}

async function parseRecord(window: ByteWindow, bytes: Buffer, offset: number): Promise<unknown> {
  const text = bytes.toString('utf8')
  try {
    return parseExactJson(text)
  } catch (error) {
    const at = findJsonError(text)
    if (at === undefined) throw new InputError(`${window.name} cannot be read: ${String(error)}`, { cause: error })
    throw await notJsonAt({
      window,
      offset: offset + Buffer.byteLength(text.slice(0, at)),
      found: nameAt(text, at),
    })
  }
}

function nameAt(text: string, at: number): string {
  if (at >= text.length) return 'it ends'
  const word = /^(-?Infinity|NaN|[\p{L}_]+|"?.?)/u.exec(text.slice(at, at + 24))?.[0] ?? ''
  if (word === 'NaN' || word.endsWith('Infinity')) return `found ${word}, which Python writes and JSON does not have,`
  return `found ${JSON.stringify(word === '' ? text[at] : word)}`
}

function cutOff(input: {
  window: ByteWindow
  index: number
  closing: string
  salvage?: boolean | undefined
  recordOffset?: number
}): RecordPiece {
  const { window, index, closing, salvage, recordOffset } = input
  if (salvage && index > 0) return { kind: 'cut-off', closing, offset: recordOffset ?? window.offset }
  const where =
    recordOffset === undefined
      ? `at byte ${window.offset}, before the list of records is closed`
      : `inside record ${index + 1}, which begins at byte ${recordOffset}`
  const advice =
    index === 0
      ? 'it contains no whole record'
      : `--salvage takes the ${index} whole ${index === 1 ? 'record' : 'records'} before it`
  throw new InputError(`${window.name} is cut off: it ends ${where}; ${advice}`)
}

async function notRecord(window: ByteWindow, index: number): Promise<InputError> {
  const bytes = await window.peekBytes(12)
  const scalar = /^(-?\d|"|true|false|null)/.test(bytes.toString('latin1'))
  if (!scalar) return notJson(window)
  return new InputError(`${window.name}: record ${index + 1}, at byte ${window.offset}, is not an object`)
}

async function notJson(window: ByteWindow): Promise<InputError> {
  const bytes = await window.peekBytes(12)
  const found = bytes.length === 0 ? 'it ends' : `found ${JSON.stringify(bytes.toString('utf8').split(/\s/)[0])}`
  return notJsonAt({ window, offset: window.offset, found })
}

async function notJsonAt({
  window,
  offset,
  found,
}: {
  window: ByteWindow
  offset: number
  found: string
}): Promise<InputError> {
  const line = await lineOf(window.name, offset)
  return new InputError(`${window.name} is not JSON: ${found} at byte ${offset} (line ${line})`)
}

async function lineOf(path: string, offset: number): Promise<number> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(1 << 20)
    let line = 1
    for (let at = 0; at < offset;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, offset - at), at)
      if (bytesRead === 0) break
      for (let index = 0; index < bytesRead; index += 1) if (buffer[index] === 0x0a) line += 1
      at += bytesRead
    }
    return line
  } finally {
    await file.close()
  }
}
