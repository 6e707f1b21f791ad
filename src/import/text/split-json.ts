import { InputError, messageOf } from '../../contract/index.ts'
import { parseLooseJson } from './loose-json.ts'
import { isTooDeep, refuseWideJson, TOO_DEEP } from './nesting.ts'

/** Keys from the root to a value; an item of a list is `*`. */
type JsonPath = readonly string[]

export type JsonPart =
  /** A value that was taken, parsed. */
  | { kind: 'value'; path: JsonPath; value: unknown; offset: number }
  /** The end of an object or list that was entered. */
  | { kind: 'end'; path: JsonPath; offset: number }

export interface SplitOptions {
  /** For messages. */
  name: string
  /** What to do with the value at a path: parse it whole, look into it, or pass over it without keeping it. */
  decide(path: JsonPath): 'take' | 'enter' | 'skip'
  /** The most bytes that one taken value may have. */
  maxValueBytes?: number
}

const MAX_VALUE_BYTES = 256 * 1024 * 1024

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OBJECT_START, OBJECT_END, LIST_START, LIST_END] = [0x7b, 0x7d, 0x5b, 0x5d]

export const isBlank = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
const isOpening = (byte: number) => byte === OBJECT_START || byte === LIST_START
const isClosing = (byte: number) => byte === OBJECT_END || byte === LIST_END

interface Frame {
  isObject: boolean
  key: string
}

/** What the next byte that is not blank may be. */
type Expected = 'value' | 'key' | 'colon' | 'comma' | 'nothing'

/** A value or key that is being passed over or collected. */
interface Scan {
  isKey: boolean
  isTaken: boolean
  /** Open brackets; 0 in a text or a number. */
  depth: number
  isText: boolean
  isEscaped: boolean
  pieces: Buffer[]
  size: number
  start: number
}

/** Splits JSON that arrives in chunks into the values that are wanted; memory holds one of them at a time. */
class JsonSplitter {
  readonly #options: SplitOptions
  readonly #frames: Frame[] = []
  #expected: Expected = 'value'
  /** True right after an opening bracket: a list or object may end there, and no comma came before. */
  #isFirst = false
  #scan: Scan | undefined
  /** Of the chunk's first byte. */
  #base = 0

  constructor(options: SplitOptions) {
    this.#options = options
  }

  *push(chunk: Buffer): Generator<JsonPart> {
    for (let at = 0; at < chunk.length;) {
      if (this.#scan) {
        const end = this.#continueScan(this.#scan, chunk, at)
        this.#keep(this.#scan, chunk.subarray(at, end.at))
        at = end.at
        if (end.isDone) yield* this.#finishScan()
      } else if (isBlank(chunk[at]!)) at += 1
      else {
        const part = this.#readToken(chunk[at]!, this.#base + at)
        if (part) yield part
        if (!this.#scan) at += 1
      }
    }
    this.#base += chunk.length
  }

  *end(): Generator<JsonPart> {
    // A bare number has no closing character of its own.
    if (this.#scan && this.#scan.depth === 0 && !this.#scan.isText && this.#frames.length === 0)
      yield* this.#finishScan()
    if (this.#scan || this.#frames.length > 0 || this.#expected !== 'nothing')
      throw new InputError(
        this.#base === 0
          ? `${this.#options.name} is empty`
          : `${this.#options.name} is cut off: it ends at byte ${this.#base}, before its brackets are closed; copy or export it again`,
      )
  }

  get #path(): string[] {
    return this.#frames.map(({ key }) => key)
  }

  #refuse(byte: number, offset: number): never {
    const found =
      byte >= 0x21 && byte <= 0x7e ? JSON.stringify(String.fromCharCode(byte)) : `byte 0x${byte.toString(16)}`
    throw new InputError(`${this.#options.name} is not JSON: found ${found} at byte ${offset}`)
  }

  #refuseDepth({ start }: Scan): never {
    throw new InputError(`${this.#options.name}: the value at byte ${start} (${this.#path.join('.')}) ${TOO_DEEP}`)
  }

  #readToken(byte: number, offset: number): JsonPart | undefined {
    const frame = this.#frames.at(-1)
    if (isClosing(byte)) {
      const mayEnd = this.#expected === 'comma' || (this.#isFirst && this.#expected !== 'colon')
      if (!frame || !mayEnd || frame.isObject !== (byte === OBJECT_END)) this.#refuse(byte, offset)
      this.#frames.pop()
      this.#closeValue()
      return { kind: 'end', path: this.#path, offset }
    }
    if (this.#expected === 'comma' && frame && byte === COMMA) {
      this.#isFirst = false
      this.#expected = frame.isObject ? 'key' : 'value'
    } else if (this.#expected === 'colon' && byte === COLON) this.#expected = 'value'
    else if (this.#expected === 'key' && byte === QUOTE) this.#startScan({ isKey: true, isTaken: true, offset })
    else if (this.#expected === 'value' && byte !== COMMA && byte !== COLON) this.#startValue(byte, offset)
    else this.#refuse(byte, offset)
    return undefined
  }

  #startValue(byte: number, offset: number): void {
    const decision = this.#options.decide(this.#path)
    if (decision === 'enter' && isOpening(byte)) {
      const isObject = byte === OBJECT_START
      this.#frames.push({ isObject, key: '*' })
      this.#expected = isObject ? 'key' : 'value'
      this.#isFirst = true
    } else this.#startScan({ isKey: false, isTaken: decision === 'take', offset })
  }

  #startScan({ isKey, isTaken, offset }: { isKey: boolean; isTaken: boolean; offset: number }): void {
    this.#isFirst = false
    this.#scan = { isKey, isTaken, depth: 0, isText: false, isEscaped: false, pieces: [], size: 0, start: offset }
  }

  /** Not a generator: this loop sees every byte. */
  #continueScan(scan: Scan, chunk: Buffer, start: number): { at: number; isDone: boolean } {
    let { depth, isText, isEscaped } = scan
    let at = start
    let isDone = false
    for (; at < chunk.length && !isDone; at += 1) {
      const byte = chunk[at]!
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          isText = false
          isDone = depth === 0
        }
      } else if (byte === QUOTE) isText = true
      else if (isOpening(byte)) {
        depth += 1
        if (scan.isTaken && isTooDeep(depth)) this.#refuseDepth(scan)
      } else if (isClosing(byte) && depth > 0) {
        depth -= 1
        isDone = depth === 0
      } else if (depth === 0 && (isClosing(byte) || byte === COMMA || isBlank(byte))) {
        // A number or word ends before this byte.
        isDone = true
        at -= 1
      }
    }
    Object.assign(scan, { depth, isText, isEscaped })
    return { at, isDone }
  }

  #keep(scan: Scan, piece: Buffer): void {
    scan.size += piece.length
    const { maxValueBytes = MAX_VALUE_BYTES, name } = this.#options
    if (!scan.isTaken) return
    if (scan.size > maxValueBytes)
      throw new InputError(
        `${name}: the value at byte ${scan.start} (${this.#path.join('.')}) is larger than ${Math.floor(maxValueBytes / 1024 ** 2)} MB, so the file was not read`,
      )
    // The chunk's memory may be used again for the next one.
    scan.pieces.push(Buffer.from(piece))
  }

  *#finishScan(): Generator<JsonPart> {
    const scan = this.#scan!
    this.#scan = undefined
    const value = scan.isTaken ? this.#parse(scan) : undefined
    if (scan.isKey) {
      this.#frames.at(-1)!.key = String(value)
      this.#expected = 'colon'
      return
    }
    const path = this.#path
    this.#closeValue()
    if (scan.isTaken) yield { kind: 'value', path, value, offset: scan.start }
  }

  #closeValue(): void {
    this.#expected = this.#frames.length === 0 ? 'nothing' : 'comma'
  }

  #parse({ pieces, start }: Scan): unknown {
    const { name } = this.#options
    let text: string
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces))
    } catch (error) {
      throw new InputError(`${name}: is not UTF-8 text near byte ${start}; save it as UTF-8`, { cause: error })
    }
    refuseWideJson(text, `${name}: the value at byte ${start} (${this.#path.join('.')})`)
    try {
      return parseLooseJson(text)
    } catch (error) {
      throw new InputError(`${name} is not JSON near byte ${start} (${this.#path.join('.')}): ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
}

/** Reads the wanted values of one JSON document that arrives in chunks, however large it is. */
export async function* splitJson(chunks: AsyncIterable<Uint8Array>, options: SplitOptions): AsyncGenerator<JsonPart> {
  const splitter = new JsonSplitter(options)
  for await (const chunk of skipByteOrderMark(chunks, options.name)) yield* splitter.push(chunk)
  yield* splitter.end()
}

/** Passes chunks on without a byte order mark; refuses UTF-16 and gzip, which look like damage otherwise. */
export async function* skipByteOrderMark(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (!start) {
      yield bytes
      continue
    }
    start = Buffer.concat([start, bytes])
    if (start.length < 3) continue
    yield checkStart(start, name)
    start = undefined
  }
  if (start && start.length > 0) yield checkStart(start, name)
}

function checkStart(start: Buffer, name: string): Buffer {
  const [first, second] = start
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0)
    throw new InputError(`${name} is UTF-16 text; save it as UTF-8 and try again`)
  if (first === 0x1f && second === 0x8b) throw new InputError(`${name} is compressed with gzip; unpack it first`)
  return first === 0xef && second === 0xbb && start[2] === 0xbf ? start.subarray(3) : start
}
