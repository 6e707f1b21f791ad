import { parseTree, type Node } from 'jsonc-parser'

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
