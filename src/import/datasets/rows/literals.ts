import { parseLooseJson } from '../../text/loose-json.ts'

const WORDS = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
  ['true', true],
  ['false', false],
  ['null', null],
  ['nan', null],
  ['NaN', null],
])
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' }
const DEEPEST = 50

class NotLiteral extends Error {}

/** Reads what Python's `repr` writes: lists, tuples, dicts, texts, numbers, and NumPy arrays, which have no commas. */
class LiteralReader {
  #at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  read(): unknown {
    const value = this.#value(0)
    this.#skip()
    if (this.#at < this.#text.length) throw new NotLiteral()
    return value
  }

  #skip(): void {
    while (/[\s,]/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #value(depth: number): unknown {
    if (depth > DEEPEST) throw new NotLiteral()
    this.#skip()
    const start = this.#text[this.#at]
    if (start === undefined) throw new NotLiteral()
    if (start === '"' || start === "'") return this.#string(start)
    if (start === '[' || start === '(') return this.#list(CLOSING[start]!, depth)
    if (start === '{') return this.#dict(depth)
    const word = /[^\s,:()[\]{}]+/y
    word.lastIndex = this.#at
    const found = word.exec(this.#text)?.[0]
    if (found === undefined) throw new NotLiteral()
    this.#at += found.length
    if (found === 'array' && this.#text[this.#at] === '(') {
      const [inner] = this.#list(')', depth)
      return inner
    }
    if (WORDS.has(found)) return WORDS.get(found)
    const number = Number(found)
    // `dtype=object` at the end of an array.
    if (Number.isNaN(number) && !found.startsWith('dtype=')) throw new NotLiteral()
    return number
  }

  #list(end: string, depth: number): unknown[] {
    this.#at++
    const items: unknown[] = []
    for (;;) {
      this.#skip()
      if (this.#text[this.#at] === end) break
      items.push(this.#value(depth + 1))
    }
    this.#at++
    return items
  }

  #dict(depth: number): Record<string, unknown> {
    this.#at++
    const entries: [string, unknown][] = []
    for (;;) {
      this.#skip()
      if (this.#text[this.#at] === '}') break
      const key = this.#value(depth + 1)
      this.#skip()
      if (this.#text[this.#at] !== ':') throw new NotLiteral()
      this.#at++
      entries.push([String(key), this.#value(depth + 1)])
    }
    this.#at++
    return Object.fromEntries(entries)
  }

  #string(quote: string): string {
    let result = ''
    for (this.#at++; this.#text[this.#at] !== quote; this.#at++) {
      const character = this.#text[this.#at]
      if (character === undefined) throw new NotLiteral()
      if (character !== '\\') {
        result += character
        continue
      }
      this.#at++
      const escaped = this.#text[this.#at] ?? ''
      const code = /^(?:x([\da-f]{2})|u([\da-f]{4}))/i.exec(this.#text.slice(this.#at, this.#at + 5))
      if (code) {
        result += String.fromCharCode(Number.parseInt(code[1] ?? code[2]!, 16))
        this.#at += code[0].length - 1
      } else if (Object.hasOwn(ESCAPES, escaped)) result += ESCAPES[escaped]!
      else result += escaped === '\\' || escaped === '"' || escaped === "'" ? escaped : `\\${escaped}`
    }
    this.#at++
    return result
  }
}

/** Reads JSON or a Python literal; undefined for any other text. */
export function parseLiteral(text: string): unknown {
  try {
    return parseLooseJson(text)
  } catch {
    try {
      return new LiteralReader(text).read()
    } catch (error) {
      if (error instanceof NotLiteral) return undefined
      throw error
    }
  }
}
