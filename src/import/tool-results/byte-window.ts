import type { FileHandle } from 'node:fs/promises'
import { InputError, countNoun } from '../../contract/index.ts'

const FIRST_SIZE = 2 << 20
const CHUNK_SIZE = 1 << 20
/** Node cannot make one string from more bytes than this. */
const LARGEST_RECORD = 500_000_000
const DEEPEST_NESTING = 10_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** What a byte means outside a string: 1 opens, 2 closes, 3 starts a string, 4 comma, 5 colon, 6 blank. */
const meaning = new Uint8Array(256)
for (const byte of [0x7b, 0x5b]) meaning[byte] = 1
for (const byte of [0x7d, 0x5d]) meaning[byte] = 2
meaning[QUOTE] = 3
meaning[COMMA] = 4
meaning[COLON] = 5
for (const byte of [0x20, 0x09, 0x0a, 0x0d]) meaning[byte] = 6

interface ScanState {
  depth: number
  isText: boolean
}

/** Native search is faster only for strings longer than this. */
const SHORT_TEXT = 32

/** Finds the end of the value that `state` is inside of, or returns `end` if it continues. Not async: this loop sees every byte. */
function scanValue(buffer: Buffer, start: number, end: number, state: ScanState): number {
  let { depth, isText } = state
  let at = start
  while (at < end) {
    if (isText) {
      const near = Math.min(end, at + SHORT_TEXT)
      while (at < near && buffer[at] !== QUOTE) at += 1
      if (at === near && at < end) {
        at = buffer.indexOf(QUOTE, at)
        if (at < 0 || at >= end) at = end
      }
      if (at === end) break
      isText = isEscaped(buffer, at)
    } else {
      const what = meaning[buffer[at]!]!
      if (what === 3) isText = true
      else if (what === 1) {
        depth += 1
        if (depth > DEEPEST_NESTING) break
      } else if (what === 2) {
        depth -= 1
        if (depth === 0) {
          at += 1
          break
        }
      }
    }
    at += 1
  }
  state.depth = depth
  state.isText = isText
  return at
}

/** Returns true for a quote after an odd number of backslashes. The string's opening quote ends the count. */
function isEscaped(buffer: Buffer, quote: number): boolean {
  let before = quote - 1
  while (buffer[before] === BACKSLASH) before -= 1
  return (quote - 1 - before) % 2 === 1
}

/**
 * A window that slides forward over a file. It keeps the bytes from `begin` on, of which those before `cursor` are parsed.
 * Memory holds one record and the read-ahead, whatever the size of the file.
 */
export class ByteWindow {
  readonly name: string
  readonly #file: FileHandle
  #buffer = Buffer.allocUnsafe(FIRST_SIZE)
  #ahead = Buffer.allocUnsafe(CHUNK_SIZE)
  #next = Buffer.allocUnsafe(CHUNK_SIZE)
  #aheadUsed = 0
  #aheadEnd = 0
  #reading: Promise<{ bytesRead: number }> | undefined
  #begin = 0
  #cursor = 0
  #end = 0
  /** The offset in the file of the buffer's first byte. */
  #base = 0

  constructor(file: FileHandle, name: string) {
    this.#file = file
    this.name = name
  }

  /** The offset in the file of the next byte to parse. */
  get offset(): number {
    return this.#base + this.#cursor
  }

  /** The parsed bytes that are not dropped yet. They are overwritten when the window next moves. */
  get taken(): Buffer {
    return this.#buffer.subarray(this.#begin, this.#cursor)
  }

  drop(): void {
    this.#begin = this.#cursor
  }

  /** Returns the next byte without moving; -1 at the end of the file. */
  async peek(): Promise<number> {
    if (this.#cursor >= this.#end && !(await this.#fill())) return -1
    return this.#buffer[this.#cursor]!
  }

  /** Returns the next bytes without moving; fewer at the end of the file. */
  async peekBytes(count: number): Promise<Buffer> {
    while (this.#end - this.#cursor < count && (await this.#fill()));
    return this.#buffer.subarray(this.#cursor, Math.min(this.#end, this.#cursor + count))
  }

  advance(count = 1): void {
    this.#cursor += count
  }

  async skipBlanks(): Promise<void> {
    for (;;) {
      while (this.#cursor < this.#end && meaning[this.#buffer[this.#cursor]!] === 6) this.#cursor += 1
      if (this.#cursor < this.#end || !(await this.#fill())) return
    }
  }

  /**
   * Moves to where the value at the cursor seems to end, if that is in the window already: after the next `ending`, or
   * at the end of the line. The caller must check this guess and can undo it.
   */
  guessEnd(ending: Buffer | 'line'): { takeBack(): void } | undefined {
    const start = this.#cursor
    const found = this.#buffer.indexOf(ending === 'line' ? 0x0a : ending, start)
    if (found < 0 || found >= this.#end) return undefined
    const end = ending === 'line' ? this.#skipBack(found) : found + ending.length
    if (end > this.#end) return undefined
    this.#cursor = end
    return {
      takeBack: () => {
        this.#cursor = start
      },
    }
  }

  /** Moves past the object or list at the cursor. Returns false if the file ends inside it. */
  async skipValue(): Promise<boolean> {
    const state: ScanState = { depth: 0, isText: false }
    for (;;) {
      const at = scanValue(this.#buffer, this.#cursor, this.#end, state)
      if (state.depth > DEEPEST_NESTING) this.#refuseDepth(at)
      this.#cursor = at
      if (state.depth === 0) return true
      if (!(await this.#fill())) return false
    }
  }

  /**
   * Moves to the list under one of `keys` in the object at the cursor, or past the object if it has no such list.
   * Returns `ended` if the file ends first.
   */
  async skipToList(keys: ReadonlySet<string>): Promise<'found' | 'passed' | 'ended'> {
    let depth = 0
    let isText = false
    let textStart = 0
    let textEnd = 0
    let key: string | undefined
    for (;;) {
      let at = this.#cursor
      for (; at < this.#end; at += 1) {
        const byte = this.#buffer[at]!
        if (isText) {
          if (byte === BACKSLASH) at += 1
          else if (byte === QUOTE) {
            isText = false
            if (depth === 1) textEnd = at + 1 - this.#begin
          }
          continue
        }
        const what = meaning[byte]!
        if (what === 3) {
          isText = true
          if (depth === 1) textStart = at - this.#begin
        } else if (what === 1) {
          if (depth === 1 && byte === 0x5b && key !== undefined && keys.has(key)) {
            this.#cursor = at
            return 'found'
          }
          depth += 1
          if (depth > DEEPEST_NESTING) this.#refuseDepth(at)
        } else if (what === 2) {
          depth -= 1
          if (depth === 0) {
            this.#cursor = at + 1
            return 'passed'
          }
        } else if (depth === 1 && what === 4) key = undefined
        else if (depth === 1 && what === 5) key = this.#readKey(textStart, textEnd)
      }
      this.#cursor = at
      if (!(await this.#fill())) return 'ended'
    }
  }

  /** Moves back over the comma and the blanks at the end of a line. */
  #skipBack(from: number): number {
    let end = from
    while (meaning[this.#buffer[end - 1]!] === 6 || this.#buffer[end - 1] === COMMA) end -= 1
    return end
  }

  #readKey(start: number, end: number): string | undefined {
    try {
      return String(JSON.parse(this.#buffer.toString('utf8', this.#begin + start, this.#begin + end)))
    } catch {
      return undefined
    }
  }

  #refuseDepth(at: number): never {
    throw new InputError(
      `${this.name}: nested more than ${countNoun(DEEPEST_NESTING, 'level')} deep at byte ${this.#base + at}; ` +
        'no results file nests that deeply, so it was not read',
    )
  }

  async #fill(): Promise<boolean> {
    if (this.#begin > 0) {
      this.#buffer.copyWithin(0, this.#begin, this.#end)
      this.#cursor -= this.#begin
      this.#end -= this.#begin
      this.#base += this.#begin
      this.#begin = 0
    }
    if (this.#end === this.#buffer.length) {
      if (this.#end >= LARGEST_RECORD)
        throw new InputError(
          `${this.name}: one record is larger than 500 MB; is a quote or bracket missing near byte ${this.#base}?`,
        )
      const larger = Buffer.allocUnsafe(this.#buffer.length * 2)
      this.#buffer.copy(larger, 0, 0, this.#end)
      this.#buffer = larger
    }
    return this.#takeAhead()
  }

  /** Moves bytes that were read ahead into the buffer, and starts reading the next ones in the meantime. */
  async #takeAhead(): Promise<boolean> {
    if (this.#aheadUsed === this.#aheadEnd) {
      const { bytesRead } = await (this.#reading ?? this.#readAhead())
      ;[this.#ahead, this.#next] = [this.#next, this.#ahead]
      this.#aheadUsed = 0
      this.#aheadEnd = bytesRead
      this.#reading = bytesRead > 0 ? this.#readAhead() : undefined
      if (bytesRead === 0) return false
    }
    const taken = this.#ahead.copy(this.#buffer, this.#end, this.#aheadUsed, this.#aheadEnd)
    this.#end += taken
    this.#aheadUsed += taken
    return true
  }

  #readAhead(): Promise<{ bytesRead: number }> {
    const reading = this.#file.read(this.#next, 0, this.#next.length, null)
    // Awaited when the bytes are needed; without this a failure before that would count as unhandled.
    reading.catch(() => {})
    return reading
  }

  /** Waits for the read in progress, so that the file can be closed. */
  async settle(): Promise<void> {
    await this.#reading?.catch(() => {})
  }
}
