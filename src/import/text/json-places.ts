import { parseTree, type Node, visit } from 'jsonc-parser'

/** Finds the member or item of `parent` called `key`. A member is its whole `"key": value`. */
function findChild(parent: Node, key: PropertyKey): Node | undefined {
  const value = parent.type === 'property' ? parent.children?.[1] : parent
  if (value?.type === 'array') return typeof key === 'number' ? value.children?.[key] : undefined
  return value?.children?.find(({ children }) => children?.[0]?.value === key)
}

/** The syntax tree, or `undefined` for nesting that would overflow its parser's stack (above about 5,000 levels). */
function parseSafely(text: string): Node | undefined {
  try {
    return parseTree(text, [], { disallowComments: true })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/**
 * Finds values in a text that `JSON.parse` accepts. The tree takes several times as long as the values, so make one only for an
 * error, and then reuse it: there may be an error for each of very many test cases.
 */
export class JsonPlaces {
  readonly #text: string
  readonly #root: Node | undefined
  #lineStarts: number[] | undefined

  constructor(text: string) {
    this.#text = text
    this.#root = parseSafely(text)
  }

  /** The offset of the key (in an object) or of the item (in a list) at the path, or else of its nearest parent. */
  find(path: readonly PropertyKey[]): number {
    let place = this.#root
    for (const key of path) {
      const child = place && findChild(place, key)
      if (!child) break
      place = child
    }
    return place?.offset ?? 0
  }

  /** The value at the path as it is written in the file: `1.50`, not 1.5. */
  source(path: readonly PropertyKey[]): string | undefined {
    const place = path.reduce<Node | undefined>((parent, key) => parent && findChild(parent, key), this.#root)
    const value = place?.type === 'property' ? place.children?.[1] : place
    return value && this.#text.slice(value.offset, value.offset + value.length)
  }

  /** `line:column` of an offset, counted from 1. */
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
}

/**
 * The offset at which a text stops being JSON; its length if it ends too early. The engine's own message does not always say.
 * `undefined` if there is no error, or if the nesting would overflow the parser's stack.
 */
export function findJsonError(text: string): number | undefined {
  let first: number | undefined
  try {
    visit(text, { onError: (_code, offset) => (first ??= offset) }, { disallowComments: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return first
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const held: unknown[] = Object.values(value)
  return held.reduce<number>((sum, item) => sum + countKeys(item), Array.isArray(value) ? 0 : held.length)
}

/** The offset behind the string that starts at the quote. */
function findStringEnd(text: string, quote: number): number {
  let end = quote
  for (;;) {
    end = text.indexOf('"', end + 1)
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
}

const COLON_NEXT = /[ \t\r\n]*:/y

function countWrittenKeys(text: string): number {
  let count = 0
  for (let quote = text.indexOf('"'); quote >= 0;) {
    COLON_NEXT.lastIndex = findStringEnd(text, quote)
    quote = text.indexOf('"', COLON_NEXT.lastIndex)
    if (COLON_NEXT.test(text)) count++
  }
  return count
}

interface RepeatedKey {
  key: string
  offset: number
}

/** The first key that an object has twice, in a text that `JSON.parse` read as this value: it keeps only the last. */
export function findRepeatedKey(text: string, value: unknown): RepeatedKey | undefined {
  // Counting is many times faster than the visit below.
  if (countWrittenKeys(text) === countKeys(value)) return undefined
  const open: Set<string>[] = []
  let found: RepeatedKey | undefined
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(key, offset) {
      if (open.at(-1)?.has(key)) found ??= { key, offset }
      open.at(-1)?.add(key)
    },
  })
  return found
}

export function describeRepeated({ key }: RepeatedKey): string {
  return `the key ${JSON.stringify(key)} is written twice`
}
