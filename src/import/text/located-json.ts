import { parsePlainJson } from './plain-json.ts'

/** A parsed text that can say where in the file a value stands. */
export interface LocatedDocument {
  value: unknown
  /** `file:line:column` of the value at a path, or of its nearest parent. */
  locate(path: readonly PropertyKey[]): string
}

const BLANKS = /[ \t\n\r]*/y
const PLAIN = /[^"{}[\],:\s]*/y
const BETWEEN_MARKS = /[^"{}[\]]*/y

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

/** The end of the string whose quote is at `start`. */
function skipString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const character = text[at]
    if (character === '"') return at + 1
    if (character === '\\') at++
  }
}

/** The end of the value at `start`, however deep it is. */
function skipValue(text: string, start: number): number {
  if (text[start] === '"') return skipString(text, start)
  if (text[start] !== '{' && text[start] !== '[') return skip(PLAIN, text, start)
  let depth = 0
  for (let at = start; ; at = skip(BETWEEN_MARKS, text, at)) {
    const mark = text[at]
    if (mark === '"') at = skipString(text, at)
    else {
      at++
      depth += mark === '{' || mark === '[' ? 1 : -1
      if (depth === 0) return at
    }
  }
}

interface Entry {
  key: PropertyKey
  /** Of the key; of the item, in a list. */
  start: number
  valueStart: number
}

function* listEntries(text: string, open: number): Generator<Entry, void, void> {
  const isList = text[open] === '['
  if (!isList && text[open] !== '{') return
  let at = skip(BLANKS, text, open + 1)
  for (let index = 0; text[at] !== ']' && text[at] !== '}'; index++) {
    const start = at
    if (!isList) at = skip(BLANKS, text, skip(BLANKS, text, skipString(text, at)) + 1)
    yield {
      key: isList ? index : String(JSON.parse(text.slice(start, skipString(text, start)))),
      start,
      valueStart: at,
    }
    at = skip(BLANKS, text, skipValue(text, at))
    if (text[at] === ',') at = skip(BLANKS, text, at + 1)
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Offsets in a text that is JSON. What was looked into once is remembered: a finding for each of very many cases is possible. */
export class JsonPlaces {
  readonly #text: string
  readonly #entries = new Map<number, Map<PropertyKey, Entry>>()
  #lineStarts: number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Where the key (of an object) or the item (of a list) at the path begins, or else its nearest parent. */
  find(path: readonly PropertyKey[]): number {
    const start = skip(BLANKS, this.#text, 0)
    let place: Omit<Entry, 'key'> = { start, valueStart: start }
    for (const key of path) {
      const found = this.#entriesAt(place.valueStart).get(key)
      if (!found) break
      place = found
    }
    return place.start
  }

  /** `line:column`, from 1. */
  describe(offset: number): string {
    const starts = (this.#lineStarts ??= findLineStarts(this.#text))
    let [line, after] = [0, starts.length]
    while (after - line > 1) {
      const middle = (line + after) >> 1
      if (starts[middle]! <= offset) line = middle
      else after = middle
    }
    return `${line + 1}:${offset - starts[line]! + 1}`
  }

  #entriesAt(open: number): Map<PropertyKey, Entry> {
    const known = this.#entries.get(open)
    if (known) return known
    // The last of several with the same name is the one that counts.
    const entries = new Map([...listEntries(this.#text, open)].map((entry) => [entry.key, entry]))
    this.#entries.set(open, entries)
    return entries
  }
}

/** `undefined` for a text that is not JSON. */
export function parseLocatedJson(text: string, file: string): LocatedDocument | undefined {
  const value = parsePlainJson(text)
  if (value === undefined) return undefined
  let places: JsonPlaces | undefined
  return {
    value,
    locate(path) {
      places ??= new JsonPlaces(text)
      return `${file}:${places.describe(places.find(path))}`
    },
  }
}
